#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(Darwin)
    import Darwin
#endif

/// A thread that does jobs in the order in which they come, as many at a time as are waiting.
///
/// It begins with its first job and ends, after the jobs that it has, when nobody holds the worker
/// any more.
package final class WorkerThread<Job: Sendable>: Sendable {
    private struct State: Sendable {
        var jobs: [Job] = []
        var isRunning = false
        var isStopped = false
    }

    private let state = Monitor(State())
    private let run: @Sendable ([Job]) -> Void

    /// A worker that gives its waiting jobs, all at once, to `run`.
    package init(_ run: @escaping @Sendable ([Job]) -> Void) { self.run = run }

    deinit { state.withLock { $0.isStopped = true } }

    package func submit(_ job: Job) {
        let isFirst = state.withLock { state in
            state.jobs.append(job)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if isFirst { start() }
    }

    private func start() {
        let state = self.state
        let run = self.run
        Thread.detach {
            while true {
                let jobs: [Job]? = state.wait { state in
                    if state.jobs.isEmpty { return state.isStopped ? [] : nil }
                    defer { state.jobs = [] }
                    return state.jobs
                }
                guard let jobs, !jobs.isEmpty else { return }
                run(jobs)
            }
        }
    }
}

/// Threads of the system's own (pthread_create(3)).
package enum Thread {
    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs the body on a new thread, which ends with it.
    package static func detach(_ body: @escaping @Sendable () -> Void) {
        let context = unsafe Unmanaged.passRetained(Body(body)).toOpaque()
        #if canImport(Darwin)
            var thread: pthread_t?
            let result = unsafe pthread_create(&thread, nil, { unsafe Thread.enter($0) }, context)
            if result == 0, let thread { unsafe pthread_detach(thread) }
        #else
            var thread = pthread_t()
            let result = unsafe pthread_create(&thread, nil, { unsafe Thread.enter($0) }, context)
            if result == 0 { pthread_detach(thread) }
        #endif
        precondition(result == 0, "the system has no room for another thread")
    }

    private static func enter(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        if let context = unsafe context {
            unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
        }
        return nil
    }
}
