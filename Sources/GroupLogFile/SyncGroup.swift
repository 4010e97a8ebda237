import GroupLogFormat
import GroupLogSystem

/// Makes the appends of one process to one log durable, several with one sync.
///
/// A sync covers all that was written before it began. So of the threads that wait, one syncs for
/// all that have appended by then, and those that come later wait for the next sync.
///
/// A failed sync is not tried again as if nothing had been: the kernel may have marked the pages
/// clean that it could not write, so that a second one would succeed and mean nothing. The same
/// bytes are written once more first. If that does not help, nothing more is promised: this group
/// takes no more appends.
package final class SyncGroup: Sendable {
    private struct State: Sendable {
        var appendedEnd: UInt64 = 0
        /// Where what survives power loss ends. A barrier promises less than a full sync, so each
        /// has its own.
        var fullEnd: UInt64 = 0
        var barrierEnd: UInt64 = 0
        var isSyncing = false
        var isEntryDurable: Bool
        var failure: SystemError?
        /// What was appended since the last good sync.
        var unsynced: Unsynced?

        func end(_ durability: FileDescriptor.Durability) -> UInt64 {
            durability == .full ? fullEnd : max(fullEnd, barrierEnd)
        }
    }

    private struct Unsynced: Sendable {
        var start: UInt64
        var sequences: ClosedRange<UInt64>
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
    ///
    /// Mostly behind all that was appended before. But somebody may have put an older copy of the
    /// log in its place, and then no earlier sync speaks for these bytes.
    func noteAppend(_ range: Range<UInt64>, sequences: ClosedRange<UInt64>) {
        state.withLock { state in
            state.appendedEnd = range.upperBound
            state.fullEnd = min(state.fullEnd, range.lowerBound)
            state.barrierEnd = min(state.barrierEnd, range.lowerBound)
            let known = state.unsynced
            state.unsynced = Unsynced(
                start: min(known?.start ?? range.lowerBound, range.lowerBound),
                sequences: min(
                    known?.sequences.lowerBound ?? .max, sequences.lowerBound)...max(
                        known?.sequences.upperBound ?? 0, sequences.upperBound))
        }
    }

    /// Fails where syncing has failed for good.
    func check() throws(LogError) {
        try state.withLock { (state) throws(LogError) in
            if let failure = state.failure {
                throw .poisoned(failure, unknown: state.unsynced?.sequences)
            }
        }
    }

    var isEntryDurable: Bool {
        get { state.withLock { $0.isEntryDurable } }
        set { state.withLock { $0.isEntryDurable = newValue } }
    }

    private enum Turn {
        case done
        case sync(upTo: UInt64, Unsynced?)
    }

    /// Returns when everything before `end` is durable.
    ///
    /// - Parameter writeAgain: writes what the log has from an offset on once more, and gives the
    ///   log's end.
    func synchronize(
        upTo end: UInt64, _ durability: FileDescriptor.Durability,
        writeAgain: (UInt64) throws -> UInt64
    ) throws(LogError) {
        let turn = try state.wait { (state) throws(LogError) -> Turn? in
            if state.end(durability) >= end { return .done }
            if let failure = state.failure {
                throw .poisoned(failure, unknown: state.unsynced?.sequences)
            }
            if state.isSyncing { return nil }
            state.isSyncing = true
            return .sync(upTo: max(state.appendedEnd, end), state.unsynced)
        }
        guard case .sync(var target, var covered) = turn else { return }
        var failure: SystemError?
        do throws(SystemError) {
            try file.synchronize(durability)
        } catch {
            failure = error
            do {
                let start = covered?.start ?? LogLayout.firstFrameOffset
                target = max(target, try writeAgain(start))
                covered = state.withLock { $0.unsynced }
                try file.synchronize(durability)
                failure = nil
            } catch {
                // The first failure is the one to tell.
            }
        }
        try finish(failure, target: target, covered: covered, durability)
    }

    private func finish(
        _ failure: SystemError?, target: UInt64, covered: Unsynced?,
        _ durability: FileDescriptor.Durability
    ) throws(LogError) {
        try state.withLock { (state) throws(LogError) in
            state.isSyncing = false
            if let failure {
                state.failure = failure
                throw .poisoned(failure, unknown: state.unsynced?.sequences)
            }
            switch durability {
            case .full: state.fullEnd = max(state.fullEnd, target)
            case .barrier: state.barrierEnd = max(state.barrierEnd, target)
            }
            guard let covered, let unsynced = state.unsynced else { return }
            let last = covered.sequences.upperBound
            state.unsynced =
                unsynced.sequences.upperBound > last
                ? Unsynced(start: target, sequences: last + 1...unsynced.sequences.upperBound)
                : nil
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
