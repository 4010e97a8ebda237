import GroupLogFile
import GroupLogSystem
import Synchronization

/// The store's own thread, on which `async` calls write: as many at a time as are waiting, with
/// one sync for all of them.
final class AsyncWriter: Sendable {
    /// A write, and who waits for it.
    private struct Job: Sendable {
        /// Appends, and gives what has to be made durable, with how to do that.
        var append: @Sendable () -> Pending?
    }

    /// An append that is in the log and waits to be durable.
    private struct Pending: Sendable {
        var settle: @Sendable () -> Void
    }

    private let worker = WorkerThread<Job>(name: "grouplog-write") { jobs in
        // The first sync covers all appends before it, so the others return at once.
        let pending = jobs.compactMap { $0.append() }
        for append in pending.reversed() { append.settle() }
    }

    /// Runs a write on the store's thread. Cancelling the task ends a wait for the lock, and never
    /// a write.
    func perform<R: Sendable>(
        _ engine: Engine, _ durability: StoreOptions.Durability?,
        _ write:
            @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws -> (
                R, Commit?
            )
    ) async throws -> R {
        try engine.checkNotForked()
        let flag = CancellationFlag()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let job = Job {
                    do {
                        let (result, commit) = try write { flag.isSet }
                        return Pending {
                            continuation.resume(
                                with: Result {
                                    try engine.settle(commit, durability)
                                    return result
                                })
                        }
                    } catch {
                        continuation.resume(throwing: error)
                        return nil
                    }
                }
                worker.submit(job)
            }
        } onCancel: {
            flag.set()
        }
    }
}

/// Whether a task was cancelled, told to a thread.
private final class CancellationFlag: Sendable {
    private let value = Atomic<Bool>(false)
    var isSet: Bool { value.load(ordering: .relaxed) }
    func set() { value.store(true, ordering: .relaxed) }
}
