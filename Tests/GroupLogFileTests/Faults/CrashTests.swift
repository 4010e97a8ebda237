import GroupLogFormat
import GroupLogSystem
import TestSupport
import Testing

@testable import GroupLogFile

/// The power is lost after every change of the disk in the life of a store.
@Suite struct CrashTests {
    /// Appends one text after the other, and notes how many are promised to be durable.
    ///
    /// Two writers take turns, as two processes do; some appends are synced at once, some with a
    /// later one, some not at all, and some are several frames.
    private func live(_ volume: FaultyVolume, count: Int) throws -> [String] {
        var texts: [String] = []
        let writers = [volume.writer(), volume.writer()]
        for index in 0..<count {
            let writer = writers[index / 3 % 2]
            let length = [10, 5_000, 200, 9_000, 70_000, 40][index % 6]
            let text = "\(index) " + String(repeating: "abcdefg\(index)", count: length / 8)
            var group = [text]
            if index % 5 == 0 { group.append("\(index)b") }
            let (_, commit) = try writer.withLock { log in
                try log.append(try group.map { try frame($0, key: String($0.prefix(12))) })
            }
            texts += group
            if index % 4 != 1 {
                try writer.makeDurable(try #require(commit))
                volume.note = texts.count
            }
        }
        return texts
    }

    /// Opens what a power loss has left, and gives back the store after one more append.
    private func reopen(
        _ disk: FaultyDisk, promised: [String], known: [String], next: String = "after",
        _ comment: Comment
    ) throws -> FaultyVolume {
        let volume = try FaultyVolume(restartedOn: disk)
        volume.record()
        var expected: [String] = []
        do {
            expected = try volume.texts()
        } catch LogError.noStore where promised.isEmpty {
            // Nothing was promised yet.
        }
        #expect(Set(expected).isSuperset(of: promised), comment)
        #expect(Set(expected).count == expected.count, comment)
        #expect(Set(known).isSuperset(of: expected), comment)
        #expect(known.filter(Set(expected).contains) == expected, "in order, \(comment)")
        try volume.writer().appendDurably([frame(next)])
        #expect(try volume.texts() == expected + [next], comment)
        return volume
    }

    @Test("after a power loss at any moment, what was promised is there, and nothing is wrong")
    func everyMoment() throws {
        let volume = FaultyVolume()
        volume.record()
        let texts = try live(volume, count: 14)
        let seed = UInt64.random(in: 0...UInt64.max)
        for (index, moment) in volume.moments.enumerated() {
            let promised = Array(texts.prefix(moment.note))
            let losses = FaultyDisk.Loss.several(
                pageSizes: [4096, 4096, 4096, 4096, 512], seed: seed &+ UInt64(index) &* 100)
            for loss in losses {
                _ = try reopen(
                    moment.disk.afterPowerLoss(loss), promised: promised, known: texts,
                    "moment \(index), \(loss), seed \(seed)")
            }
        }
    }

    @Test("after a power loss in a recovery from a power loss the same holds")
    func recovery() throws {
        let volume = FaultyVolume()
        volume.record()
        let texts = try live(volume, count: 8)
        let seed = UInt64.random(in: 0...UInt64.max)
        for (index, moment) in volume.moments.enumerated().filter({ $0.offset % 3 == 2 }) {
            let promised = Array(texts.prefix(moment.note))
            let first = SeededGenerator(seed: seed &+ UInt64(index))
            let once = try reopen(
                moment.disk.afterPowerLoss(.pages(size: 4096, first)), promised: promised,
                known: texts, "moment \(index), seed \(seed)")
            for (second, moment) in once.moments.enumerated() {
                let generator = SeededGenerator(seed: seed &+ UInt64(second))
                _ = try reopen(
                    moment.disk.afterPowerLoss(.pages(size: 4096, generator)),
                    promised: promised, known: texts + ["after"],
                    next: "after that",
                    "moments \(index) and \(second), seed \(seed)")
            }
        }
    }
}
