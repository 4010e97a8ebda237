import Synchronization

/// Waits, on a thread of the caller's, until a file may have changed: its content, or which file the
/// path leads to.
///
/// From the moment at which it is made, each change ends the wait that is going on, or the next one:
///
///     make the watch, look, wait, look, wait, ...
///
/// It only wakes, perhaps for nothing. Whoever waits looks for itself at what there is, and nothing may
/// depend on being woken: a notification that the system loses, or that it has none for, costs at most
/// `backstopMilliseconds`, or the caller's own limit. Takes no lock and writes nothing.
///
/// One thread at a time waits; any may wake it.
package final class FileWatch: Sendable {
    /// Why a wait ended.
    package enum Outcome: Hashable, Sendable {
        /// The file may be another than it was.
        case changed
        case timedOut
        /// By `wake()`.
        case woken
        /// A signal came to this thread. Programs look at a flag then (`Interrupt`).
        case interrupted
    }

    /// How often it looks whether the paths still lead to what the system watches for it.
    private static let backstopMilliseconds: Int64 = 1_000
    /// How often it looks where the system does not watch.
    private static let pollMilliseconds: Int64 = 100

    private struct State: Sendable {
        var seen: FileStatus?
        /// Whether the system watches all that has to be watched.
        var isArmed: Bool
        /// Whether the next look finds a change in any case.
        var looksAgain: Bool
    }

    private let path: String
    private let notifier: ChangeNotifier?
    private let state: Monitor<State>
    private let isWoken = Atomic<Bool>(false)

    /// Begins to watch a file, which need not exist, and neither need its directory.
    ///
    /// - Parameter isNotified: false to do without the system's notifications, as where it refuses them.
    package init(directory: String, name: String, isNotified: Bool = true) {
        path = directory + "/" + name
        notifier = isNotified ? ChangeNotifier.make(directory: directory, name: name) : nil
        let arming = notifier?.arm() ?? .refused
        state = Monitor(
            State(
                seen: Self.status(of: path), isArmed: arming.isComplete,
                looksAgain: !arming.isComplete))
    }

    /// Waits until there may be something new, for so long at most.
    package func wait(milliseconds: Int) -> Outcome {
        let deadline = Deadline(secondsFromNow: Double(milliseconds) / 1_000)
        while true {
            if isWoken.exchange(false, ordering: .sequentiallyConsistent) { return .woken }
            switch pause(until: deadline) {
            case .change:
                _ = look()
                return .changed
            case .interrupted: return .interrupted
            case .nothing: if look() { return .changed }
            }
            if deadline.hasPassed { return .timedOut }
        }
    }

    /// Ends the wait that is going on, or the next one. For any thread.
    package func wake() {
        isWoken.store(true, ordering: .sequentiallyConsistent)
        notifier?.wake()
    }

    /// Waits for a notification, but not beyond the next look.
    private func pause(until deadline: Deadline) -> Notice {
        let isArmed = state.withLock { $0.isArmed }
        let rest = (deadline.remainingNanoseconds + 999_999) / 1_000_000
        let limit = min(rest, isArmed ? Self.backstopMilliseconds : Self.pollMilliseconds)
        let milliseconds = Int32(truncatingIfNeeded: limit)
        if let notifier { return notifier.wait(milliseconds: milliseconds) }
        return Notice(waitUntilReady(anyOf: [], 0, milliseconds: milliseconds), milliseconds)
    }

    /// Has watched what the paths lead to by now, and then looks. Gives whether it is another file, or
    /// another state of it, than at the last look.
    ///
    /// Without notifications a change counts twice: the times of files are coarse, so that what is
    /// written right after a look need not show in them.
    private func look() -> Bool {
        let arming = notifier?.arm() ?? .refused
        let status = Self.status(of: path)
        return state.withLock { state in
            let isOther = arming.isOther || status != state.seen
            defer {
                state = State(
                    seen: status, isArmed: arming.isComplete,
                    looksAgain: isOther && !arming.isComplete)
            }
            return isOther || state.looksAgain
        }
    }

    /// Nil where there is nothing, or nothing that can be looked at: for a watch the same.
    private static func status(of path: String) -> FileStatus? {
        do throws(SystemError) {
            return try FileStatus.of(path: path)
        } catch {
            return nil
        }
    }
}

/// What came of waiting for the system's notifications.
enum Notice {
    case change
    case nothing
    case interrupted

    /// Of a wait that can have ended only by its time or a signal. Where the system refuses to wait, this
    /// does: the next try comes at once.
    init(_ readiness: Readiness, _ milliseconds: Int32) {
        switch readiness {
        case .interrupted: self = .interrupted
        case .ready, .timedOut: self = .nothing
        case .refused:
            Clock.sleep(microseconds: Int64(milliseconds) * 1_000)
            self = .nothing
        }
    }
}

/// What asking the system to watch what the paths lead to has shown.
struct Arming {
    /// Whether they lead to something else than before.
    var isOther: Bool
    /// Whether the system tells of each change from now on.
    var isComplete: Bool

    static let refused = Arming(isOther: false, isComplete: false)
}
