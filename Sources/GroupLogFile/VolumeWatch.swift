package import GroupLogSystem
import Synchronization

/// Waits until the log of a store may have changed, on a thread of the caller's.
///
/// It only wakes, perhaps for nothing: whoever waits looks at the store, and nothing depends on being
/// woken. From the moment at which it is made, each change of the log, and each other log in its place,
/// ends the wait that is going on or the next one. The lock file does not count. Takes no lock of the
/// store and writes nothing.
///
/// One thread at a time waits; any may wake it.
package protocol VolumeWatch: AnyObject, Sendable {
    /// Waits for so long at most.
    func wait(milliseconds: Int) -> FileWatch.Outcome
    /// Ends the wait that is going on, or the next one.
    func wake()
}

extension FileWatch: VolumeWatch {}

/// Tells the watches of a store that is not on disk that its log has changed.
package final class ChangeSignal: Sendable {
    fileprivate let count = Monitor<UInt64>(0)

    package init() {}

    package func send() { count.withLock { $0 &+= 1 } }

    package func watch() -> any VolumeWatch { SignalWatch(self) }
}

private final class SignalWatch: VolumeWatch {
    private let signal: ChangeSignal
    private let seen: Atomic<UInt64>
    private let isWoken = Atomic<Bool>(false)

    init(_ signal: ChangeSignal) {
        self.signal = signal
        seen = Atomic(signal.count.withLock { $0 })
    }

    func wait(milliseconds: Int) -> FileWatch.Outcome {
        let deadline = Deadline(secondsFromNow: Double(milliseconds) / 1_000)
        let outcome = signal.count.wait(until: deadline, looksBetween: false) {
            count -> FileWatch.Outcome? in
            if isWoken.exchange(false, ordering: .sequentiallyConsistent) { return .woken }
            return seen.exchange(count, ordering: .relaxed) != count ? .changed : nil
        }
        return outcome ?? .timedOut
    }

    func wake() {
        isWoken.store(true, ordering: .sequentiallyConsistent)
        // Whoever waits looks again.
        signal.count.withLock { _ in }
    }
}
