/// The sizes and limits of the log format, each stated once (FORMAT.md, "Limits").
public enum LogLayout {
    /// The format's version that this code writes.
    public static let majorVersion: UInt16 = 0
    /// The minor version: a reader of the same major version reads any minor one.
    public static let minorVersion: UInt16 = 1

    /// The bytes of one copy of the log header.
    public static let headerSize = 64
    /// Where the second copy of the header stands.
    public static let secondHeaderOffset: UInt64 = 4096
    /// Where the first frame stands.
    public static let firstFrameOffset: UInt64 = 4160

    /// The bytes of a frame before its payload.
    public static let frameHeaderSize = 32
    /// The bytes of a frame behind its payload.
    public static let frameTrailerSize = 8
    /// Frames begin and end at multiples of this.
    public static let alignment = 8
    /// The shortest possible frame: header, empty payload head, trailer.
    public static let minimumFrameLength = frameHeaderSize + payloadHeadBaseSize + frameTrailerSize
    /// The longest frame, and so the largest transaction.
    public static let maximumFrameLength = 64 << 20
    /// The longest frame flagged `independent`.
    public static let maximumIndependentFrameLength = 64 << 10

    /// The largest sequence and the largest generation: there is always room to count on.
    public static let maximumSequence = UInt64(Int64.max)

    /// The payload head without its names.
    package static let payloadHeadBaseSize = 16
    /// What stands in the place of a name's index where there is no name.
    package static let noName: UInt16 = 0xFFFF
    /// The longest name of a collection, a field or an author, in UTF-8 bytes.
    public static let maximumNameLength = 255
    /// The most names in one frame.
    public static let maximumNameCount = 65_534

    /// The bytes of a record before its provenance, key and value.
    package static let recordHeaderSize = 20
    /// The bytes in which a record's header, provenance and key stand.
    package static let longestRecordStart = UInt64(recordHeaderSize + 255 + maximumKeyLength)
    /// The longest key.
    public static let maximumKeyLength = 1024
    /// The longest record, header, key and value together.
    public static let maximumRecordLength = 32 << 20

    /// The bytes of the lock file.
    public static let lockPageSize = 4096

    static func aligned(_ length: Int) -> Int { (length + alignment - 1) & ~(alignment - 1) }
}
