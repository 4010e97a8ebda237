import GroupLogFormat
package import GroupLogSystem

/// Appends to the log of one store, as one of any number of threads and processes that do.
///
/// The order of locks, everywhere: the gate (threads of this process that use this writer), then
/// the store's `flock`. Neither is held while a sync runs.
package final class LogWriter: Sendable {
    package struct Options: Sendable {
        /// Whether a store that is missing may be made.
        package var mayCreate: Bool
        /// What those who wait are told that the lock is held for.
        package var purpose: String
        /// How long to wait for the lock.
        package var timeoutSeconds: Double

        package init(mayCreate: Bool, purpose: String, timeoutSeconds: Double) {
            self.mayCreate = mayCreate
            self.purpose = purpose
            self.timeoutSeconds = timeoutSeconds
        }
    }

    /// What waiting for the lock may be ended by, and whom it tells.
    package struct Wait: Sendable {
        package var isCancelled: @Sendable () -> Bool
        package var onLongWait: @Sendable () -> Void
        package init(
            isCancelled: @escaping @Sendable () -> Bool = { false },
            onLongWait: @escaping @Sendable () -> Void = {}
        ) {
            self.isCancelled = isCancelled
            self.onLongWait = onLongWait
        }
    }

    let volume: any StoreVolume
    let options: Options
    private let gate = Monitor(Gate())
    private let forkGeneration = ProcessIdentity.forkGeneration

    /// What only one thread uses at a time.
    private struct Gate: Sendable {
        var isTaken = false
        var files = OpenFiles()
    }

    package init(_ volume: any StoreVolume, _ options: Options) {
        self.volume = volume
        self.options = options
    }

    /// Runs the body with the store's lock held and the end of the log proven.
    ///
    /// What the body appended is in the log when this returns, and survives a crash of the
    /// process; `makeDurable` makes it survive power loss. When the body throws, what it appended
    /// before stays.
    package func withLock<R>(
        _ wait: Wait = Wait(), _ body: (inout LockedLog) throws -> R
    ) throws -> (result: R, commit: Commit?) {
        guard ProcessIdentity.forkGeneration == forkGeneration else {
            throw LogError.forked(path: volume.path)
        }
        let deadline = Deadline(secondsFromNow: options.timeoutSeconds)
        var files = try takeGate(until: deadline, wait)
        defer {
            gate.withLock { gate in
                gate.files = files
                gate.isTaken = false
            }
        }
        try files.group?.check()
        try files.lock(self, until: deadline, wait)
        defer { files.unlock() }
        var locked = try files.lockedLog(volume)
        let result: R
        do {
            result = try body(&locked)
        } catch {
            _ = files.finish(locked)
            throw error
        }
        return (result, files.finish(locked))
    }

    private func takeGate(until deadline: Deadline, _ wait: Wait) throws(LogError) -> OpenFiles {
        let files = try gate.wait(until: deadline) { (gate) throws(LogError) -> OpenFiles? in
            if wait.isCancelled() { throw .cancelled }
            guard !gate.isTaken else { return nil }
            gate.isTaken = true
            return gate.files
        }
        guard let files else {
            throw .locked(
                volume.lastHolder(), path: volume.path, seconds: options.timeoutSeconds)
        }
        return files
    }

    /// Makes a commit survive power loss: the log, and the directory entry by which it is found.
    ///
    /// Takes no lock while it syncs. Once in each generation of a store the directory is synced
    /// too, and the lock page remembers that it was.
    package func makeDurable(
        _ commit: Commit, _ durability: FileDescriptor.Durability = .full
    ) throws {
        try commit.group.synchronize(upTo: commit.end, durability)
        guard durability == .full, !commit.group.isEntryDurable else { return }
        do throws(SystemError) {
            try volume.synchronizeNames(includingParent: true)
        } catch {
            throw LogError.system(error)
        }
        commit.group.isEntryDurable = true
        // The commit is durable. The mark spares other writers the sync of the directory; when it
        // cannot be set now, the next one to take the lock here sets it.
        _ = try? withLock { _ in }
    }
}
