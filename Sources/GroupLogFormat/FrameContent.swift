/// A frame whose records can be served: decoded, with whatever is wrong with it.
public struct FrameContent: Sendable {
    /// Where the frame begins in the log.
    public var offset: UInt64
    /// The frame's header.
    public var header: FrameHeader
    /// Its name table and author.
    public var head: PayloadHead
    /// The records that are good (FORMAT.md, "Validity"), in the order in which they stand. Ranges
    /// count from the frame's first byte.
    public var records: [RecordHeader]
    /// What is wrong with the frame.
    public var damage: [Damage]

    package init(
        offset: UInt64, header: FrameHeader, head: PayloadHead, records: [RecordHeader],
        damage: [Damage]
    ) {
        self.offset = offset
        self.header = header
        self.head = head
        self.records = records
        self.damage = damage
    }

    /// Behind the frame's last byte.
    public var end: UInt64 { offset + UInt64(header.length) }

    /// Reads the frame whose bytes these are; its header has been verified.
    ///
    /// With a good payload checksum no record's own checksum is looked at. Otherwise an independent
    /// frame is read record by record, and of any other frame nothing is: it is all or nothing.
    package static func decode(
        _ bytes: RawSpan, header: FrameHeader, offset: UInt64, salt: UInt64
    ) throws(FormatError) -> FrameContent {
        var names = KnownNames()
        return try decode(bytes, header: header, offset: offset, salt: salt, knowing: &names)
    }

    /// The same, knowing name tables that were read before.
    static func decode(
        _ bytes: RawSpan, header: FrameHeader, offset: UInt64, salt: UInt64,
        knowing names: inout KnownNames
    ) throws(FormatError) -> FrameContent {
        let payload = header.payload
        let checksum = Checksum.crc32c(
            bytes.extracting(payload), continuing: Checksum.seed(salt: salt, offset: offset))
        guard checksum == header.payloadChecksum else {
            guard header.flags.contains(.independent) else {
                throw FormatError(
                    .badChecksum, "the frame's payload checksum does not fit", offset: offset)
            }
            return try rescue(bytes, header: header, offset: offset, salt: salt)
        }
        let head = try PayloadHead.decode(
            bytes, in: payload, frameOffset: offset, salt: salt, knowing: &names)
        var content = FrameContent(
            offset: offset, header: header, head: head, records: [], damage: [])
        content.records.reserveCapacity(min(head.recordCount, payload.count / 17))
        var start = payload.lowerBound + head.size
        for _ in 0..<head.recordCount {
            guard let record = RecordHeader.decode(bytes, in: start..<payload.upperBound) else {
                throw FormatError(
                    .malformed, "no record of the frame begins here", offset: offset + UInt64(start)
                )
            }
            content.take(record, bytes, in: record.range)
            start = record.range.upperBound
        }
        return content
    }

    /// Serves what verifies of a damaged independent frame, by whichever of its two heads and
    /// ways to find a record is whole.
    private static func rescue(
        _ bytes: RawSpan, header: FrameHeader, offset: UInt64, salt: UInt64
    ) throws(FormatError) -> FrameContent {
        if let content = rescue(
            bytes, length: Int(header.length), offset: offset, salt: salt, header: header)
        {
            return content
        }
        // The spare is damaged; so the damage is not in the head or a record, if it is one place.
        let head = try PayloadHead.decode(
            bytes, in: header.payload, frameOffset: offset, salt: salt)
        var starts: [Int] = []
        var start = header.payload.lowerBound + head.size
        for _ in 0..<head.recordCount {
            guard let record = RecordHeader.decode(bytes, in: start..<header.payload.upperBound)
            else { break }
            starts.append(start)
            start = record.range.upperBound
        }
        var content = FrameContent(
            offset: offset, header: header, head: head, records: [], damage: [])
        content.takeVerified(bytes, starts: starts, end: start, salt: salt)
        if starts.count < head.recordCount || content.damage.isEmpty {
            content.damage.append(
                Damage(
                    range: offset + UInt64(start)..<content.end, cause: .badPayload,
                    lostRecords: head.recordCount - starts.count))
        }
        return content
    }

    /// Serves an independent frame by its spare, also without its header.
    package static func rescue(
        _ bytes: RawSpan, length: Int, offset: UInt64, salt: UInt64, header: FrameHeader? = nil
    ) -> FrameContent? {
        guard
            let spare = Spare.decode(
                bytes, at: 0, length: length, frameOffset: offset, salt: salt),
            Int(spare.header.length) == length, spare.header.flags.contains(.independent)
        else { return nil }
        var content = FrameContent(
            offset: offset, header: header ?? spare.header, head: spare.head, records: [],
            damage: [])
        content.takeVerified(bytes, starts: spare.directory, end: spare.start, salt: salt)
        if header == nil {
            content.damage.append(
                Damage(range: offset..<content.end, cause: .badHeader, lostRecords: 0))
        } else if content.damage.isEmpty {
            content.damage.append(
                Damage(range: offset..<content.end, cause: .badPayload, lostRecords: 0))
        }
        return content
    }

    private mutating func takeVerified(_ bytes: RawSpan, starts: [Int], end: Int, salt: UInt64) {
        for (index, start) in starts.enumerated() {
            let limit = index + 1 < starts.count ? starts[index + 1] : end
            do throws(FormatError) {
                let record = try RecordHeader.verified(
                    bytes, in: start..<limit, logOffset: offset + UInt64(start), salt: salt)
                take(record, bytes, in: start..<limit)
            } catch {
                damage.append(damaged(bytes, in: start..<limit))
            }
        }
    }

    /// Takes up a record whose bytes are as they were written, which does not make it one that the
    /// format allows.
    private mutating func take(_ record: RecordHeader, _ bytes: RawSpan, in part: Range<Int>) {
        if fault(of: record, bytes) == nil {
            records.append(record)
        } else {
            damage.append(damaged(bytes, in: part))
        }
    }

    /// Why a record is not good although its checksum fits; nil where it is good (FORMAT.md,
    /// "Validity").
    package func fault(of record: RecordHeader, _ bytes: RawSpan) -> String? {
        let start = record.range.lowerBound
        if Int(record.frameDistance) != start {
            return "its frame distance is \(record.frameDistance), and \(start) bytes lie between"
        }
        if !record.keyFitsItsType(bytes) { return "its key does not fit its type" }
        return provenance(bytes, of: record) == nil ? "its provenance cannot be read" : nil
    }

    /// What can be said of a record that is not good. Its key is named as it can be read: that
    /// is a hint for people, and never used as data.
    private func damaged(_ bytes: RawSpan, in part: Range<Int>) -> Damage {
        let range = offset + UInt64(part.lowerBound)..<offset + UInt64(part.upperBound)
        var damage = Damage(range: range, cause: .badRecord)
        if let header = RecordHeader.decode(bytes, in: part) {
            damage.key = header.recordKey(bytes)
            damage.collection = header.collection.flatMap { name($0) }
        }
        return damage
    }

    /// A name of the frame's table.
    public func name(_ index: UInt16) -> String? {
        Int(index) < head.names.count ? head.names[Int(index)] : nil
    }

    /// The name of a record's collection.
    public func collection(of record: RecordHeader) -> String? {
        record.collection.flatMap { name($0) }
    }

    /// Where a record comes from; nil where what it says of that is malformed.
    public func provenance(_ bytes: RawSpan, of record: RecordHeader) -> Provenance? {
        Provenance.of(record, bytes, frame: header)
    }

    /// Who wrote a record.
    public func author(_ bytes: RawSpan, of record: RecordHeader) -> String? {
        if record.provenance.isEmpty { return head.author }
        return provenance(bytes, of: record)?.author.flatMap { name($0) }
    }
}

/// A byte range of a log that was not accepted, and why (FORMAT.md, "Damage").
public struct Damage: Hashable, Sendable {
    /// The causes of damage.
    public enum Cause: String, Hashable, Sendable {
        /// The log header's copy at this place cannot be read; the other one was used.
        case badLogHeader = "bad log header"
        /// No frame begins where one should; the next one was searched.
        case badHeader = "bad frame header"
        /// The frame's end does not repeat its beginning.
        case badTrailer = "bad frame trailer"
        /// The payload does not fit its checksum.
        case badPayload = "bad payload"
        /// The record does not fit its checksum, or says what the format does not allow.
        case badRecord = "bad record"
        /// Zeros where a frame should be.
        case hole = "hole"
        /// Commits are missing between two frames that stand side by side.
        case sequenceGap = "gap in the sequence"
        /// A record of a kind that this program does not know; it was skipped.
        case unknownKind = "unknown kind"
    }

    /// The bytes.
    public var range: Range<UInt64>
    /// What is wrong with them.
    public var cause: Cause
    /// How many records are known to be lost; nil where that cannot be known.
    public var lostRecords: Int?
    /// The key of the record that was hit, as far as it can be read: an older value may show.
    public var key: RecordKey?
    /// The collection of that record.
    public var collection: String?

    package init(range: Range<UInt64>, cause: Cause, lostRecords: Int? = nil) {
        self.range = range
        self.cause = cause
        self.lostRecords = lostRecords
    }
}
