/// The value of the record `replaced`: which generation has taken the place of the log that ends
/// with it (FORMAT.md, "Replacement").
public struct ReplacementContent: Hashable, Sendable {
    /// The new log's generation.
    public var generation: UInt64

    /// Names the new log.
    public init(generation: UInt64) { self.generation = generation }

    /// The value's bytes.
    public func encoded() -> [UInt8] {
        var writer = CBORWriter()
        writer.mapHead(1)
        writer.unsigned(0)
        writer.unsigned(generation)
        return writer.bytes
    }

    /// Reads a value.
    public static func decode(_ bytes: RawSpan) throws(FormatError) -> ReplacementContent {
        let map = try ContentMap(bytes, of: "replacement")
        return ReplacementContent(generation: try map.unsigned(0))
    }
}
