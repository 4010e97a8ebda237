import GroupLogFormat
import GroupLogSystem
import TestSupport

@testable import GroupLogFile

/// What a reader finds in a log that came to harm, held against the log as it was.
///
/// The rule for versions: records count in the order in which they stand, so a lost record leaves its
/// key as the records before it left it. A lost update makes the version before it visible, a lost
/// delete the record, a lost first put nothing. Only that: a version shows if all that came behind it
/// of its key, puts and deletes alike, may have been lost to the harm.
struct HarmedLog {
    let original: OriginalLog
    let harm: Harm
    let reader: LogReader
    private let mayBeLost: Set<Int>
    private let hitFrames: Set<Int>

    init(_ original: OriginalLog, _ harm: Harm, in volume: any StoreVolume) throws {
        self.original = original
        self.harm = harm
        reader = try LogReader(volume, mapping: .never)
        mayBeLost = original.mayBeLost(by: harm)
        hitFrames = Set(original.frames(hitBy: harm))
    }

    /// The places at which something was not accepted. The zeros behind what is unfinished are part
    /// of that.
    var reported: [Range<Int>] {
        var ranges = reader.receipt.entries
            .map { Int($0.damage.range.lowerBound)..<Int($0.damage.range.upperBound) }
        if let unfinished = reader.receipt.unfinished {
            ranges.append(Int(unfinished.lowerBound)..<original.bytes.count)
        }
        return ranges
    }

    /// Where the zeros begin at the end. A log that ends with zeros from the end of a frame on is
    /// what a shorter log looks like: nothing is left that could be reported of more.
    private func endOfContent() throws -> Int {
        Int(try reader.image.endOfContent(floor: LogLayout.firstFrameOffset) + 7) / 8 * 8
    }

    /// The offsets of the newest records of all keys, deletes among them.
    static func newest(_ index: LogIndex) -> (values: [UInt64], deletes: [UInt64]) {
        var (values, deletes): ([UInt64], [UInt64]) = (Array(index.cursors.values), [])
        if let mark = index.mark { values.append(mark) }
        for collection in index.collections.values {
            values += collection.values.liveOffsets + collection.syncStates.liveOffsets
            deletes += collection.values.deletedOffsets
        }
        return (values, deletes)
    }

    /// All that is not as it has to be. `isThorough`: reads all records, and not only some of the
    /// frames that were hit.
    func faults(isThorough: Bool) throws -> [String] {
        var faults = try faultsOfRecords(isThorough: isThorough)
        faults += try faultsOfReport()
        let lost = original.records.count - reader.index.recordCount
        if lost > mayBeLost.count { faults.append("\(lost) records lost of \(mayBeLost.count)") }
        return faults.map { "\(harm): \($0)" }
    }

    private func faultsOfRecords(isThorough: Bool) throws -> [String] {
        var faults: [String] = []
        var visible = [Int](repeating: -1, count: original.versions.count)
        var contexts = FrameContexts()
        contexts.rescued = reader.index.rescuedFrames
        let (values, deletes) = Self.newest(reader.index)
        for (offsets, isDelete) in [(values, false), (deletes, true)] {
            for offset in offsets {
                guard let number = original.recordAt[offset] else {
                    faults.append("a record at \(offset), where none was")
                    continue
                }
                let record = original.records[number]
                visible[record.key] = record.version
                if (record.content.kind == .delete) != isDelete {
                    faults.append("a value and a delete mistaken at \(offset)")
                }
                guard isThorough || isToBeRead(number) else { continue }
                let found = try reader.image.storedRecord(
                    at: offset, salt: reader.header.salt, contexts: &contexts)
                if !found.isSame(as: record.content) { faults.append("\(found) at \(offset)") }
            }
        }
        let (end, reported) = (try endOfContent(), reported)
        for (key, versions) in original.versions.enumerated() {
            for number in versions[(visible[key] + 1)...] {
                let record = original.records[number]
                let frame = original.frames[record.frame].range
                if !mayBeLost.contains(number) {
                    faults.append("\(record.content.key) at \(record.range) is missing")
                } else if frame.lowerBound < end, !reported.contains(where: frame.overlaps) {
                    faults.append("the loss of \(record.range) is not reported")
                }
            }
        }
        return faults
    }

    /// What a record says depends on its bytes and on its frame's front: of a frame that was not hit
    /// both are as they were.
    private func isToBeRead(_ number: Int) -> Bool {
        let record = original.records[number]
        guard hitFrames.contains(record.frame) else { return false }
        let isNear = harm.hits(record.range.lowerBound - 64..<record.range.upperBound + 64)
        return isNear || number % 61 == harm.places[0].lowerBound % 61
    }

    private func faultsOfReport() throws -> [String] {
        var faults: [String] = []
        let end = try endOfContent()
        let reported = reported
        let touches = reported.contains { harm.hits($0) }
        let isInLog = harm.hits(Int(LogLayout.firstFrameOffset)..<end)
        let isInHeader = [0, Int(LogLayout.secondHeaderOffset)].contains {
            harm.hits($0..<$0 + LogLayout.headerSize)
        }
        if isInLog || isInHeader, !touches { faults.append("not reported: \(reported)") }
        let hit = hitFrames.map { original.frames[$0].range }
        for range in reported where !harm.hits(range) && !hit.contains(where: range.overlaps) {
            faults.append("\(range) is reported, and was not harmed")
        }
        return faults
    }
}

extension StoredRecord {
    fileprivate func isSame(as other: StoredRecord) -> Bool {
        offset == other.offset && kind == other.kind && collection == other.collection
            && key == other.key && sequence == other.sequence && creation == other.creation
            && time == other.time && author == other.author && names == other.names
            && isIndexed == other.isIndexed && value == other.value
    }
}
