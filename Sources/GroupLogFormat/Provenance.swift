/// Where a record comes from, where that is not what its frame says (FORMAT.md, "Provenance").
///
/// A compacted record carries all of it. A put that replaces an older value, or a delete of one,
/// carries the sequence of the record's creation, so that an edit does not move it in a list, and
/// how far back that older value stands, so that a reader of the history finds it at once.
public struct Provenance: Hashable, Sendable {
    /// The sequence of the commit that wrote the record first.
    public var sequence: UInt64
    /// That commit's time, in microseconds since 1970.
    public var time: Int64
    /// The index of the name of that commit's author.
    public var author: UInt16?
    /// The sequence of the commit since which the key has had a value without a break.
    public var creation: UInt64
    /// How many bytes before this record its key's newest record until then begins; 0 where none is
    /// named. A hint: what stands there counts only if it verifies and has the same key.
    public var predecessorDistance: UInt64 = 0

    /// Where a record comes from; nil where what it says of that is malformed. A record without
    /// provenance is new in its frame, and its author is the frame's.
    package static func of(
        _ record: RecordHeader, _ bytes: RawSpan, frame: FrameHeader
    ) -> Provenance? {
        guard record.provenance.isEmpty else {
            return decode(bytes, in: record.provenance, frame: frame)
        }
        return Provenance(
            sequence: frame.sequence, time: frame.time, author: nil, creation: frame.sequence)
    }

    /// The bytes, relative to the frame: four or five unsigned LEB128 numbers.
    func encoded(frameSequence: UInt64, frameTime: Int64) -> [UInt8] {
        var bytes: [UInt8] = []
        let age = time &- frameTime
        Self.append(frameSequence &- sequence, to: &bytes)
        Self.append(UInt64(bitPattern: (age << 1) ^ (age >> 63)), to: &bytes)
        Self.append(author.map { UInt64($0) + 1 } ?? 0, to: &bytes)
        Self.append(sequence &- creation, to: &bytes)
        if predecessorDistance > 0 { Self.append(predecessorDistance, to: &bytes) }
        return bytes
    }

    static func decode(_ bytes: RawSpan, in range: Range<Int>, frame: FrameHeader) -> Provenance? {
        var offset = range.lowerBound
        guard let sequence = number(bytes, at: &offset, end: range.upperBound),
            let age = number(bytes, at: &offset, end: range.upperBound),
            let author = number(bytes, at: &offset, end: range.upperBound),
            let creation = number(bytes, at: &offset, end: range.upperBound),
            let distance = offset == range.upperBound
                ? 0 : number(bytes, at: &offset, end: range.upperBound),
            offset == range.upperBound, sequence <= frame.sequence,
            creation <= frame.sequence - sequence, author <= UInt64(LogLayout.maximumNameCount)
        else { return nil }
        let own = frame.sequence - sequence
        return Provenance(
            sequence: own,
            time: frame.time &+ (Int64(bitPattern: age >> 1) ^ -Int64(bitPattern: age & 1)),
            author: author == 0 ? nil : UInt16(author - 1), creation: own - creation,
            predecessorDistance: distance)
    }

    private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    private static func number(_ bytes: RawSpan, at offset: inout Int, end: Int) -> UInt64? {
        var result: UInt64 = 0
        var shift: UInt64 = 0
        while offset < end, shift < 64 {
            let byte: UInt8 = bytes.integer(at: offset)
            offset += 1
            let part = UInt64(byte & 0x7F)
            guard shift < 63 || part <= 1 else { return nil }
            result |= part << shift
            if byte & 0x80 == 0 { return result }
            shift += 7
        }
        return nil
    }
}
