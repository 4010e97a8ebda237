import GroupLogFormat
import GroupLogSystem
import TestSupport
import Testing

@testable import GroupLogFile

/// Compactions on a disk that fails, and that loses its power.
@Suite struct CompactionFaultTests {
    /// What every reader must find, whatever became of the compaction.
    private static let texts = ["1", "3", "long " + String(repeating: "l", count: 70_000), "4"]

    /// A store with records that are live, dead and deleted.
    private func sample() throws -> FaultyVolume {
        let volume = FaultyVolume()
        let writer = volume.writer()
        try writer.appendDurably([frame("0", key: "a")])
        try writer.appendDurably([frame("1", key: "b"), frame("2", key: "c")])
        try writer.appendDurably([frame("3", key: "d"), frame(Self.texts[2], key: "e")])
        try writer.appendDurably([tombstone("c"), frame("4", key: "a")])
        return volume
    }

    private func check(_ volume: FaultyVolume, _ comment: Comment) throws {
        volume.setFaults([])
        let reader = try LogReader(volume, mapping: .never)
        #expect(Set(try reader.texts()) == Set(Self.texts), comment)
        #expect(reader.receipt.entries.isEmpty && reader.sequence == 7, comment)
        let writer = volume.writer()
        try writer.appendDurably([frame("next")])
        try volume.compact(writer)
        #expect(Set(try volume.texts()) == Set(Self.texts + ["next"]), comment)
        #expect(try LogReader(volume, mapping: .never).sequence == 8, comment)
        #expect(volume.bytes(of: .newLog) == nil, comment)
    }

    @Test(
        "a call that fails in a compaction costs nothing, and leaves a store that the next one compacts",
        arguments: FaultyVolume.Call.allCases.filter {
            ![.list, .makeDirectory, .map].contains($0)
        })
    func everyCall(_ call: FaultyVolume.Call) throws {
        let calm = try sample()
        calm.setFaults([])
        try calm.compact()
        let count = calm.counts[call] ?? 0
        #expect(count > 0, "a compaction has no such call")
        let others: [Errno] = [.noSpace, .notPermitted, .notSupported, .interrupted]
        for after in stride(from: 0, to: count, by: isFull ? 1 : max(1, count / 6)) {
            for (place, errno) in [Errno.io, others[after % others.count]].enumerated() {
                for times in [1, Int.max] {
                    let fault = FaultyVolume.Fault(
                        call: call, after: after, count: times, errno: errno,
                        taken: call == .write ? place * 4096 : 0)
                    let volume = try sample()
                    volume.setFaults([fault])
                    var generation: UInt64 = 1
                    do { generation = try volume.compact().header.generation } catch {}
                    volume.setFaults([])
                    let header = try LogReader(volume, mapping: .never).header
                    #expect(header.generation >= generation, "\(fault)")
                    try check(volume, "\(fault)")
                }
            }
        }
    }

    @Test("a power loss at any moment of a compaction leaves the old log or the new one, whole")
    func everyMoment() throws {
        let volume = try sample()
        volume.record()
        let writer = volume.writer()
        try volume.compact(writer)
        // What is acknowledged after the compaction survives too, with the new log or not at all.
        volume.note = 1
        try writer.appendDurably([frame("5", key: "f")])
        volume.note = 2
        let seed = UInt64.random(in: 0...UInt64.max)
        for (index, moment) in volume.moments.enumerated() {
            let pageSizes = (0..<(isFull ? 40 : 1)).map { [4096, 512][$0 % 2] }
            let losses = FaultyDisk.Loss.several(
                pageSizes: pageSizes, seed: seed &+ UInt64(index * 100))
            for loss in losses {
                let after = try FaultyVolume(restartedOn: moment.disk.afterPowerLoss(loss))
                let texts = Set(try after.texts())
                let comment: Comment = "moment \(index), \(loss), seed \(seed)"
                #expect(texts.subtracting(["5"]) == Set(Self.texts), comment)
                #expect(moment.note < 2 || texts.contains("5"), comment)
                _ = try after.writer().withLock { try $0.append([frame("after")]) }
                try after.compact()
                #expect(Set(try after.texts()) == texts.union(["after"]), comment)
            }
        }
    }

    @Test("a commit that is acknowledged by a writer beside a compaction survives a power loss")
    func writersBeside() throws {
        let volume = FaultyVolume()
        let other = volume.writer()
        try other.appendLong(count: 12, length: 200_000)
        volume.record()
        var promised: [String] = []
        func append() throws {
            let text = "new \(promised.count)"
            try other.appendDurably([frame(text)])
            promised.append(text)
            volume.note = promised.count
        }
        try volume.compact { _, _ in try? append() }
        try append()
        #expect(promised.count > 2)
        let seed = UInt64.random(in: 0...UInt64.max)
        for (index, moment) in volume.moments.enumerated() where index % (isFull ? 1 : 3) == 0 {
            let losses = FaultyDisk.Loss.several(
                firsts: 1...1, pageSizes: [4096], seed: seed &+ UInt64(index))
            for loss in losses {
                let after = try FaultyVolume(restartedOn: moment.disk.afterPowerLoss(loss))
                let texts = Set(try after.texts())
                #expect(
                    texts.isSuperset(of: promised.prefix(moment.note)),
                    "moment \(index), \(loss), seed \(seed)")
            }
        }
    }
}
