import GroupLogSystem
import TestSupport
import Testing

@testable import GroupLogFile

/// Sequences of operations of all kinds in which calls fail; `FaultTests` has appends and recovery,
/// `CompactionFaultTests` a compaction alone.
@Suite struct SequenceFaultTests {
    /// Each operation before and behind each of the others, by two writers: what a failure leaves
    /// is found by another process.
    private static let sequences: [StoreSequence] =
        [
            [.update, .compact, .batch], [.batch, .delete, .compact], [.compact, .batch, .update],
            [.delete, .update, .delete], [.compact, .compact, .append],
        ]
        .enumerated().map {
            StoreSequence(operations: $1, writerCount: 2, isIndependent: $0 % 2 == 1)
        }

    @Test(
        "an update, delete, batch or compaction that a call fails is there if it returned, else not at all, and survives a power loss if it was acknowledged",
        arguments: FaultyVolume.Call.allCases.filter {
            ![.list, .makeDirectory, .map].contains($0)
        })
    func everyCall(_ call: FaultyVolume.Call) throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        for sequence in Self.sequences {
            let calm = try StoreSequence.sampleStore()
            calm.setFaults([])
            try sequence.run(calm, note: { _ in })
            let count = calm.counts[call] ?? 0
            // Where it begins is by chance, so that in time each call has its turn.
            let step = isFull ? 1 : max(1, count / 2)
            for after in stride(from: Int(seed % UInt64(step)), to: count, by: step) {
                for fault in Self.faults(call, after: after) {
                    try fail(fault, in: sequence, seed: seed)
                }
            }
        }
    }

    private static func faults(
        _ call: FaultyVolume.Call, after: Int
    ) -> [FaultyVolume.Fault] {
        let others: [Errno] = [.noSpace, .interrupted, .notPermitted, .notSupported]
        let errors = isFull ? [.io] + others : [after % 2 == 0 ? .io : others[after / 2 % 4]]
        return errors.flatMap { errno in
            [1, Int.max].flatMap { times in
                (call == .write ? [0, 700] : [0]).map { taken in
                    FaultyVolume.Fault(
                        call: call, after: after, count: times, errno: errno, taken: taken)
                }
            }
        }
    }

    @Test("writes that take few bytes at a time change nothing", arguments: [61, 4096])
    func shortWrites(_ taken: Int) throws {
        for sequence in Self.sequences {
            let fault = FaultyVolume.Fault(call: .write, after: 0, count: .max, taken: taken)
            let last = try fail(fault, in: sequence, seed: 1)
            #expect(last.acknowledged == [0, 1, 2], "\(sequence)")
        }
    }

    /// Runs a sequence with a fault, looks at what it has left, and at what a power loss at its end
    /// leaves of that.
    @discardableResult
    private func fail(
        _ fault: FaultyVolume.Fault, in sequence: StoreSequence, seed: UInt64
    ) throws -> StoreSequence.Progress {
        let volume = try StoreSequence.sampleStore()
        volume.setFaults([fault])
        var progress = StoreSequence.Progress()
        try sequence.run(
            volume, note: { progress = $0 }, onFailure: { try expect($0, of: fault) })
        volume.setFaults([])
        let disk = volume.disk
        let comment = "\(fault), \(sequence), seed \(seed)"
        let check = try SequenceCheck(
            progress: progress, models: [sequence.model(progress)], mayBeDamaged: false,
            comment: "\(comment)")
        check.check(volume)
        for loss in FaultyDisk.Loss.several(firsts: 1...1, pageSizes: [512], seed: seed) {
            let check = try SequenceCheck(
                progress: progress, models: sequence.subsets(progress), mayBeDamaged: true,
                mayBeHalfQuarantined: true, comment: "\(comment), \(loss)")
            check.check(try FaultyVolume(restartedOn: disk.afterPowerLoss(loss)))
        }
        return progress
    }

    private func expect(_ error: any Error, of fault: FaultyVolume.Fault) throws {
        switch error {
        case LogError.system(let cause), let cause as SystemError:
            #expect(cause.errno == fault.errno, "\(fault)")
        case LogError.poisoned(let cause, _), LogError.entryNotDurable(let cause, _):
            #expect(cause.errno == fault.errno, "\(fault)")
        // A lock that cannot be had, or a log that could not be looked at.
        default: Issue.record("\(error) after: \(fault)")
        }
    }
}
