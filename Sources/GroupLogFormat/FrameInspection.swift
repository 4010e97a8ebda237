/// A frame taken apart, also where it is damaged and its records are not served.
///
/// Nothing that comes out of it is data: a transaction whose payload is damaged did not happen.
/// It shows what was there.
package struct FrameInspection {
    /// A record, or what looks like one.
    package struct Record {
        /// Ranges count from the frame's first byte.
        package var header: RecordHeader
        /// Whether the record's own checksum fits.
        package var isIntact: Bool
    }

    package let offset: UInt64
    /// How many bytes were looked at.
    package let length: UInt64
    /// The frame's header as it stands, or as the spare repeats it.
    package private(set) var header: FrameHeader?
    /// The payload head, or the spare's copy of it; nil where neither verifies.
    package private(set) var head: PayloadHead?
    package private(set) var spare: Spare?
    /// Where the records begin, as far as that can be told.
    package private(set) var recordsStart: Int
    /// Where they end at the latest.
    package let recordsEnd: Int
    package private(set) var records: [Record] = []
    /// Bytes among the records that belong to none.
    package private(set) var unreadable: [Range<Int>] = []

    private let salt: UInt64
    /// How many bytes the search for records may still check, so that a frame that is made to look
    /// full of records cannot make it endless.
    private var budget: Int

    /// Takes apart the frame whose bytes these are, as far as they exist.
    package init(_ bytes: RawSpan, length: Int, offset: UInt64, salt: UInt64) {
        self.offset = offset
        self.length = UInt64(bytes.byteCount)
        self.salt = salt
        budget = 8 * bytes.byteCount
        header = FrameHeader.unverified(bytes, at: 0)
        spare = Spare.decode(bytes, at: 0, length: length, frameOffset: offset, salt: salt)
        head = Self.head(bytes, frameOffset: offset, salt: salt) ?? spare?.head
        header = header ?? spare?.header
        recordsStart =
            LogLayout.frameHeaderSize + (head?.size ?? LogLayout.payloadHeadBaseSize)
        // A frame that was cut has no trailer to leave out.
        let isCut = header.map { Int($0.length) > bytes.byteCount } ?? false
        let trailer = isCut ? 0 : LogLayout.frameTrailerSize
        let end = min(bytes.byteCount, max(0, length - trailer))
        recordsEnd = min(spare?.start ?? end, bytes.byteCount)
        findRecords(bytes)
    }

    /// Takes apart what stands in a range of a log that is not whole frames: writes that broke off,
    /// with zeros before and between them.
    package static func all(
        in range: Range<UInt64>, of log: some LogBytes, salt: UInt64
    ) throws -> [FrameInspection] {
        var frames: [FrameInspection] = []
        var start = range.lowerBound
        while start < range.upperBound {
            let length = Int(min(range.upperBound - start, UInt64(LogLayout.maximumFrameLength)))
            start += try log.withBytes(start..<start + UInt64(length)) { bytes in
                let zeros = bytes.leadingZeroWords
                if zeros > 0 { return UInt64(min(zeros, length)) }
                let claimed = FrameHeader.unverified(bytes, at: 0).map { Int($0.length) }
                let end = min(claimed ?? length, length)
                frames.append(
                    FrameInspection(
                        bytes.extracting(0..<end), length: end, offset: start, salt: salt))
                return UInt64(end)
            }
        }
        return frames
    }

    private static func head(
        _ bytes: RawSpan, frameOffset: UInt64, salt: UInt64
    ) -> PayloadHead? {
        let start = LogLayout.frameHeaderSize
        guard start < bytes.byteCount, let size = PayloadHead.size(bytes, at: start),
            size <= bytes.byteCount - start
        else { return nil }
        return PayloadHead.verified(
            bytes.extracting(start..<start + size), frameOffset: frameOffset, salt: salt)
    }

    private mutating func findRecords(_ bytes: RawSpan) {
        var start = recordsStart
        while start < recordsEnd {
            if let record = record(bytes, at: start) {
                records.append(record)
                start = record.header.range.upperBound
                continue
            }
            let next = nextRecord(bytes, after: start)
            let end = next ?? recordsEnd
            // Behind the last record there may be zeros up to a multiple of eight.
            if next != nil || !bytes.isZero(start..<end) { unreadable.append(start..<end) }
            start = end
        }
    }

    /// The record at an offset: one that verifies, or one that leads to what can follow it.
    private func record(_ bytes: RawSpan, at start: Int) -> Record? {
        guard let header = RecordHeader.decode(bytes, in: start..<recordsEnd) else { return nil }
        if isIntact(header, bytes) { return Record(header: header, isIntact: true) }
        let end = header.range.upperBound
        let isLast = recordsEnd - end < LogLayout.alignment && bytes.isZero(end..<recordsEnd)
        guard isLast || Self.claims(bytes, at: end, before: recordsEnd) else { return nil }
        return Record(header: header, isIntact: false)
    }

    private func isIntact(_ header: RecordHeader, _ bytes: RawSpan) -> Bool {
        let start = header.range.lowerBound
        return header.checksum
            == RecordHeader.checksum(
                bytes, of: header.range, logOffset: offset + UInt64(start), salt: salt)
    }

    /// Whether what stands at an offset says that it is a record there.
    private static func claims(_ bytes: RawSpan, at start: Int, before end: Int) -> Bool {
        end - start >= LogLayout.recordHeaderSize
            && bytes.integer(at: start + 8, as: UInt32.self) == UInt32(truncatingIfNeeded: start)
    }

    private mutating func nextRecord(_ bytes: RawSpan, after start: Int) -> Int? {
        var candidate = start + 1
        while candidate < recordsEnd, budget > 0 {
            if Self.claims(bytes, at: candidate, before: recordsEnd),
                let header = RecordHeader.decode(bytes, in: candidate..<recordsEnd)
            {
                budget -= header.range.count
                if isIntact(header, bytes) { return candidate }
            }
            candidate += 1
        }
        return nil
    }

    /// Where a range of the frame stands in the log.
    package func logRange(_ range: Range<Int>) -> Range<UInt64> {
        offset + UInt64(range.lowerBound)..<offset + UInt64(range.upperBound)
    }

    /// The collection of a record, where the payload head tells.
    package func collection(of record: Record) -> String? {
        guard let index = record.header.collection, let names = head?.names,
            Int(index) < names.count
        else { return nil }
        return names[Int(index)]
    }
}

extension RawSpan {
    /// The bytes of the words of eight at the front that are zero; a rest that is shorter than a
    /// word counts where it is zero.
    fileprivate var leadingZeroWords: Int {
        var offset = 0
        while offset + 8 <= byteCount, integer(at: offset, as: UInt64.self) == 0 { offset += 8 }
        if byteCount - offset < 8, isZero(offset..<byteCount) { return byteCount }
        return offset
    }
}
