import GroupLogFormat
import GroupLogSystem
import TestSupport
import Testing

@testable import GroupLogFile

/// A writer comes to a log that was harmed.
@Suite struct HarmedWriterTests {
    @Test(
        "all that was served of a harmed log is served behind the next append, and what recovery cuts is kept",
        arguments: HarmTests.Kind.allCases)
    func append(_ kind: HarmTests.Kind) throws {
        let original = try kind.original()
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let count = original.bytes.count
        for round in 0..<(isFull ? 10_000 : 12) {
            // The end is where recovery has its work.
            let last = original.frames.suffix(3).first?.range.lowerBound ?? 0
            let place = Int.random(in: (round % 2 == 0 ? 0 : last)..<count, using: &random)
            var harms = [Harm.flip(bit: place * 8 + round % 8, of: original.bytes)]
            for size in [512, 4096] where place / size < count / size {
                harms += Harm.blocks(place / size, size: size, of: original.bytes, &random)
            }
            guard let harm = harms.randomElement(using: &random) else { continue }
            for hasLockFile in isFull ? [true, false] : [round % 4 < 2] {
                let faults = try faults(of: harm, to: original, hasLockFile: hasLockFile)
                #expect(faults == [], "seed \(seed), \(harm), lock file: \(hasLockFile)")
            }
        }
    }

    private func faults(
        of harm: Harm, to original: OriginalLog, hasLockFile: Bool
    ) throws -> [String] {
        let volume = try original.volume(harm, hasLockFile: hasLockFile)
        let log = try volume.open(.log, .read, .never)
        let before = try log.read(0..<log.status().size)
        let served = try LogReader(volume, mapping: .never)
        let (_, commit) = try volume.writer().withLock { try $0.append([frame("new")]) }
        let new = try #require(commit?.frames.first)
        let after = try log.read(0..<log.status().size)
        let reader = try LogReader(volume, mapping: .never)

        var faults: [String] = []
        if Self.newest(reader) != Self.newest(served).union([Self.record(of: new)]) {
            faults.append("\(Self.newest(reader).symmetricDifference(Self.newest(served)))")
        }
        if try reader.text(at: Self.record(of: new)) != "new" { faults.append("no new record") }
        if new.sequence <= served.sequence { faults.append("sequence \(new.sequence)") }
        if after.count < before.count { faults.append("the log is shorter") }
        for frame in original.frames where !harm.hits(frame.header) && !harm.hits(frame.trailer) {
            if before[frame.range] != after[frame.range] { faults.append("\(frame.range) changed") }
        }
        // What stands in the slack is overwritten if the lock page spares the writer to look there.
        let kept = try rangesInQuarantine(of: volume, before)
        let floor = hasLockFile ? min(Int(new.offset), before.count) : before.count
        for start in stride(from: 0, to: floor, by: 512) {
            let block = start..<min(start + 512, floor)
            guard before[block] != after[block] else { continue }
            for index in block where before[index] != 0 && after[index] != before[index] {
                let isKept = kept.contains { $0.contains(index) }
                if !isKept { faults.append("byte \(index) is gone") }
            }
        }
        return faults
    }

    /// What recovery has kept; each must have the bytes that stood there.
    private func rangesInQuarantine(
        of volume: MemoryVolume, _ before: [UInt8]
    ) throws -> [Range<Int>] {
        try Quarantine(volume).entries().map { entry in
            let image = try Quarantine(volume).log(of: entry).image
            let range = Int(entry.offset)..<Int(entry.offset + entry.length)
            let bytes = try image.withBytes(entry.offset..<image.size) { $0.copy(0..<$0.byteCount) }
            let zeros = [UInt8](repeating: 0, count: range.count - bytes.count)
            #expect(bytes + zeros == Array(before[range]))
            return range
        }
    }

    private static func newest(_ reader: LogReader) -> Set<UInt64> {
        let (values, deletes) = HarmedLog.newest(reader.index)
        return Set(values + deletes)
    }

    /// Where the only record of a frame of `frame(_:)` stands: behind the names "items" and "test".
    private static func record(of frame: (offset: UInt64, sequence: UInt64)) -> UInt64 {
        frame.offset + UInt64(LogLayout.frameHeaderSize + LogLayout.payloadHeadBaseSize) + 6 + 5
    }
}

extension LogReader {
    fileprivate func text(at offset: UInt64) throws -> String {
        var contexts = FrameContexts()
        let record = try image.storedRecord(at: offset, salt: header.salt, contexts: &contexts)
        return String(decoding: record.value, as: UTF8.self)
    }
}
