import TestSupport
import Testing

@testable import GroupLogFile

/// All sequences of three operations, and a power loss at each moment of each.
@Suite struct SequenceTests {
    /// Which of three operations are made durable.
    private static let durabilities: [[Bool]] = [
        [true, true, true], [false, true, false], [true, false, false], [false, false, true],
        [false, false, false],
    ]

    /// The ways in which a sequence is done: all of them, or one, in turn.
    private static func variants(
        of operations: [StoreOperation], number: Int
    ) -> [StoreSequence] {
        var variants: [StoreSequence] = []
        for isIndependent in operations.contains(.batch) ? [false, true] : [false] {
            for writerCount in [1, 2] {
                for isDurable in durabilities {
                    variants.append(
                        StoreSequence(
                            operations: operations, writerCount: writerCount,
                            isDurable: isDurable, isIndependent: isIndependent))
                }
            }
        }
        return isFull ? variants : [variants[number % variants.count]]
    }

    @Test(
        "after a power loss at any moment of any three operations what was acknowledged is there, and nothing is half there, wrong or back again",
        arguments: StoreOperation.allCases)
    func everySequence(_ first: StoreOperation) throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        for (number, operations) in first.sequences(ofLength: 3).enumerated() {
            for sequence in Self.variants(of: operations, number: number * 7) {
                try losePower(in: sequence, seed: seed &+ UInt64(number) &* 100_000)
            }
        }
    }

    private func losePower(in sequence: StoreSequence, seed: UInt64) throws {
        let volume = try StoreSequence.sampleStore()
        volume.record()
        var notes = [StoreSequence.Progress()]
        try sequence.run(
            volume,
            note: { progress in
                notes.append(progress)
                volume.note = notes.count - 1
            })
        let moments = volume.moments + [.init(disk: volume.disk, note: volume.note)]
        var known: Set<Outcome> = []
        for (index, moment) in moments.enumerated() {
            let momentSeed = seed &+ UInt64(index) &* 100
            guard isFull || momentSeed % 4 == 0 || index == moments.count - 1 else { continue }
            try losePower(
                at: moment.disk, in: sequence, notes[moment.note], seed: momentSeed,
                "moment \(index) of \(sequence)", &known)
        }
    }

    /// What a power loss leaves, by which it is told whether the same was looked at before.
    private struct Outcome: Hashable {
        var files: [String: [UInt64]]
        var begun: Int
        var acknowledged: Set<Int>
        var keepsOrder: Bool
    }

    private func losePower(
        at disk: FaultyDisk, in sequence: StoreSequence, _ progress: StoreSequence.Progress,
        seed: UInt64, _ comment: String, _ known: inout Set<Outcome>
    ) throws {
        let losses = FaultyDisk.Loss.several(
            firsts: 1...max(1, disk.unsyncedCount),
            pageSizes: isFull ? [4096, 4096, 4096, 512, 512, 512] : [4096, 512], seed: seed)
        for loss in losses {
            let left = disk.afterPowerLoss(loss)
            let outcome = Outcome(
                files: left.digest, begun: progress.begun, acknowledged: progress.acknowledged,
                keepsOrder: loss.keepsOrder)
            guard known.insert(outcome).inserted else { continue }
            let check = SequenceCheck(
                progress: progress,
                models: try loss.keepsOrder
                    ? sequence.prefixes(progress) : sequence.subsets(progress),
                mayBeDamaged: !loss.keepsOrder, comment: "\(comment), \(loss), seed \(seed)")
            check.check(try FaultyVolume(restartedOn: left))
        }
    }
}
