import GroupLogFormat
import ToolSupport

/// The operands and options of the subcommands, each described once.
enum DumpOptions {
    static let log = Argument<String>(
        "log", "The log's file, a store's directory, or a quarantined file.", as: .file)

    static let from = Option<UInt64>(
        "from", "offset", "Only what reaches to this offset or behind it.", as: .offset, default: 0)
    static let to = Option<UInt64?>(
        "to", "offset", "Only what begins before this offset.", as: .offset)
    static let limit = Option<Int?>(
        "limit", short: "n", "count", "At most this many lines.", as: .integer(in: 0...Int.max))
    static let collection = Option<String?>(
        "collection", "name", "Only records of this collection.", as: .text)
    static let key = Option<KeyPattern?>(
        "key", "key",
        "Only records with this key, of whatever type; one type alone with text:, int:, uuid: or "
            + "bytes: before it.", as: .key)

    /// The offsets that `from` and `to` leave.
    static func range(_ invocation: Invocation) -> Range<UInt64> {
        let end = invocation[to] ?? .max
        return min(invocation[from], end)..<end
    }
}

extension ValueReader where Value == UInt64 {
    /// An offset in decimal digits, or in hexadecimal ones behind 0x.
    static var offset: ValueReader {
        ValueReader { text throws(ValueProblem) in
            let value =
                text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text)
            guard let value, text.utf8.first != UInt8(ascii: "+") else {
                throw ValueProblem("expected an offset, such as 4160 or 0x1040")
            }
            return value
        }
    }
}

/// A key as it is typed. Where the text can be read as a key of more than one type, all are meant.
struct KeyPattern: Sendable {
    private let keys: Set<RecordKey>

    init?(_ text: String) {
        var keys: [RecordKey?] = []
        if let rest = text.after("text:") {
            keys = [RecordKey(text: rest)]
        } else if let rest = text.after("int:") {
            keys = [Int64(rest).map { RecordKey(integer: $0) }]
        } else if let rest = text.after("uuid:") {
            keys = [Self.uuid(rest)]
        } else if let rest = text.after("bytes:") {
            keys = [Self.bytes(rest)]
        }
        keys += [
            RecordKey(text: text), Int64(text).map { RecordKey(integer: $0) }, Self.uuid(text),
            text.after("0x").flatMap { Self.bytes($0) },
        ]
        self.keys = Set(keys.compactMap { $0 })
        if self.keys.isEmpty { return nil }
    }

    private static func uuid(_ text: String) -> RecordKey? {
        UUIDText.bytes(text).flatMap { RecordKey(kind: .uuid, bytes: $0) }
    }

    private static func bytes(_ text: String) -> RecordKey? {
        let digits = text.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count.isMultiple(of: 2), !digits.contains(nil) else { return nil }
        let bytes = stride(from: 0, to: digits.count, by: 2).map {
            UInt8((digits[$0] ?? 0) << 4 | (digits[$0 + 1] ?? 0))
        }
        return RecordKey(kind: .bytes, bytes: bytes)
    }

    func matches(kind: UInt8, _ bytes: [UInt8]) -> Bool {
        keys.contains { $0.kind.rawValue == kind && $0.bytes == bytes }
    }
}

extension ValueReader where Value == KeyPattern {
    static var key: ValueReader {
        ValueReader { text throws(ValueProblem) in
            guard let pattern = KeyPattern(text) else {
                throw ValueProblem("expected a key of 1 to \(LogLayout.maximumKeyLength) bytes")
            }
            return pattern
        }
    }
}

extension String {
    fileprivate func after(_ prefix: String) -> String? {
        utf8.starts(with: prefix.utf8)
            ? String(decoding: utf8.dropFirst(prefix.utf8.count), as: UTF8.self) : nil
    }
}
