#if canImport(ObjectiveC)
    import ObjectiveC
#endif

/// A thread that does jobs in the order in which they come, as many at a time as are waiting.
///
/// It begins with its first job and ends, after the jobs that it has, at `stop()` or when nobody
/// holds the worker any more.
package final class WorkerThread<Job: Sendable>: Sendable {
    private struct State: Sendable {
        var jobs: [Job] = []
        var isRunning = false
        var isStopped = false
    }

    private let name: String
    private let state = Monitor(State())
    private let run: @Sendable ([Job]) -> Void

    /// A worker that gives its waiting jobs, all at once, to `run`.
    package init(name: String = "grouplog", _ run: @escaping @Sendable ([Job]) -> Void) {
        self.name = name
        self.run = run
    }

    deinit { state.withLock { $0.isStopped = true } }

    /// Gives a job to the thread. After `stop()` it is refused, and the answer is false.
    @discardableResult
    package func submit(_ job: Job) -> Bool {
        let (isTaken, isFirst) = state.withLock { state in
            if state.isStopped { return (false, false) }
            state.jobs.append(job)
            defer { state.isRunning = true }
            return (true, !state.isRunning)
        }
        if isFirst { start() }
        return isTaken
    }

    /// Takes no more jobs, and returns when those that were taken are done. Not to be called by a
    /// job, which would wait for itself.
    package func stop() {
        state.withLock { $0.isStopped = true }
        _ = state.wait { state in state.isRunning ? nil : true }
    }

    private func start() {
        let state = self.state
        let run = self.run
        Thread.detach(name: name) {
            while true {
                let jobs: [Job]? = state.wait { state in
                    if state.jobs.isEmpty {
                        guard state.isStopped else { return nil }
                        state.isRunning = false
                        return []
                    }
                    defer { state.jobs = [] }
                    return state.jobs
                }
                guard let jobs, !jobs.isEmpty else { return }
                #if canImport(ObjectiveC)
                    // A thread of its own empties its pool only when it ends.
                    autoreleasepool { run(jobs) }
                #else
                    run(jobs)
                #endif
            }
        }
    }
}
