/// How long to wait for a lock that others hold, and what ends the waiting.
package struct LockWait {
    /// Why there is no lock.
    package enum Failure: Error, Hashable, Sendable {
        case timedOut
        case cancelled
        /// The system refuses the lock: a reason to stop, never to go on without.
        case refused(SystemError)
    }

    /// When to give up; without one the waiting goes on until the lock is had or `isCancelled`.
    package var deadline: Deadline?
    package var isCancelled: () -> Bool
    /// Called once, when the waiting has lasted so long that a person wants to know.
    package var onLongWait: () -> Void
    package var longWaitMilliseconds: Int64

    package init(
        until deadline: Deadline?, longWaitMilliseconds: Int64 = 1_000,
        isCancelled: @escaping () -> Bool = { false }, onLongWait: @escaping () -> Void = {}
    ) {
        self.deadline = deadline
        self.longWaitMilliseconds = longWaitMilliseconds
        self.isCancelled = isCancelled
        self.onLongWait = onLongWait
    }

    /// Tries, without ever blocking in the system, until `tryLock` has the lock. At least one try
    /// is made, and one more when the deadline has passed.
    ///
    /// flock(2) has no time limit of its own. Tries 20 to 100 microseconds apart find the lock free
    /// nearly as soon as it is; the spread keeps waiting processes out of step, so that none of
    /// them loses every time. Who has waited for a tenth of a second waits behind something slow,
    /// and tries once a millisecond.
    package func acquire(
        _ tryLock: () throws(SystemError) -> Bool
    ) throws(Failure) {
        let start = Clock.monotonicNanoseconds()
        var hasTold = false
        while true {
            let isLastTry = deadline?.hasPassed ?? false
            do {
                if try tryLock() { return }
            } catch {
                throw .refused(error)
            }
            if isCancelled() { throw .cancelled }
            if isLastTry { throw .timedOut }
            let waited = (Clock.monotonicNanoseconds() - start) / 1_000_000
            if waited >= longWaitMilliseconds && !hasTold {
                hasTold = true
                onLongWait()
            }
            let pause: Int64 = waited < 100 ? .random(in: 20...100) : 1_000
            Clock.sleep(microseconds: min(pause, deadline?.remainingMicroseconds ?? pause))
        }
    }
}
