/// The value of the record `mark`: what a compacted log remembers of the log that it was copied
/// from (FORMAT.md, "Mark").
public struct MarkContent: Sendable {
    /// The most commits whose checksums a mark has.
    public static let maximumCommits = 4096

    /// Where a cursor stood when the log was compacted.
    public struct Cursor: Sendable {
        /// The cursor's name.
        public var name: String
        /// The last commit that its consumer was done with.
        public var sequence: UInt64
        /// That commit's checksum.
        public var checksum: UInt32

        /// Makes the place of a cursor.
        public init(name: String, sequence: UInt64, checksum: UInt32) {
            self.name = name
            self.sequence = sequence
            self.checksum = checksum
        }
    }

    /// The last sequence that was ever given out.
    public var lastSequence: UInt64
    /// Everything that commits after this one changed can still be told from the log.
    public var completeSince: UInt64
    /// The sequence to which the first of `checksums` belongs.
    public var firstCommit: UInt64
    /// The checksums of the last commits, one a sequence; 0 where one is not known.
    public var checksums: [UInt32]
    /// Where the cursors stood.
    public var cursors: [Cursor]

    /// Makes a mark. At most `maximumCommits` checksums, none of a sequence after the last.
    public init(
        lastSequence: UInt64, completeSince: UInt64, firstCommit: UInt64, checksums: [UInt32],
        cursors: [Cursor]
    ) {
        precondition(
            Self.isPossible(checksums.count, from: firstCommit, upTo: lastSequence),
            "a mark's checksums are of at most 4,096 commits up to the last")
        self.lastSequence = lastSequence
        self.completeSince = completeSince
        self.firstCommit = firstCommit
        self.checksums = checksums
        self.cursors = cursors
    }

    private static func isPossible(_ count: Int, from first: UInt64, upTo last: UInt64) -> Bool {
        guard count > 0 else { return true }
        return count <= maximumCommits && first >= 1 && first <= last
            && UInt64(count) - 1 <= last - first
    }

    /// The checksum of a commit, as its frame's header had it when it was first written; nil where
    /// the mark does not know it.
    public func checksum(ofCommit sequence: UInt64) -> UInt32? {
        guard sequence >= firstCommit, sequence - firstCommit < UInt64(checksums.count) else {
            return nil
        }
        let checksum = checksums[Int(sequence - firstCommit)]
        return checksum == 0 ? nil : checksum
    }

    /// The value's bytes.
    public func encoded() -> [UInt8] {
        var writer = CBORWriter()
        writer.mapHead(5)
        writer.unsigned(0)
        writer.unsigned(lastSequence)
        writer.unsigned(1)
        writer.unsigned(completeSince)
        writer.unsigned(2)
        writer.unsigned(firstCommit)
        writer.unsigned(3)
        var words: [UInt8] = []
        words.reserveCapacity(4 * checksums.count)
        for checksum in checksums { words.append(littleEndian: checksum) }
        writer.byteString(words)
        writer.unsigned(4)
        writer.mapHead(cursors.count)
        for cursor in cursors {
            writer.text(cursor.name)
            writer.arrayHead(2)
            writer.unsigned(cursor.sequence)
            writer.unsigned(UInt64(cursor.checksum))
        }
        return writer.bytes
    }

    /// Reads a value.
    public static func decode(_ bytes: RawSpan) throws(FormatError) -> MarkContent {
        let map = try ContentMap(bytes, of: "mark")
        let last: UInt64 = try map.unsigned(0)
        let first: UInt64 = try map.unsigned(2)
        let words = try map.bytes(3)
        guard words.count.isMultiple(of: 4), isPossible(words.count / 4, from: first, upTo: last)
        else { throw map.fault(3) }
        let checksums = stride(from: 0, to: words.count, by: 4).map {
            unsafe words.span.bytes.integer(at: $0, as: UInt32.self)
        }
        var cursors: [Cursor] = []
        for pair in try map.map(4) {
            guard case .text(let name) = pair.key, case .array(let items) = pair.value,
                items.count == 2, case .unsigned(let sequence) = items[0],
                case .unsigned(let word) = items[1], let checksum = UInt32(exactly: word)
            else { throw map.fault(4) }
            cursors.append(Cursor(name: name, sequence: sequence, checksum: checksum))
        }
        return MarkContent(
            lastSequence: last, completeSince: try map.unsigned(1), firstCommit: first,
            checksums: checksums, cursors: cursors)
    }
}

extension MarkContent: Equatable {
    /// Whether two marks are written as the same bytes.
    public static func == (a: Self, b: Self) -> Bool { a.encoded() == b.encoded() }
}
