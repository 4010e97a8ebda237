/// The header of a log: who it is, and which versions may read it (FORMAT.md, "Log header").
public struct LogHeader: Hashable, Sendable {
    /// The first eight bytes of every log. Like PNG's (RFC 2083, section 3.1) they show at once a
    /// transfer that stripped the high bit or changed line ends.
    public static let magic: [UInt8] = [0x89, 0x47, 0x4C, 0x4F, 0x47, 0x0D, 0x0A, 0x1A]

    /// The format's major version: a reader knows it, or it cannot read the log.
    public var majorVersion: UInt16
    /// The format's minor version.
    public var minorVersion: UInt16
    /// The 16 bytes that name the store; they survive compaction.
    public var storeID: StoreID
    /// 1 for a new store, one more with each compaction.
    public var generation: UInt64
    /// A random number, new in each file, that seeds every checksum of the log.
    public var salt: UInt64
    /// Features that a reader may ignore.
    public var optionalFeatures: UInt32
    /// Features that a reader must know.
    public var requiredFeatures: UInt32

    /// Makes the header of a log of the current version.
    public init(storeID: StoreID, generation: UInt64, salt: UInt64) {
        majorVersion = LogLayout.majorVersion
        minorVersion = LogLayout.minorVersion
        self.storeID = storeID
        self.generation = generation
        self.salt = salt
        optionalFeatures = 0
        requiredFeatures = 0
    }

    /// The 64 bytes of one copy.
    public func encoded() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(LogLayout.headerSize)
        bytes += Self.magic
        bytes.append(littleEndian: majorVersion)
        bytes.append(littleEndian: minorVersion)
        bytes.append(littleEndian: UInt32(LogLayout.headerSize))
        bytes += storeID.bytes
        bytes.append(littleEndian: generation)
        bytes.append(littleEndian: salt)
        bytes.append(littleEndian: optionalFeatures)
        bytes.append(littleEndian: requiredFeatures)
        bytes.append(littleEndian: UInt32(0))
        bytes.append(littleEndian: unsafe Checksum.crc32c(bytes.span.bytes))
        return bytes
    }

    /// The log's first bytes up to the first frame: both copies, zeros between them.
    public func encodedPreamble() -> [UInt8] {
        let copy = encoded()
        let gap = Int(LogLayout.secondHeaderOffset) - copy.count
        return copy + [UInt8](repeating: 0, count: gap) + copy
    }

    /// Reads one copy, which begins at `offset` of the bytes.
    public static func decode(_ bytes: RawSpan, at offset: Int = 0) throws(FormatError) -> LogHeader
    {
        let place = UInt64(clamping: offset)
        guard offset >= 0, bytes.byteCount - offset >= LogLayout.headerSize else {
            throw FormatError(.truncated, "the header is cut short", offset: place)
        }
        guard bytes.equals(offset..<offset + 8, magic) else {
            throw FormatError(.notALog, "this is not a GroupLog log", offset: place)
        }
        // The checksum stands at a place that all versions share, so it is looked at first: a
        // damaged version number must not be taken for a newer format.
        let crc = Checksum.crc32c(bytes.extracting(offset..<offset + 60))
        guard crc == bytes.integer(at: offset + 60) else {
            throw FormatError(.badChecksum, "the header's checksum does not fit", offset: place)
        }
        var header = LogHeader(
            storeID: StoreID(bytes: bytes.copy(offset + 16..<offset + 32)),
            generation: bytes.integer(at: offset + 32), salt: bytes.integer(at: offset + 40))
        header.majorVersion = bytes.integer(at: offset + 8)
        header.minorVersion = bytes.integer(at: offset + 10)
        header.optionalFeatures = bytes.integer(at: offset + 48)
        header.requiredFeatures = bytes.integer(at: offset + 52)
        try header.checkReadable(at: place)
        return header
    }

    private func checkReadable(at offset: UInt64) throws(FormatError) {
        guard majorVersion == LogLayout.majorVersion else {
            throw FormatError(
                .unsupportedVersion,
                "the log has format version \(majorVersion).\(minorVersion), this program reads "
                    + "version \(LogLayout.majorVersion)", offset: offset)
        }
        guard generation >= 1, generation <= LogLayout.maximumSequence else {
            throw FormatError(
                .malformed, "the header has the generation \(generation)", offset: offset)
        }
        guard requiredFeatures == 0 else {
            throw FormatError(
                .unsupportedVersion,
                "the log needs features (\(String(requiredFeatures, radix: 2))) that this program "
                    + "does not know", offset: offset)
        }
    }
}

extension LogHeader {
    /// Whether this program may append: it knows all that the log's writers know.
    ///
    /// Reading may ignore what it does not know. Writing must not: a later writer could rely on
    /// something that this one would leave out.
    package func checkWritable() throws(FormatError) {
        guard minorVersion <= LogLayout.minorVersion, optionalFeatures == 0 else {
            throw FormatError(
                .unsupportedVersion,
                "the log was written by a newer program (version \(majorVersion).\(minorVersion), "
                    + "features \(String(optionalFeatures, radix: 2))) and can only be read by this one",
                offset: 0)
        }
    }
}

/// What both copies of a log's header say.
public struct HeaderCopies: Sendable {
    /// The header by which the log is read.
    public var header: LogHeader
    /// What is wrong with the first copy, where only the second could be read.
    public var firstFault: FormatError?
    /// What is wrong with the second copy, where only the first could be read.
    public var secondFault: FormatError?

    /// Reads both copies from the log's first 4,160 bytes (or as many as there are), and the
    /// copy of the lock file where there is one.
    ///
    /// One good copy is enough. A newer version in a good copy is an error, whatever the other
    /// copy says.
    public static func decode(
        _ bytes: RawSpan, lockCopy: LogHeader? = nil
    ) throws(FormatError) -> HeaderCopies {
        var found: LogHeader?
        var faults: [FormatError?] = [nil, nil]
        for (index, offset) in [0, Int(LogLayout.secondHeaderOffset)].enumerated() {
            do throws(FormatError) {
                let header = try LogHeader.decode(bytes, at: offset)
                if let first = found, first != header {
                    faults[1] = FormatError(
                        .malformed, "the second header differs from the first",
                        offset: LogLayout.secondHeaderOffset)
                } else {
                    found = header
                }
            } catch {
                if error.kind == .unsupportedVersion { throw error }
                faults[index] = error
            }
        }
        guard let header = found ?? lockCopy else {
            throw faults[0] ?? FormatError(.notALog, "no copy of the header can be read", offset: 0)
        }
        return HeaderCopies(header: header, firstFault: faults[0], secondFault: faults[1])
    }
}

/// The 16 random bytes that name a store through all its generations.
public struct StoreID: Hashable, Sendable, CustomStringConvertible {
    /// The bytes, 16 of them.
    public let bytes: [UInt8]

    /// Makes an id of exactly 16 bytes.
    public init(bytes: [UInt8]) {
        precondition(bytes.count == 16, "a store id has 16 bytes")
        self.bytes = bytes
    }

    /// The id as a UUID is written, in small letters.
    public var description: String { RecordKey.uuidText(bytes) }
}
