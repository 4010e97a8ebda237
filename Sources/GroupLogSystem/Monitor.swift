#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(Darwin)
    import Darwin
#endif

/// A value that threads share, and on whose changes they can wait: a mutex with a condition
/// variable (pthread_cond_wait(3)), which `Synchronization` does not have.
///
/// Also where nobody waits it is used in place of `Synchronization.Mutex`: that one locks inside a
/// library which the thread sanitizer does not see into, so that it reports races that are none.
///
/// Sendable although it holds a value and pointers: the value is only reached with the mutex held.
@safe package final class Monitor<Value>: @unchecked Sendable {
    private var value: Value
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    package init(_ value: sending Value) {
        self.value = value
        unsafe mutex = .allocate(capacity: 1)
        unsafe condition = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe condition.initialize(to: pthread_cond_t())
        let made = unsafe pthread_mutex_init(mutex, nil) == 0 && Self.initialize(condition)
        precondition(made, "the system has no room for a mutex")
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    /// Runs the body with the value to itself, and wakes those who wait for a change.
    package func withLock<R, E: Error>(_ body: (inout Value) throws(E) -> R) throws(E) -> R {
        unsafe pthread_mutex_lock(mutex)
        defer {
            unsafe pthread_cond_broadcast(condition)
            unsafe pthread_mutex_unlock(mutex)
        }
        return try body(&value)
    }

    /// Waits until the body gives something, looking again after each change.
    ///
    /// Where there is a deadline, also every 10 milliseconds: what the body looks at beside the value
    /// may change without a word. A body that looks at nothing else needs no such `looksBetween`.
    package func wait<R, E: Error>(
        until deadline: Deadline? = nil, looksBetween: Bool = true,
        _ body: (inout Value) throws(E) -> R?
    ) throws(E) -> R? {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while true {
            if let result = try body(&value) {
                unsafe pthread_cond_broadcast(condition)
                return result
            }
            guard let deadline else {
                unsafe pthread_cond_wait(condition, mutex)
                continue
            }
            if deadline.hasPassed { return nil }
            let rest = deadline.remainingNanoseconds
            wait(nanoseconds: looksBetween ? min(rest, 10_000_000) : rest)
        }
    }

    // A wait by the wall clock would last an hour longer when that is set back by an hour.
    #if canImport(Darwin)
        private static func initialize(_ condition: UnsafeMutablePointer<pthread_cond_t>) -> Bool {
            unsafe pthread_cond_init(condition, nil) == 0
        }

        private func wait(nanoseconds: Int64) {
            var time = timespec(tv_sec: 0, tv_nsec: Int(nanoseconds))
            unsafe _ = pthread_cond_timedwait_relative_np(condition, mutex, &time)
        }
    #else
        private static func initialize(_ condition: UnsafeMutablePointer<pthread_cond_t>) -> Bool {
            var attributes = pthread_condattr_t()
            guard unsafe pthread_condattr_init(&attributes) == 0 else { return false }
            defer { unsafe _ = pthread_condattr_destroy(&attributes) }
            return unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0
                && pthread_cond_init(condition, &attributes) == 0
        }

        private func wait(nanoseconds: Int64) {
            let end = Clock.monotonicNanoseconds() + nanoseconds
            var time = timespec(
                tv_sec: .init(end / 1_000_000_000), tv_nsec: .init(end % 1_000_000_000))
            unsafe _ = pthread_cond_timedwait(condition, mutex, &time)
        }
    #endif
}
