import GroupLogFormat
import GroupLogSystem

/// Makes the appends of one process to one log durable, several with one sync.
///
/// A sync covers all that was written before it began. So of the threads that wait, one syncs for
/// all that have appended by then, and those that come later wait for the next sync.
///
/// After a failed sync nothing more is promised: the kernel may have marked the pages clean that it
/// could not write, so that a second sync would succeed and mean nothing.
package final class SyncGroup: Sendable {
    private struct State: Sendable {
        var appendedEnd: UInt64 = 0
        var syncedEnd: UInt64 = 0
        var isSyncing = false
        var isEntryDurable: Bool
        var failure: SystemError?
        /// The sequences that were appended since the last good sync.
        var unsynced: ClosedRange<UInt64>?
    }

    let file: any VolumeFile
    let header: LogHeader
    private let state: Monitor<State>

    init(file: any VolumeFile, header: LogHeader, isEntryDurable: Bool) {
        self.file = file
        self.header = header
        state = Monitor(State(isEntryDurable: isEntryDurable))
    }

    /// Notes what was appended, with the lock of the store held.
    func noteAppend(end: UInt64, sequences: ClosedRange<UInt64>) {
        state.withLock { state in
            state.appendedEnd = max(state.appendedEnd, end)
            let first = state.unsynced?.lowerBound ?? sequences.lowerBound
            state.unsynced = first...sequences.upperBound
        }
    }

    /// Fails where an earlier sync has.
    func check() throws(LogError) {
        try state.withLock { (state) throws(LogError) in
            if let failure = state.failure {
                throw .poisoned(failure, unknown: state.unsynced)
            }
        }
    }

    var isEntryDurable: Bool {
        get { state.withLock { $0.isEntryDurable } }
        set { state.withLock { $0.isEntryDurable = newValue } }
    }

    private enum Turn {
        case done
        case sync(upTo: UInt64, ClosedRange<UInt64>?)
    }

    /// Returns when everything before `end` is durable.
    func synchronize(
        upTo end: UInt64, _ durability: FileDescriptor.Durability
    ) throws(LogError) {
        let turn = try state.wait { (state) throws(LogError) -> Turn? in
            if state.syncedEnd >= end { return .done }
            if let failure = state.failure {
                throw .poisoned(failure, unknown: state.unsynced)
            }
            if state.isSyncing { return nil }
            state.isSyncing = true
            return .sync(upTo: max(state.appendedEnd, end), state.unsynced)
        }
        guard case .sync(let target, let covered) = turn else { return }
        var failure: SystemError?
        do throws(SystemError) {
            try file.synchronize(durability)
        } catch {
            failure = error
        }
        try state.withLock { (state) throws(LogError) in
            state.isSyncing = false
            if let failure {
                state.failure = failure
                throw .poisoned(failure, unknown: state.unsynced)
            }
            state.syncedEnd = max(state.syncedEnd, target)
            if let covered, let unsynced = state.unsynced {
                state.unsynced =
                    unsynced.upperBound > covered.upperBound
                    ? covered.upperBound + 1...unsynced.upperBound : nil
            }
        }
    }
}

/// What was appended, and has perhaps still to be made durable.
package struct Commit: Sendable {
    let group: SyncGroup
    /// Where each frame begins, with its header's sequence.
    package var frames: [(offset: UInt64, sequence: UInt64)]
    /// Behind the last frame.
    package var end: UInt64
}
