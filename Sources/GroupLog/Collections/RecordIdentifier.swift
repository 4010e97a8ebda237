#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import GroupLogFormat

/// A type that a model's `id` may have: `UUID`, `String`, `Int`, `Int64`, or a type of your own around
/// one of these.
///
/// ```swift
/// struct BookmarkID: RawRepresentable, RecordIdentifier {
///     var rawValue: UUID
/// }
/// ```
///
/// The log keeps the record's key and no `id` beside it; the `id` is decoded from the key. So a type
/// that says its own key has to be coded as just what that key holds. Debug builds trap where a
/// stored `id` would not come back equal.
public protocol RecordIdentifier: Codable, Hashable, Sendable {
    /// The key under which a record with this id is stored; nil where the id is empty or longer
    /// than 1,024 bytes, and then no record can have it. The type of keys is in the module
    /// `GroupLogFormat`; a type that says its own key imports it.
    var recordKey: RecordKey? { get }
}

extension RecordIdentifier where Self: RawRepresentable, RawValue: RecordIdentifier {
    /// The key of the raw value.
    public var recordKey: RecordKey? { rawValue.recordKey }
}

// The standard library codes types around texts and numbers as these; here is the same for UUIDs.
extension RecordIdentifier where Self: RawRepresentable<UUID> {
    /// Decodes the raw value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let rawValue = try container.decode(UUID.self)
        guard let value = Self(rawValue: rawValue) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\(rawValue) is no \(Self.self)")
        }
        self = value
    }

    /// Encodes the raw value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}

extension UUID: RecordIdentifier {
    /// The key of the UUID's 16 bytes.
    public var recordKey: RecordKey? { RecordKey(uuid: uuid) }
}

extension String: RecordIdentifier {
    /// The key of the text's bytes; texts are equal only when their bytes are.
    public var recordKey: RecordKey? { RecordKey(text: self) }
}

extension Int: RecordIdentifier {
    /// The key of the number.
    public var recordKey: RecordKey? { RecordKey(integer: Int64(self)) }
}

extension Int64: RecordIdentifier {
    /// The key of the number.
    public var recordKey: RecordKey? { RecordKey(integer: self) }
}

extension RecordKey {
    /// What an id with this key is encoded as.
    package var encodedIdentifier: [UInt8] {
        var writer = CBORWriter()
        switch kind {
        case .text: writer.text(textValue ?? "")
        case .integer: writer.integer(integerValue ?? 0)
        case .bytes: writer.byteString(bytes)
        case .uuid:
            writer.tag(37)
            writer.byteString(bytes)
        }
        return writer.bytes
    }
}
