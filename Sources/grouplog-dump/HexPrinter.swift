import GroupLogFormat
import ToolSupport

/// Prints annotated fields: their bytes, eight a line, and what they are.
struct HexPrinter {
    private static let bytesPerLine: UInt64 = 8
    /// Longer runs of zeros are told, not shown.
    private static let zerosShown = 16

    private let log: FileBytes
    private let wanted: Range<UInt64>
    private let output: Output
    private let offsetWidth: Int
    private let isJSON: Bool
    private var ordinal: Int?
    private var writer = JSONWriter()

    init(_ log: FileBytes, _ wanted: Range<UInt64>, _ invocation: Invocation) {
        self.log = log
        self.wanted = wanted
        output = invocation.output
        isJSON = invocation[CommonOptions.json]
        offsetWidth = "\(wanted.upperBound)".utf8.count
    }

    mutating func add(_ annotation: Annotation) throws {
        if isJSON { return try addJSON(annotation) }
        let shown = annotation.range.clamped(to: wanted)
        if ordinal != annotation.ordinal, annotation.name != annotation.structure {
            try line(at: shown.lowerBound, output.style(annotation.structure, .bold))
        }
        ordinal = annotation.ordinal
        let name = annotation.name.padded(to: 18)
        let meaning = visible(annotation.meaning)
        let verdict = annotation.verdict.map {
            output.style(" \($0.rawValue)", $0 == .good ? .green : .red)
        }
        let text = name + meaning + (verdict ?? "")
        if UInt64(annotation.range.count) <= Self.bytesPerLine {
            let bytes = try log.withBytes(shown) { Naming.all($0) }
            return try line(at: shown.lowerBound, hex(bytes[...]) + text)
        }
        try line(at: shown.lowerBound, hex([]) + text)
        try addLines(shown)
    }

    /// The bytes of a long field, with their characters.
    private func addLines(_ range: Range<UInt64>) throws {
        var start = range.lowerBound
        while start < range.upperBound {
            let piece = start..<min(start + 1 << 16, range.upperBound)
            let bytes = try log.withBytes(piece) { Naming.all($0) }
            if bytes.count > Self.zerosShown, bytes.allSatisfy({ $0 == 0 }) {
                try line(at: start, "00 ... " + counted(bytes.count, "zero"))
            } else {
                for place in stride(from: 0, to: bytes.count, by: Int(Self.bytesPerLine)) {
                    let row = bytes[place..<min(place + Int(Self.bytesPerLine), bytes.count)]
                    try line(at: start + UInt64(place), hex(row) + "|\(Self.characters(row))|")
                }
            }
            start = piece.upperBound
        }
    }

    private func line(at offset: UInt64, _ text: String) throws {
        let digits = "\(offset)"
        let indent = String(repeating: " ", count: max(0, offsetWidth - digits.utf8.count))
        var line = "\(indent)\(digits)  \(text)"
        while line.utf8.last == UInt8(ascii: " ") { line.removeLast() }
        try output.write(line + "\n")
    }

    private func hex(_ bytes: ArraySlice<UInt8>) -> String {
        bytes.map { RecordKey.hexadecimal([$0]) }.joined(separator: " ").padded(to: 25)
    }

    private static func characters(_ bytes: ArraySlice<UInt8>) -> String {
        String(
            decoding: bytes.map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: ".") },
            as: UTF8.self)
    }

    private mutating func addJSON(_ annotation: Annotation) throws {
        let bytes = try log.withBytes(annotation.range.clamped(to: wanted)) { Naming.all($0) }
        writer.beginObject()
        writer.members(of: annotation.range)
        writer.member("structure", annotation.structure)
        writer.member("field", annotation.name)
        writer.member("bytes", RecordKey.hexadecimal(bytes))
        writer.member("meaning", annotation.meaning)
        writer.member("verdict", annotation.verdict?.rawValue)
        writer.endObject()
        try output.line(json: &writer)
    }
}

extension String {
    /// The text, which is ASCII, filled up with spaces.
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - utf8.count))
    }
}
