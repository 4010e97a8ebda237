import GroupLogFormat
import Testing

@testable import GroupLogFile

/// Three operations on a small store, by one writer or by two that take turns as two processes do.
struct StoreSequence: CustomStringConvertible {
    var operations: [StoreOperation]
    var writerCount = 1
    /// Which of them are made durable; a compaction always is.
    var isDurable = [true, true, true]
    var isIndependent = false

    var description: String {
        "\(operations), \(writerCount) writers, durable: \(isDurable), independent: \(isIndependent)"
    }

    /// How far a run has come.
    struct Progress {
        var begun = 0
        /// Those whose append, or compaction, has returned.
        var returned: Set<Int> = []
        /// Those that were acknowledged to be durable.
        var acknowledged: Set<Int> = []
        /// Where the last of these ends, and in which log.
        var generation: UInt64 = 0
        var end: UInt64 = 0
        var sequence: UInt64 = 0
    }

    // MARK: Running

    /// A store with records that are live, changed and deleted, before and behind a mark.
    private static let sample: (disk: FaultyDisk, model: StoreModel)? = {
        let volume = FaultyVolume()
        let writer = volume.writer()
        let commits: [[StoreChange]] = [
            [.init("a", "first"), .init("b", "first"), .init("c", "first")],
            [.init("b", "changed")], [.init("c", nil)], [],
            [.init("d", "live"), .init("e", "long " + String(repeating: "e", count: 5_000))],
            [.init("f", "live")], [.init("f", nil)],
        ]
        var model = StoreModel()
        do {
            for changes in commits {
                if changes.isEmpty {
                    try volume.compact(writer)
                } else {
                    try writer.appendDurably([StoreChange.frame(changes[...])])
                }
                model.apply(changes)
            }
            return (volume.disk, model)
        } catch {
            Issue.record(error)
            return nil
        }
    }()

    static func sampleStore() throws -> FaultyVolume { FaultyVolume(try #require(sample).disk) }

    /// Does it all. `note` learns of each step that it takes; where an operation fails, `onFailure`
    /// decides whether the rest is done.
    func run(
        _ volume: FaultyVolume, note: (Progress) -> Void,
        onFailure: (any Error) throws -> Void = { throw $0 }
    ) throws {
        var progress = Progress()
        let writers = (0..<writerCount).map { _ in volume.writer() }
        for (step, operation) in operations.enumerated() {
            progress.begun = step + 1
            note(progress)
            do {
                let writer = writers[step % writerCount]
                if operation == .compact {
                    try compact(volume, writer, step, &progress)
                } else {
                    try append(operation, writer, step, &progress)
                }
            } catch {
                try onFailure(error)
            }
            note(progress)
        }
    }

    private func append(
        _ operation: StoreOperation, _ writer: LogWriter, _ step: Int, _ progress: inout Progress
    ) throws {
        let frames = try operation.frames(step: step, isIndependent: isIndependent)
        let (_, commit) = try writer.withLock { try $0.append(frames) }
        progress.returned.insert(step)
        guard isDurable[step], let commit else { return }
        try writer.makeDurable(commit)
        progress.acknowledged.insert(step)
        progress.generation = commit.group.header.generation
        progress.end = commit.end
        progress.sequence = commit.frames.last?.sequence ?? 0
    }

    private func compact(
        _ volume: FaultyVolume, _ writer: LogWriter, _ step: Int, _ progress: inout Progress
    ) throws {
        let outcome = try volume.compact(writer)
        // What is copied is synced, whoever wrote it.
        progress.returned.insert(step)
        progress.acknowledged.formUnion(progress.returned)
        progress.generation = outcome.header.generation
        progress.end = outcome.sizeAfter
    }

    // MARK: What may be there

    /// The store after so many of the operations.
    private func model(after steps: some Sequence<Int>) throws -> StoreModel {
        var model = try #require(Self.sample).model
        for step in steps { model.apply(operations[step].changes(step: step)) }
        return model
    }

    /// Where no power was lost: all that returned, and nothing else.
    func model(_ progress: Progress) throws -> StoreModel {
        try model(after: progress.returned.sorted())
    }

    /// After a power loss that keeps what was written first: the state after some number of
    /// operations, not fewer than were acknowledged and not more than were begun.
    func prefixes(_ progress: Progress) throws -> Set<StoreModel> {
        let acknowledged = (progress.acknowledged.max() ?? -1) + 1
        return try Set((acknowledged...progress.begun).map { try model(after: 0..<$0) })
    }

    /// After a power loss that keeps any pages: of what was not acknowledged each operation may be
    /// there or not, and of an independent batch each record (FORMAT.md, "Crashes"). While all are
    /// acknowledged one by one, these are the prefixes too, but for such a batch.
    func subsets(_ progress: Progress) throws -> Set<StoreModel> {
        var models: Set = [try #require(Self.sample).model]
        for step in 0..<progress.begun {
            let changes = operations[step].changes(step: step)
            if progress.acknowledged.contains(step) {
                models = Set(models.map { $0.applying(changes) })
                continue
            }
            let isApart = operations[step] == .batch && isIndependent
            for unit in isApart ? changes.map({ [$0] }) : [changes] {
                models.formUnion(models.map { $0.applying(unit) })
            }
        }
        return models
    }
}
