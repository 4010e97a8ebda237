import GroupLogFile
import GroupLogSystem

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

    /// Runs a write on the store's thread. Cancelling the task ends a wait, for the writes before it
    /// or for the lock, and never a write.
    func perform<R: Sendable>(
        _ engine: Engine, _ durability: StoreOptions.Durability?,
        _ write: @escaping @Sendable (QueuedWait) throws -> (R, Commit?)
    ) async throws -> R {
        try engine.checkNotForked()
        let ticket = Ticket()
        let wait = QueuedWait(
            isCancelled: { ticket.isCancelled },
            deadline: Deadline(secondsFromNow: engine.options.lockTimeout / .seconds(1)))
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let job = Job {
                    guard ticket.begin() else { return nil }
                    do {
                        let (result, commit) = try write(wait)
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
                let isQueued = ticket.queue {
                    continuation.resume(
                        throwing: StoreError(.cancelled, "cancelled before the write began"))
                }
                if isQueued { worker.submit(job) }
            }
        } onCancel: {
            ticket.cancel()
        }
    }
}

/// How a write waits for the lock that itself has waited for others before.
struct QueuedWait: Sendable {
    var isCancelled: @Sendable () -> Bool = { false }
    /// When to give up, counted from the call; nil for a wait that begins now.
    var deadline: Deadline?
}

/// Where an `async` write is, between its task and the store's thread: just one of the two answers.
private final class Ticket: Sendable {
    private enum State: Sendable {
        case new
        case queued(refuse: @Sendable () -> Void)
        case begun
        case cancelled
    }

    private let state = Monitor((place: State.new, isCancelled: false))

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Notes how to answer a cancelled write; gives false where it is cancelled already, and
    /// answers.
    func queue(refuse: @escaping @Sendable () -> Void) -> Bool {
        let isCancelled = state.withLock { state in
            if !state.isCancelled { state.place = .queued(refuse: refuse) }
            return state.isCancelled
        }
        if isCancelled { refuse() }
        return !isCancelled
    }

    /// Gives false where the write has been answered.
    func begin() -> Bool {
        state.withLock { state in
            if case .cancelled = state.place { return false }
            state.place = .begun
            return true
        }
    }

    func cancel() {
        let refuse = state.withLock { state -> (@Sendable () -> Void)? in
            state.isCancelled = true
            guard case .queued(let refuse) = state.place else { return nil }
            state.place = .cancelled
            return refuse
        }
        refuse?()
    }
}
