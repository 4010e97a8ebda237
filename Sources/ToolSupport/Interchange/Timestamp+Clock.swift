import GroupLogSystem

extension Timestamp {
    /// The time by the wall clock.
    package static var now: Timestamp {
        let microsecondsFrom1970To2001: Int64 = 978_307_200_000_000
        return Timestamp(
            secondsSinceReferenceDate:
                Double(Clock.wallMicroseconds() &- microsecondsFrom1970To2001) / 1e6)
    }
}
