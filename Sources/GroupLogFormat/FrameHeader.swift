/// What a frame says of itself as a whole (FORMAT.md, "Frame flags").
public struct FrameFlags: OptionSet, Hashable, Sendable {
    /// The bits, as they stand in the frame.
    public let rawValue: UInt16
    /// Makes flags from their bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Its records are served one by one, also when the frame as a whole is damaged.
    public static let independent = FrameFlags(rawValue: 1)
    /// Written by a compaction: its records carry their own sequence, time and author.
    public static let compacted = FrameFlags(rawValue: 2)
    /// Ends the copied part of a compacted log.
    public static let mark = FrameFlags(rawValue: 4)
    /// Wakes nobody and is in no history.
    public static let quiet = FrameFlags(rawValue: 8)
    /// The last frame of a log that another generation has replaced.
    public static let closing = FrameFlags(rawValue: 16)

    /// The flags' names as FORMAT.md has them, unknown bits by number.
    public var names: [String] {
        let known: [(FrameFlags, String)] = [
            (.independent, "independent"), (.compacted, "compacted"), (.mark, "mark"),
            (.quiet, "quiet"), (.closing, "closing"),
        ]
        var names = known.filter { contains($0.0) }.map(\.1)
        for bit in 5..<16 where rawValue & (1 << bit) != 0 { names.append("bit \(bit)") }
        return names
    }
}

/// The fixed part at the front of a frame (FORMAT.md, "Frame").
public struct FrameHeader: Hashable, Sendable {
    /// The two bytes F1 47 with which each frame begins.
    public static let marker: UInt16 = 0x47F1

    /// What the frame says of itself.
    public var flags: FrameFlags
    /// The frame's bytes from the marker to the end of the trailer, a multiple of 8.
    public var length: UInt32
    /// The commit's number: one more than that of the frame before. A compacted frame is no commit,
    /// and has a number that none of its records is above.
    public var sequence: UInt64
    /// When it was committed, in microseconds since 1970, by the writer's clock.
    public var time: Int64
    /// CRC-32C of the payload, seeded with the frame's place.
    public var payloadChecksum: UInt32
    /// CRC-32C of the header's first 28 bytes, seeded with the frame's place.
    public var checksum: UInt32

    package init(
        flags: FrameFlags, length: UInt32, sequence: UInt64, time: Int64, payloadChecksum: UInt32,
        checksum: UInt32
    ) {
        self.flags = flags
        self.length = length
        self.sequence = sequence
        self.time = time
        self.payloadChecksum = payloadChecksum
        self.checksum = checksum
    }

    /// Where the payload lies inside the frame.
    public var payload: Range<Int> {
        LogLayout.frameHeaderSize..<Int(length) - LogLayout.frameTrailerSize
    }

    /// Reads and verifies the header of a frame at `offset` of the bytes, which is `logOffset` of
    /// the log. Touches 32 bytes.
    public static func decode(
        _ bytes: RawSpan, at offset: Int, logOffset: UInt64, salt: UInt64
    ) throws(FormatError) -> FrameHeader {
        guard let header = unverified(bytes, at: offset) else {
            throw FormatError(.malformed, "no frame begins here", offset: logOffset)
        }
        guard header.checksum == seal(bytes, at: offset, logOffset: logOffset, salt: salt) else {
            throw FormatError(
                .badChecksum, "the frame header's checksum does not fit", offset: logOffset)
        }
        return header
    }

    /// The header as it stands, if it has the marker, and a length and a sequence that a frame
    /// may have.
    package static func unverified(_ bytes: RawSpan, at offset: Int) -> FrameHeader? {
        guard offset >= 0, bytes.byteCount - offset >= LogLayout.frameHeaderSize,
            bytes.integer(at: offset, as: UInt16.self) == marker
        else { return nil }
        let header = FrameHeader(
            flags: FrameFlags(rawValue: bytes.integer(at: offset + 2)),
            length: bytes.integer(at: offset + 4), sequence: bytes.integer(at: offset + 8),
            time: bytes.integer(at: offset + 16), payloadChecksum: bytes.integer(at: offset + 24),
            checksum: bytes.integer(at: offset + 28))
        return isLength(header.length) && header.sequence <= LogLayout.maximumSequence
            ? header : nil
    }

    /// Whether this frame may stand behind one of that sequence with nothing missing between them.
    ///
    /// Compacted frames are no commits: their sequences only never fall.
    func follows(_ last: UInt64) -> Bool {
        flags.contains(.compacted) ? sequence >= last : sequence == last &+ 1
    }

    /// The checksum that belongs to the 28 bytes at an offset.
    package static func seal(_ bytes: RawSpan, at offset: Int, logOffset: UInt64, salt: UInt64)
        -> UInt32
    {
        Checksum.crc32c(
            bytes.extracting(offset..<offset + 28),
            continuing: Checksum.seed(salt: salt, offset: logOffset))
    }

    static func isLength(_ length: UInt32) -> Bool {
        length >= LogLayout.minimumFrameLength && length <= LogLayout.maximumFrameLength
            && length % UInt32(LogLayout.alignment) == 0
    }

    /// The header's first 24 bytes: all that the spare of an independent frame repeats.
    func encodedStart() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(LogLayout.frameHeaderSize)
        bytes.append(littleEndian: Self.marker)
        bytes.append(littleEndian: flags.rawValue)
        bytes.append(littleEndian: length)
        bytes.append(littleEndian: sequence)
        bytes.append(littleEndian: time)
        return bytes
    }
}

/// The last eight bytes of a frame: its header's checksum and its length once more, and a byte
/// that tells a damaged end from a missing one (FORMAT.md, "Frame trailer").
public struct FrameTrailer: Hashable, Sendable {
    /// The very last byte of each frame. A write that did not end has a zero here, or nothing; no
    /// single flipped bit makes it zero.
    public static let endMarker: UInt8 = 0xE7

    /// The header's checksum.
    public var checksum: UInt32
    /// The frame's length.
    public var length: UInt32

    /// The trailer that belongs to a header.
    public init(_ header: FrameHeader) {
        checksum = header.checksum
        length = header.length
    }

    /// The trailer that ends at `end` of the bytes, if it has the end marker and a length that a
    /// frame may have.
    public init?(_ bytes: RawSpan, endingAt end: Int) {
        guard end >= LogLayout.frameTrailerSize, end <= bytes.byteCount else { return nil }
        checksum = bytes.integer(at: end - 8)
        let word: UInt32 = bytes.integer(at: end - 4)
        guard word >> 24 == UInt32(Self.endMarker) else { return nil }
        length = (word & 0xFF_FFFF) * UInt32(LogLayout.alignment)
        guard FrameHeader.isLength(length) else { return nil }
    }

    func append(to bytes: inout [UInt8]) {
        bytes.append(littleEndian: checksum)
        bytes.append(
            littleEndian: length / UInt32(LogLayout.alignment) | UInt32(Self.endMarker) << 24)
    }
}
