/// What a record is (FORMAT.md, "Record kinds"). A reader skips kinds that it does not know.
public struct RecordKind: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The number that stands in the log.
    public let rawValue: UInt8
    /// Makes a kind of its number.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A key's new value.
    public static let put = RecordKind(rawValue: 1)
    /// A key is gone.
    public static let delete = RecordKind(rawValue: 2)
    /// How far the upload of a key's value has come.
    public static let syncState = RecordKind(rawValue: 3)
    /// How far a named consumer of the history has come.
    public static let cursor = RecordKind(rawValue: 4)
    /// Facts about the log itself.
    public static let metadata = RecordKind(rawValue: 5)

    /// The kind's name as FORMAT.md has it, or its number.
    public var description: String {
        switch self {
        case .put: "put"
        case .delete: "delete"
        case .syncState: "sync state"
        case .cursor: "cursor"
        case .metadata: "metadata"
        default: "kind \(rawValue)"
        }
    }
}

/// What a record says of itself beside its kind (FORMAT.md, "Record flags").
public struct RecordFlags: OptionSet, Hashable, Sendable {
    /// The bits, as they stand in the record.
    public let rawValue: UInt8
    /// Makes flags from their bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The value is a map whose top keys are indexes into the frame's name table.
    public static let indexed = RecordFlags(rawValue: 1)
}

/// The fixed part of a record, and where its other parts lie (FORMAT.md, "Record").
public struct RecordHeader: Hashable, Sendable {
    /// What the record is.
    public var kind: RecordKind
    /// What it says of itself.
    public var flags: RecordFlags
    /// The index of the collection's name, if the record belongs to a collection.
    public var collection: UInt16?
    /// The type of the key, as it stands in the log.
    public var keyKind: UInt8
    /// How far behind the start of its frame the record begins: whoever holds a record's offset
    /// finds the frame, and with it the names, by this.
    public var frameDistance: UInt32
    /// Where the provenance lies, counted from where the bytes were counted.
    public var provenance: Range<Int>
    /// Where the key lies.
    public var key: Range<Int>
    /// Where the value lies.
    public var value: Range<Int>
    /// CRC-32C of all other bytes of the record, seeded with its place.
    public var checksum: UInt32

    /// Where the record begins and ends.
    public var range: Range<Int> {
        provenance.lowerBound - LogLayout.recordHeaderSize..<value.upperBound
    }

    /// Reads the header of the record at `range.lowerBound`, which must end before
    /// `range.upperBound`. The checksum is not looked at.
    package static func decode(_ bytes: RawSpan, in range: Range<Int>) -> RecordHeader? {
        let start = range.lowerBound
        guard range.count >= LogLayout.recordHeaderSize else { return nil }
        let provenance = start + LogLayout.recordHeaderSize
        let key = provenance + Int(bytes.integer(at: start + 5, as: UInt8.self))
        let keyLength = Int(bytes.integer(at: start + 6, as: UInt16.self))
        let value = key + keyLength
        let valueLength = Int(bytes.integer(at: start + 12, as: UInt32.self))
        guard keyLength >= 1, keyLength <= LogLayout.maximumKeyLength,
            value <= range.upperBound, valueLength <= range.upperBound - value,
            value - start + valueLength <= LogLayout.maximumRecordLength
        else { return nil }
        let collection: UInt16 = bytes.integer(at: start + 2)
        return RecordHeader(
            kind: RecordKind(rawValue: bytes.integer(at: start)),
            flags: RecordFlags(rawValue: bytes.integer(at: start + 1)),
            collection: collection == LogLayout.noName ? nil : collection,
            keyKind: bytes.integer(at: start + 4),
            frameDistance: bytes.integer(at: start + 8), provenance: provenance..<key,
            key: key..<value,
            value: value..<value + valueLength, checksum: bytes.integer(at: start + 16))
    }

    /// Reads and verifies the record at an offset of the bytes, which is `logOffset` of the log.
    ///
    /// Reading a record by its offset alone needs no other part of the log.
    package static func verified(
        _ bytes: RawSpan, in range: Range<Int>, logOffset: UInt64, salt: UInt64
    ) throws(FormatError) -> RecordHeader {
        guard let header = decode(bytes, in: range) else {
            throw FormatError(.malformed, "no record begins here", offset: logOffset)
        }
        guard
            header.checksum
                == checksum(bytes, of: header.range, logOffset: logOffset, salt: salt)
        else {
            throw FormatError(
                .badChecksum, "the record's checksum does not fit", offset: logOffset)
        }
        return header
    }

    /// The length of the record whose first 20 bytes these are, unverified; nil where a record
    /// cannot be that long.
    package static func length(_ bytes: RawSpan, at offset: Int) -> Int? {
        guard offset >= 0, bytes.byteCount - offset >= LogLayout.recordHeaderSize else {
            return nil
        }
        let length =
            LogLayout.recordHeaderSize
            + Int(bytes.integer(at: offset + 5, as: UInt8.self))
            + Int(bytes.integer(at: offset + 6, as: UInt16.self))
            + Int(bytes.integer(at: offset + 12, as: UInt32.self))
        return length <= LogLayout.maximumRecordLength ? length : nil
    }

    package static func checksum(
        _ bytes: RawSpan, of range: Range<Int>, logOffset: UInt64, salt: UInt64
    ) -> UInt32 {
        let start = range.lowerBound
        let front = Checksum.crc32c(
            bytes.extracting(start..<start + 16),
            continuing: Checksum.seed(salt: salt, offset: logOffset))
        return Checksum.crc32c(
            bytes.extracting(start + LogLayout.recordHeaderSize..<range.upperBound),
            continuing: front)
    }

    /// Whether the key has the bytes that its type asks for. Nothing is asked of a key whose type
    /// this program does not know.
    package func keyFitsItsType(_ bytes: RawSpan) -> Bool {
        switch RecordKey.Kind(rawValue: keyKind) {
        case .uuid: key.count == 16
        case .integer: key.count == 8
        case .text: bytes.text(key) != nil
        case .bytes, nil: true
        }
    }

    /// The key, or nil where its type is unknown or its bytes do not fit it.
    public func recordKey(_ bytes: RawSpan) -> RecordKey? {
        RecordKey.Kind(rawValue: keyKind).flatMap { RecordKey(kind: $0, bytes: bytes.copy(key)) }
    }
}

extension RecordHeader {
    /// Where the key of the record at the start of the bytes lies; nil where they do not hold it
    /// whole. Nothing is verified.
    package static func key(in bytes: RawSpan) -> (kind: UInt8, range: Range<Int>)? {
        guard bytes.byteCount >= LogLayout.recordHeaderSize else { return nil }
        let start = LogLayout.recordHeaderSize + Int(bytes.integer(at: 5, as: UInt8.self))
        let end = start + Int(bytes.integer(at: 6, as: UInt16.self))
        guard end <= bytes.byteCount else { return nil }
        return (bytes.integer(at: 4), start..<end)
    }
}
