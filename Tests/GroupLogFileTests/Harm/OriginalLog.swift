import GroupLogFormat
import GroupLogSystem
import Testing

@testable import GroupLogFile

/// A log before it came to harm: what stands where, and what each record says.
struct OriginalLog {
    struct Frame {
        var range: Range<Int>
        /// Header and head, spare and trailer; nil in a frame that is not independent, of which a
        /// reader has all or nothing.
        var ends: (front: Range<Int>, back: Range<Int>)?
        var records: Range<Int>

        /// What says that a frame is here: its header and its trailer.
        var header: Range<Int> { range.lowerBound..<range.lowerBound + LogLayout.frameHeaderSize }
        var trailer: Range<Int> { range.upperBound - LogLayout.frameTrailerSize..<range.upperBound }
    }

    struct Record {
        var range: Range<Int>
        var frame: Int
        /// Which of the log's keys it is of, and how many records of that key stand before it.
        var key: Int
        var version: Int
        var content: StoredRecord
    }

    /// What the newest record of decides.
    private struct Key: Hashable {
        var isSyncState: Bool
        var isInCollection: Bool
        var collection: String?
        var key: RecordKey
    }

    /// The whole file, slack included, and the lock file beside it.
    let bytes: [UInt8]
    let lockFile: [UInt8]
    let salt: UInt64
    private(set) var frames: [Frame] = []
    private(set) var records: [Record] = []
    /// The records of each key, in the order in which they stand.
    private(set) var versions: [[Int]] = []
    private(set) var recordAt: [UInt64: Int] = [:]

    init(_ volume: MemoryVolume) throws {
        let size = try volume.status(of: .log).size
        let bytes = try volume.open(.log, .read, .never).read(0..<size)
        self.bytes = bytes
        lockFile = try volume.open(.lock, .read, .never).read(0..<UInt64(LogLayout.lockPageSize))
        let salt = try unsafe HeaderCopies.decode(bytes.span.bytes).header.salt
        self.salt = salt
        let source = LogBytesInMemory(bytes)
        var walker = LogWalker(source, salt: salt)
        var keys: [Key: Int] = [:]
        var contexts = FrameContexts()
        while case .frame(let content) = try walker.next() {
            let isWhole = content.damage.isEmpty
            try #require(isWhole)
            let start = Int(content.offset)
            let first = records.count
            for header in content.records {
                let offset = content.offset + UInt64(header.range.lowerBound)
                let record = try source.storedRecord(at: offset, salt: salt, contexts: &contexts)
                let isInCollection = [.put, .delete, .syncState].contains(record.kind)
                let key = Key(
                    isSyncState: record.kind == .syncState, isInCollection: isInCollection,
                    collection: record.collection, key: record.key)
                let number = keys[key] ?? versions.count
                if keys.updateValue(number, forKey: key) == nil { versions.append([]) }
                recordAt[offset] = records.count
                records.append(
                    Record(
                        range: start + header.range.lowerBound..<start + header.range.upperBound,
                        frame: frames.count, key: number, version: versions[number].count,
                        content: record))
                versions[number].append(records.count - 1)
            }
            frames.append(
                Frame(
                    range: start..<Int(content.end), ends: try ends(of: content),
                    records: first..<records.count))
        }
        let end = try source.endOfContent(floor: 0)
        try #require(end == walker.position)
    }

    private func ends(
        of content: FrameContent
    ) throws -> (front: Range<Int>, back: Range<Int>)? {
        guard content.header.flags.contains(.independent) else { return nil }
        let start = Int(content.offset)
        let spare = try #require(
            unsafe Spare.decode(
                bytes.span.bytes, at: start, length: Int(content.header.length),
                frameOffset: content.offset, salt: salt))
        let front = LogLayout.frameHeaderSize + content.head.size
        return (start..<start + front, start + spare.start..<Int(content.end))
    }

    /// Where the frames end.
    var end: Int { frames.last?.range.upperBound ?? Int(LogLayout.firstFrameOffset) }

    /// A store with this log, and with its lock file if that is wanted: its hint of the end spares
    /// the next writer a look at the slack.
    func volume(_ harm: Harm? = nil, hasLockFile: Bool = false) throws -> MemoryVolume {
        let volume = MemoryVolume()
        let log = try volume.open(.log, .readWrite, .ifMissing)
        try log.writeAll(bytes, at: 0)
        if let harm { try harm.apply(to: log) }
        if hasLockFile {
            try volume.open(.lock, .readWrite, .ifMissing).writeAll(lockFile, at: 0)
        }
        return volume
    }

    // MARK: What harm may cost

    /// The frames that harm has touched.
    func frames(hitBy harm: Harm) -> [Int] {
        harm.places.flatMap { place -> Range<Int> in
            // The frames stand one behind another and are in order.
            let first = firstFrame { $0.range.upperBound > place.lowerBound }
            let last = firstFrame { $0.range.lowerBound >= place.upperBound }
            return first..<max(first, last)
        }
    }

    private func firstFrame(where isBehind: (Frame) -> Bool) -> Int {
        var (low, high) = (0, frames.count)
        while low < high {
            let middle = (low + high) / 2
            if isBehind(frames[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// The records that may be missing after harm, by their numbers.
    ///
    /// Of a transaction that was touched: all. Of an independent frame: the records that were
    /// touched, and those behind them where the spare was touched too, which says where they begin.
    /// Whole frames where a damaged front stands before them, or is theirs, and a damaged back
    /// behind them, or is theirs: then nothing is left that leads to them. And of the frames at the
    /// end of the log all that were touched, if they cannot be told from a write that never ended.
    func mayBeLost(by harm: Harm) -> Set<Int> {
        let hit = Array(Set(frames(hitBy: harm))).sorted()
        var firstOfEnd = frames.count
        while hit.contains(firstOfEnd - 1) { firstOfEnd -= 1 }
        if !looksTorn(firstOfEnd..<frames.count, harm) { firstOfEnd = frames.count }
        var lost: Set<Int> = []
        for number in hit {
            let frame = frames[number]
            guard let ends = frame.ends, number < firstOfEnd, !isWalledIn(number, harm) else {
                lost.formUnion(frame.records)
                continue
            }
            let isBackHit = harm.hits(ends.back)
            var isLost = false
            for record in frame.records {
                isLost = harm.hits(records[record].range) || isLost && isBackHit
                if isLost { lost.insert(record) }
            }
        }
        return lost
    }

    /// Whether frames at the end, all of them touched, look like a write that never ended: the end
    /// marker is not there or something stands behind it, or it is that of a frame whose begin cannot
    /// be found, since it is not alone in that and has no spare that tells.
    private func looksTorn(_ numbers: Range<Int>, _ harm: Harm) -> Bool {
        guard let last = frames.last, !numbers.isEmpty else { return false }
        if harm.hits(last.trailer.lowerBound..<bytes.count) { return true }
        let hasSpare = last.ends.map { !harm.hits($0.back) } ?? false
        return harm.hits(last.header) && !hasSpare
            && numbers.count { harm.hits(frames[$0].header) } > 1
    }

    private func isWalledIn(_ number: Int, _ harm: Harm) -> Bool {
        func isBackHit(_ frame: Frame) -> Bool { harm.hits(frame.ends?.back ?? frame.range) }
        func isProven(_ number: Int) -> Bool {
            guard frames.indices.contains(number) else { return true }
            return !harm.hits(frames[number].header) && !harm.hits(frames[number].trailer)
        }
        if let ends = frames[number].ends, harm.hits(ends.front), harm.hits(ends.back) {
            return true
        }
        var first = number
        while !harm.hits(frames[first].header) {
            guard !isProven(first), !isProven(first - 1) else { return false }
            first -= 1
        }
        var last = number
        while !isBackHit(frames[last]) {
            guard !isProven(last), !isProven(last + 1) else { return false }
            last += 1
        }
        return true
    }
}
