import GroupLogFormat

/// The keys of imported records.
enum ImportKey {
    /// A UUID in any of its spellings.
    static func uuid(_ text: String) -> RecordKey? {
        UUIDText.bytes(text).flatMap { RecordKey(kind: .uuid, bytes: $0) }
    }

    /// Any key: a text that is a UUID in any spelling is a UUID.
    static func any(_ value: CBORValue) -> RecordKey? {
        switch value {
        case .text(let text): uuid(text) ?? RecordKey(text: text)
        case .unsigned(let number): Int64(exactly: number).map(RecordKey.init(integer:))
        case .negative(let number): Int64(exactly: number).map { RecordKey(integer: -1 - $0) }
        case .bytes(let bytes): RecordKey(kind: .bytes, bytes: bytes)
        case .tagged(ExtendedJSON.uuidTag, .bytes(let bytes)): RecordKey(kind: .uuid, bytes: bytes)
        default: nil
        }
    }

    static func malformed(_ text: String) -> String {
        "the id '\(text.prefix(60))' is not a UUID"
    }
}
