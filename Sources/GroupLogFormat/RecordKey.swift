/// A record's key inside its collection: a type and 1 to 1,024 bytes (FORMAT.md, "Keys").
///
/// Keys of one type sort by their bytes, and integers are stored so that this is their order.
public struct RecordKey: Hashable, Sendable, Comparable {
    /// The types of keys. Two keys of different types are never equal.
    public enum Kind: UInt8, Sendable {
        /// UTF-8, compared byte for byte.
        case text = 1
        /// 16 bytes.
        case uuid = 2
        /// A signed 64-bit integer, big-endian, its sign bit flipped.
        case integer = 3
        /// Any bytes.
        case bytes = 4
    }

    /// The key's type.
    public let kind: Kind
    /// The key's bytes as they stand in the log.
    public let bytes: [UInt8]

    /// A key of the format's own bytes; nil where they are not a key of this type.
    public init?(kind: Kind, bytes: [UInt8]) {
        guard !bytes.isEmpty, bytes.count <= LogLayout.maximumKeyLength else { return nil }
        switch kind {
        case .uuid: guard bytes.count == 16 else { return nil }
        case .integer: guard bytes.count == 8 else { return nil }
        case .text: guard unsafe bytes.span.bytes.text(0..<bytes.count) != nil else { return nil }
        case .bytes: break
        }
        self.kind = kind
        self.bytes = bytes
    }

    /// A text key; nil where the text has no bytes or more than 1,024.
    public init?(text: String) { self.init(kind: .text, bytes: Array(text.utf8)) }

    /// The key of the record that says what a compacted log was copied from.
    public static let mark = RecordKey(formatName: "mark")
    /// The key of the record that says which log has replaced this one.
    public static let replaced = RecordKey(formatName: "replaced")

    private init(formatName: StaticString) {
        kind = .text
        bytes = Array(formatName.description.utf8)
    }

    /// A UUID's key.
    public init(
        uuid: (
            UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8,
            UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8
        )
    ) {
        kind = .uuid
        bytes = unsafe withUnsafeBytes(of: uuid) { unsafe [UInt8]($0) }
    }

    /// An integer's key.
    public init(integer: Int64) {
        kind = .integer
        bytes = unsafe withUnsafeBytes(of: (UInt64(bitPattern: integer) ^ (1 << 63)).bigEndian) {
            unsafe [UInt8]($0)
        }
    }

    /// The integer of an integer key.
    public var integerValue: Int64? {
        guard kind == .integer else { return nil }
        let word = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int64(bitPattern: word ^ (1 << 63))
    }

    /// The text of a text key.
    public var textValue: String? {
        kind == .text ? String(decoding: bytes, as: UTF8.self) : nil
    }

    /// Hashes the bytes as one piece; an array hashes each of its elements, which takes ten times as
    /// long.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }

    /// Orders by type, then by bytes.
    public static func < (a: RecordKey, b: RecordKey) -> Bool {
        if a.kind != b.kind { return a.kind.rawValue < b.kind.rawValue }
        return a.bytes.lexicographicallyPrecedes(b.bytes)
    }

    static let hexDigits: [UInt8] = Array("0123456789abcdef".utf8)

    /// Bytes as hexadecimal digits in small letters.
    package static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        var digits: [UInt8] = []
        for byte in bytes {
            digits.append(hexDigits[Int(byte >> 4)])
            digits.append(hexDigits[Int(byte & 15)])
        }
        return String(decoding: digits, as: UTF8.self)
    }

    /// 16 bytes as a UUID is written (RFC 9562, section 4), in small letters.
    package static func uuidText(_ bytes: [UInt8]) -> String {
        let parts = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16]
        return parts.map { hexadecimal(bytes[$0]) }.joined(separator: "-")
    }
}

extension RecordKey: CustomStringConvertible {
    /// The key as people read it: UUIDs and text plain, integers as digits, bytes as `0x…`.
    public var description: String {
        switch kind {
        case .text: String(decoding: bytes, as: UTF8.self)
        case .uuid: Self.uuidText(bytes)
        case .integer: integerValue.map(String.init) ?? ""
        case .bytes: "0x" + Self.hexadecimal(bytes)
        }
    }
}
