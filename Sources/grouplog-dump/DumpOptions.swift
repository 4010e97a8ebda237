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

    init(_ text: String) throws(ValueProblem) {
        var keys: Set = [try KeyText.key(text)]
        if !KeyText.namesType(text) {
            if let key = RecordKey(text: text) { keys.insert(key) }
            if text.utf8.starts(with: "0x".utf8),
                let bytes = KeyText.bytes(hexadecimal: String(text.dropFirst(2))),
                let key = RecordKey(kind: .bytes, bytes: bytes)
            {
                keys.insert(key)
            }
        }
        self.keys = keys
    }

    func matches(kind: UInt8, _ bytes: [UInt8]) -> Bool {
        keys.contains { $0.kind.rawValue == kind && $0.bytes == bytes }
    }
}

extension ValueReader where Value == KeyPattern {
    static var key: ValueReader {
        ValueReader { text throws(ValueProblem) in try KeyPattern(text) }
    }
}
