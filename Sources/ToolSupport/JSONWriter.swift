/// Writes JSON text on one line, for every place where a tool prints JSON.
///
/// One writer for all of them keeps the output byte for byte predictable: keys stand in the order in
/// which they are given, no space is added, and a text has one spelling. That spelling escapes the
/// quote, the backslash and the characters below U+0020, with the short form where JSON has one
/// (`\n`, not `\u000a`, so that a search for it finds it); everything else, U+2028 and U+2029
/// included, stands as it is in UTF-8.
///
/// Made with a place to go to, it hands over long lines in pieces while they are written.
///
/// The writer puts the commas and colons. Asking for something that is not JSON, such as a value
/// without a key in an object, is a programmer's mistake and traps.
package struct JSONWriter {
    private var buffer: PieceBuffer

    private enum Container { case object, array }

    /// The open containers, innermost last. The depth is that of the caller's own nesting.
    private var open: [Container] = []
    private var needsComma = false
    private var hasKey = false

    package init(to sink: PieceBuffer.Sink? = nil) { buffer = PieceBuffer(to: sink) }

    /// What has been written and not been handed over.
    package var bytes: [UInt8] { buffer.bytes }

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Hands over what is left. Throws what the place to go to has thrown since.
    package mutating func flush() throws { try buffer.flush() }

    /// Takes what is left to hand over. Throws what the place to go to has thrown since.
    mutating func take() throws -> [UInt8] { try buffer.take() }

    package mutating func beginObject() {
        beginValue()
        buffer.append(UInt8(ascii: "{"))
        open.append(.object)
        needsComma = false
    }

    package mutating func endObject() {
        end(.object, with: UInt8(ascii: "}"))
    }

    package mutating func beginArray() {
        beginValue()
        buffer.append(UInt8(ascii: "["))
        open.append(.array)
        needsComma = false
    }

    package mutating func endArray() {
        end(.array, with: UInt8(ascii: "]"))
    }

    package mutating func key(_ name: String) {
        precondition(open.last == .object && !hasKey, "a key stands in an object, before a value")
        if needsComma { buffer.append(UInt8(ascii: ",")) }
        appendQuoted(name)
        buffer.append(UInt8(ascii: ":"))
        hasKey = true
    }

    package mutating func string(_ text: String) {
        beginValue()
        appendQuoted(text)
    }

    /// Bytes as a string of base64.
    package mutating func base64(_ content: [UInt8]) {
        beginValue()
        buffer.append(UInt8(ascii: "\""))
        // Of a multiple of three bytes the digits can stand one behind another.
        let step = 3 << 14
        for start in stride(from: 0, to: content.count, by: step) {
            buffer.append(Base64.encode(content[start..<min(start + step, content.count)]))
        }
        buffer.append(UInt8(ascii: "\""))
    }

    /// Integers are written in full, also beyond 2^53, where some readers of JSON lose digits.
    package mutating func integer(_ value: some BinaryInteger) {
        beginValue()
        buffer.append(String(value))
    }

    /// The shortest digits that read back as the same number. They always hold a point or an
    /// exponent, so that a reader can tell the double 1.0 from the integer 1. JSON has no spelling
    /// for infinities and for "not a number": they become `null`, and a caller that must keep them
    /// looks for them first.
    package mutating func double(_ value: Double) {
        guard value.isFinite else { return null() }
        beginValue()
        buffer.append(value.description)
    }

    package mutating func bool(_ value: Bool) {
        beginValue()
        buffer.append(value ? "true" : "false")
    }

    package mutating func null() {
        beginValue()
        buffer.append("null")
    }

    /// Ends a line of JSON Lines. Only complete values may be ended.
    package mutating func endLine() {
        precondition(open.isEmpty, "a line ends after its last container")
        buffer.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    private mutating func beginValue() {
        buffer.drainIfFull()
        switch open.last {
        case .object:
            precondition(hasKey, "a value in an object follows its key")
            hasKey = false
        case .array:
            if needsComma { buffer.append(UInt8(ascii: ",")) }
        case nil:
            precondition(!needsComma, "a line holds one value")
        }
        needsComma = true
    }

    private mutating func end(_ container: Container, with byte: UInt8) {
        precondition(open.popLast() == container && !hasKey, "a container ends as it began")
        buffer.append(byte)
        needsComma = true
    }

    private mutating func appendQuoted(_ text: String) {
        buffer.append(UInt8(ascii: "\""))
        buffer.append(text) { byte, _ in
            byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
        } as: { byte, bytes in
            bytes.append(UInt8(ascii: "\\"))
            Self.appendEscape(byte, to: &bytes)
        }
        buffer.append(UInt8(ascii: "\""))
    }

    /// Appends what stands behind the backslash.
    private static func appendEscape(_ byte: UInt8, to bytes: inout [UInt8]) {
        switch byte {
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0..<0x20:
            bytes.append(contentsOf: byte < 0x10 ? "u000".utf8 : "u001".utf8)
            let digit = byte & 0x0F
            bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        default: bytes.append(byte)
        }
    }
}

extension JSONWriter {
    /// A key and its text; null where there is none.
    package mutating func member(_ name: String, _ text: String?) {
        key(name)
        if let text { string(text) } else { null() }
    }

    /// A key and its number; null where there is none.
    package mutating func member(_ name: String, _ number: (some BinaryInteger)?) {
        key(name)
        if let number { integer(number) } else { null() }
    }

    package mutating func member(_ name: String, _ isTrue: Bool) {
        key(name)
        bool(isTrue)
    }

    /// A range as offset and length.
    package mutating func members(of range: Range<UInt64>) {
        member("offset", range.lowerBound)
        member("length", range.upperBound - range.lowerBound)
    }
}
