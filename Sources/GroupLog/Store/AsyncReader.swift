import GroupLogSystem

/// The store's own thread for reading, on which results are worked out: whoever waits for them, be it
/// the actor of a user interface, does none of the work.
final class AsyncReader: Sendable {
    private let worker = WorkerThread<@Sendable () -> Void>(name: "grouplog-read") { jobs in
        for job in jobs { job() }
    }

    /// Runs the body on the thread.
    func perform<R: Sendable>(_ body: @escaping @Sendable () -> R) async -> R {
        await withCheckedContinuation { continuation in
            worker.submit { continuation.resume(returning: body()) }
        }
    }

    /// Runs the body on the thread, and blocks the caller's. Not to be called by what runs there, which
    /// would wait for itself.
    func performAndWait<R: Sendable>(_ body: @escaping @Sendable () -> R) -> R {
        let outcome = Monitor<R?>(nil)
        worker.submit {
            let result = body()
            outcome.withLock { $0 = result }
        }
        while true {
            if let result = outcome.wait({ $0 }) { return result }
        }
    }
}
