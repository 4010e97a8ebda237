import GroupLogFile
import GroupLogSystem
import Synchronization

/// Something that a store tells outside of any call. New cases may come with new versions.
public enum StoreEvent: Sendable {
    /// Commits that were promised to be durable soon are not, or this is unknown.
    case syncFailed(StoreError)
}

/// Syncs what was appended with `.eventual` durability, within a second.
final class EventualSync: Sendable {
    private let listeners = Monitor<[UInt64: AsyncStream<StoreEvent>.Continuation]>([:])
    private let nextListener = Atomic<UInt64>(0)
    private let worker: WorkerThread<Commit>
    private let failed: Failures

    /// Where the worker's thread leaves what went wrong; it outlives neither.
    private final class Failures: Sendable {
        let handler = Monitor<(@Sendable (StoreError) -> Void)?>(nil)
    }

    init(_ writer: LogWriter?) {
        let failed = Failures()
        self.failed = failed
        worker = WorkerThread(name: "grouplog-sync") { commits in
            guard let writer else { return }
            Clock.sleep(microseconds: 500_000)
            var failure: StoreError?
            // They came in any order, perhaps from more than one generation of the log.
            for commit in commits.sorted(by: { $0.end > $1.end }) {
                do {
                    try StoreError.translating(writer.path) {
                        try writer.makeDurable(commit, .full)
                    }
                } catch {
                    failure =
                        failure ?? error as? StoreError
                        ?? StoreError(.io, "a sync failed: \(error)", cause: error)
                }
            }
            if let failure { failed.handler.withLock { $0 }?(failure) }
        }
        failed.handler.withLock { handler in
            handler = { [weak self] error in self?.tell(.syncFailed(error)) }
        }
    }

    // Nobody tells anything any more, so that loops over the events end.
    deinit { for listener in listeners.withLock({ Array($0.values) }) { listener.finish() } }

    func submit(_ commit: Commit) { worker.submit(commit) }

    private func tell(_ event: StoreEvent) {
        for listener in listeners.withLock({ Array($0.values) }) { listener.yield(event) }
    }

    /// What happens from now on.
    func events() -> AsyncStream<StoreEvent> {
        AsyncStream { continuation in
            let number = nextListener.add(1, ordering: .relaxed).newValue
            listeners.withLock { $0[number] = continuation }
            continuation.onTermination = { [weak self] _ in
                self?.listeners.withLock { _ = $0.removeValue(forKey: number) }
            }
        }
    }
}
