/// Text on its way out: gathered, and handed over in pieces of about 64 KiB, so that the memory that
/// it takes does not grow with what is written.
///
/// Without a place to go to it gathers everything. What the place throws is kept until `flush()`;
/// until then the rest is dropped, so that whoever writes need not ask after each word.
package struct PieceBuffer {
    package typealias Sink = ([UInt8]) throws -> Void

    /// How many bytes are gathered before they are handed over.
    static let pieceSize = 1 << 16

    /// What has not been handed over.
    private(set) var bytes: [UInt8] = []
    private let sink: Sink?
    private var failure: (any Error)?

    package init(to sink: Sink? = nil) { self.sink = sink }

    mutating func append(_ byte: UInt8) { bytes.append(byte) }

    package mutating func append(_ text: String) {
        append(text, escaping: { _, _ in false }) { _, _ in }
    }

    /// Appends a text, in runs; for a byte that `isSpecial`, given with its place, stands what `write`
    /// appends.
    @inline(__always)
    mutating func append(
        _ text: String, escaping isSpecial: (UInt8, Int) -> Bool,
        as write: (UInt8, inout [UInt8]) -> Void
    ) {
        var text = text
        text.withUTF8 { utf8 in
            var done = 0
            while done < utf8.count {
                let limit = min(done + Self.pieceSize, utf8.count)
                var end = done
                // `end` and `done` stay below the count.
                while end < limit, unsafe !isSpecial(utf8[end], end) { end += 1 }
                unsafe bytes.append(contentsOf: utf8[done..<end])
                done = end
                if done < limit {
                    unsafe write(utf8[done], &bytes)
                    done += 1
                }
                drainIfFull()
            }
        }
    }

    /// Hands over what there is, if it is a piece.
    @inline(__always)
    mutating func drainIfFull() {
        if bytes.count >= Self.pieceSize { drain() }
    }

    private mutating func drain() {
        guard let sink else { return }
        defer { bytes.removeAll(keepingCapacity: true) }
        guard failure == nil else { return }
        do { try sink(bytes) } catch { failure = error }
    }

    /// Hands over the rest. Throws why a piece could not be handed over, the first time and ever after.
    package mutating func flush() throws {
        if !bytes.isEmpty { drain() }
        if let failure { throw failure }
    }

    /// Takes what has not been handed over.
    mutating func take() throws -> [UInt8] {
        if let failure { throw failure }
        defer { bytes = [] }
        return bytes
    }
}

extension String {
    /// How the text begins: whole characters of Unicode in at most so many bytes of UTF-8, and an ellipsis
    /// where that is not all of it.
    package func beginning(ofAtMost limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(startIndex, offsetBy: limit)
        while utf8[end] & 0xC0 == 0x80 { end = utf8.index(before: end) }
        return String(self[..<end]) + "…"
    }
}

extension JSONWriter {
    /// How the JSON begins that the body writes: as much as a cell of a table shows of it.
    package static func beginning(_ write: (inout JSONWriter) -> Void) -> String {
        var start: [UInt8] = []
        var writer = JSONWriter { piece in if start.isEmpty { start = piece } }
        write(&writer)
        let bytes = start.isEmpty ? writer.bytes : start
        return String(decoding: bytes, as: UTF8.self)
    }
}
