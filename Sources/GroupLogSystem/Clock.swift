#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(Darwin)
    import Darwin
#endif

/// The two clocks: one that tells the time, and jumps; one that only measures.
package enum Clock {
    /// Microseconds since 1970 by the wall clock.
    package static func wallMicroseconds() -> Int64 {
        let time = now(CLOCK_REALTIME)
        return Int64(time.tv_sec) &* 1_000_000 &+ Int64(time.tv_nsec / 1_000)
    }

    /// Nanoseconds since some moment, never going back.
    package static func monotonicNanoseconds() -> Int64 {
        let time = now(CLOCK_MONOTONIC)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    /// Sleeps at least this long, or until a signal comes.
    package static func sleep(microseconds: Int64) {
        var time = timespec(
            tv_sec: .init(max(0, microseconds) / 1_000_000),
            tv_nsec: .init(max(0, microseconds) % 1_000_000 * 1_000))
        unsafe _ = nanosleep(&time, nil)
    }

    private static func now(_ clock: clockid_t) -> timespec {
        var time = timespec()
        unsafe _ = clock_gettime(clock, &time)
        return time
    }
}

/// A moment by which something has to be done.
package struct Deadline: Sendable {
    /// By `Clock.monotonicNanoseconds()`.
    let nanoseconds: Int64

    /// So many seconds from now; a number that is not finite, or very large, means never.
    package init(secondsFromNow seconds: Double) {
        let limit = 1e9
        let bounded = seconds.isNaN ? limit : min(max(seconds, 0), limit)
        nanoseconds = Clock.monotonicNanoseconds() + Int64(bounded * 1e9)
    }

    package var hasPassed: Bool { Clock.monotonicNanoseconds() >= nanoseconds }
    package var remainingNanoseconds: Int64 {
        max(0, nanoseconds - Clock.monotonicNanoseconds())
    }
    package var remainingMicroseconds: Int64 { remainingNanoseconds / 1_000 }
}
