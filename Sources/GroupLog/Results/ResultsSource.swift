import GroupLogFormat
import GroupLogSystem

/// Where one observer's updates come from: looks at the store when asked to, on the store's own thread,
/// and keeps what it found until that is taken.
///
/// Updates are made one after another and taken in that order, so their differences go from each list
/// to the next, whoever asked for the looks.
final class ResultsSource<M: Model>: Sendable {
    let engine: Engine
    /// What was found; nil while a look is at work with it.
    private let progress: Monitor<Progress?>
    private let waiting = Monitor<[ResultsUpdate<M>]>([])

    private struct Progress: Sendable {
        var evaluator: ResultsEvaluator<M>
        /// Whether a list was delivered.
        var hasList = false
        /// What was told last beside the list.
        var failure: StoreError?
        var unreadable: Set<RecordKey> = []
    }

    init(_ engine: Engine, _ query: ResultsQuery<M>) {
        self.engine = engine
        progress = Monitor(Progress(evaluator: ResultsEvaluator(query)))
    }

    /// Waits until there are updates to take; gives false when the task is cancelled.
    func hasUpdates() async -> Bool {
        while !Task.isCancelled {
            // Read before the look: what comes during it ends the wait.
            let tick = engine.watcher.tick
            await engine.asyncReader.perform { _ = self.look() }
            if waiting.withLock({ !$0.isEmpty }) { return !Task.isCancelled }
            _ = await engine.watcher.wait(after: tick)
        }
        return false
    }

    /// Drops the store's caches and evaluates anew. Gives what went wrong.
    func reload() async -> StoreError? {
        await engine.asyncReader.perform { self.look(anew: true) }
    }

    /// The same, blocking the caller's thread.
    func reloadAndWait() -> StoreError? {
        engine.asyncReader.performAndWait { self.look(anew: true) }
    }

    /// Looks for what was written until now. What goes wrong is told by an update.
    func refresh() async { await engine.asyncReader.perform { _ = self.look() } }

    /// The same, blocking the caller's thread.
    func refreshAndWait() { engine.asyncReader.performAndWait { _ = self.look() } }

    /// Takes the oldest of the updates that nobody has taken.
    func takeUpdate() -> ResultsUpdate<M>? {
        waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }

    // MARK: On the store's thread

    /// Brings the results up to date, and has an update wait for whoever takes it if there is anything
    /// to tell. Gives what went wrong.
    private func look(anew: Bool = false) -> StoreError? {
        var progress = takeProgress()
        defer { self.progress.withLock { $0 = progress } }
        do {
            if anew { try engine.reload() }
            let view = try engine.view()
            let difference = try StoreError.translating(engine.path) {
                try progress.evaluator.update(to: view, anew: anew)
            }
            tell(difference, &progress)
            return nil
        } catch {
            let failure =
                error as? StoreError ?? StoreError(.io, "cannot read: \(error)", cause: error)
            tell(failure, &progress)
            return failure
        }
    }

    /// Takes the results out of where they are kept. The caller's reference is the only one, without
    /// which each change would copy what is known of all records.
    private func takeProgress() -> Progress {
        let taken = progress.withLock { progress in
            defer { progress = nil }
            return progress
        }
        guard let taken else {
            preconditionFailure("looks are made one after another, on one thread")
        }
        return taken
    }

    private func tell(_ difference: ResultsDifference, _ progress: inout Progress) {
        let unreadable = progress.evaluator.unreadable
        guard
            !difference.isEmpty || !progress.hasList || progress.failure != nil
                || unreadable != progress.unreadable
        else { return }
        progress.hasList = true
        progress.failure = nil
        progress.unreadable = unreadable
        let update = ResultsUpdate(
            list: progress.evaluator.list, difference: difference, error: nil,
            unreadable: unreadable)
        waiting.withLock { $0.append(update) }
    }

    /// Tells each failure once, however many looks it lasts.
    private func tell(_ failure: StoreError, _ progress: inout Progress) {
        if let told = progress.failure, told.code == failure.code, told.message == failure.message {
            return
        }
        progress.failure = failure
        let update = ResultsUpdate(
            list: progress.evaluator.list, difference: ResultsDifference(), error: failure,
            unreadable: progress.unreadable)
        waiting.withLock { $0.append(update) }
    }
}
