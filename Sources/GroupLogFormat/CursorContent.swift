/// The value of a cursor record: how far a named consumer of the history has come (FORMAT.md,
/// "Cursor").
public struct CursorContent: Hashable, Sendable {
    /// The last commit that the consumer is done with.
    public var sequence: UInt64
    /// That commit's checksum, by which it is known again.
    public var checksum: UInt32
    /// When the consumer last moved it, in microseconds since 1970.
    public var updated: Int64
    /// Whether the store has given up waiting for the consumer.
    public var isRetired: Bool

    /// Makes a cursor.
    public init(sequence: UInt64, checksum: UInt32, updated: Int64, isRetired: Bool = false) {
        self.sequence = sequence
        self.checksum = checksum
        self.updated = updated
        self.isRetired = isRetired
    }

    /// The value's bytes.
    public func encoded() -> [UInt8] {
        var writer = CBORWriter()
        writer.mapHead(4)
        writer.unsigned(0)
        writer.unsigned(sequence)
        writer.unsigned(1)
        writer.unsigned(UInt64(checksum))
        writer.unsigned(2)
        writer.integer(updated)
        writer.unsigned(3)
        writer.bool(isRetired)
        return writer.bytes
    }

    /// Reads a value.
    public static func decode(_ bytes: RawSpan) throws(FormatError) -> CursorContent {
        let map = try ContentMap(bytes, of: "cursor")
        return CursorContent(
            sequence: try map.unsigned(0), checksum: try map.unsigned(1),
            updated: try map.integer(2), isRetired: try map.bool(3))
    }
}
