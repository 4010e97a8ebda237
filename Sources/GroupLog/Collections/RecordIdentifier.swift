#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import GroupLogFormat

/// A type that a model's `id` may have.
///
/// A type of your own conforms by giving the key of the value that it is encoded as: the log
/// keeps the key alone, and the `id` is decoded from it.
public protocol RecordIdentifier: Codable, Hashable, Sendable {
    /// The key under which a record with this id is stored; nil where the id is empty or longer
    /// than 1,024 bytes.
    var recordKey: RecordKey? { get }
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
