import GroupLogFormat
package import GroupLogSystem

/// Appends to the log of one store, as one of any number of threads and processes that do.
///
/// The order of locks, everywhere: the gate (threads of this process that use this writer), then
/// the `flock` of the lock file, then that of the log. None is held while a sync runs.
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
        /// When to give up, where the wait began before; nil for the writer's timeout from now on.
        package var deadline: Deadline?
        package var onLongWait: @Sendable () -> Void
        package init(
            isCancelled: @escaping @Sendable () -> Bool = { false }, deadline: Deadline? = nil,
            onLongWait: @escaping @Sendable () -> Void = {}
        ) {
            self.isCancelled = isCancelled
            self.deadline = deadline
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

    /// Where the store is, for messages.
    package var path: String { volume.path }

    /// Runs the body with the store's lock held and the end of the log proven.
    ///
    /// What the body appended is in the log when this returns, and survives a crash of the
    /// process; `makeDurable` makes it survive power loss. When the body throws, what it appended
    /// before stays.
    package func withLock<R>(
        _ wait: Wait = Wait(), _ body: (inout LockedLog) throws -> R
    ) throws -> (result: R, commit: Commit?) {
        try withLock(wait) { locked, _ in try body(&locked) }
    }

    private func withLock<R>(
        _ wait: Wait, _ body: (inout LockedLog, SyncGroup?) throws -> R
    ) throws -> (result: R, commit: Commit?) {
        try withOpenFiles(wait) { files in
            var locked = try files.lockedLog(volume)
            let result: R
            do {
                result = try body(&locked, files.group)
            } catch {
                _ = files.finish(locked)
                throw error
            }
            return (result, files.finish(locked))
        }
    }

    /// Puts a log that was written aside in the place of the one that is there, with the store's
    /// lock held and the old log's end proven. `finish` ends the new one, which must be synced then.
    ///
    /// Makes the change durable afterwards, without the lock, and closes the old log with a frame
    /// that says what took its place.
    func replaceLog(
        _ wait: Wait, _ finish: (inout LockedLog) throws -> OpenFiles.Replacement
    ) throws {
        let (old, commit) = try withOpenFiles(wait) { files in
            var locked = try files.lockedLog(volume)
            let replacement = try finish(&locked)
            return (locked, try files.replaceLog(with: replacement, volume))
        }
        try makeDurable(commit)
        old.close(replacedBy: commit.group.header.generation)
    }

    /// Runs the body with the store's lock held, and the log open that the path names.
    func withOpenFiles<R>(
        _ wait: Wait, _ body: (inout OpenFiles) throws -> R
    ) throws -> R {
        guard ProcessIdentity.forkGeneration == forkGeneration else {
            throw LogError.forked(path: volume.path)
        }
        let deadline = wait.deadline ?? Deadline(secondsFromNow: options.timeoutSeconds)
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
        return try body(&files)
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
        let group = commit.group
        try group.synchronize(upTo: commit.end, durability) { start in
            try writeAgain(from: start, of: group)
        }
        guard durability == .full, !group.isEntryDurable else { return }
        do throws(SystemError) {
            try volume.synchronizeNames(of: .store, includingParent: true)
        } catch {
            throw LogError.entryNotDurable(error, path: volume.path)
        }
        group.isEntryDurable = true
        // Marks the lock page, which spares others the same. The commit is durable without: who
        // has the lock now needs not to be waited for, and a failure is none of this commit.
        _ = try? withLock(Wait(deadline: Deadline(secondsFromNow: 0))) { _, _ in }
    }

    /// After a failed sync: writes the bytes of the log from an offset on once more, so that the
    /// next sync has to write them too. Gives the log's end.
    private func writeAgain(from start: UInt64, of group: SyncGroup) throws -> UInt64 {
        try withLock(Wait()) { locked, current in
            guard current === group else {
                throw FormatError(.malformed, "another log stands at the path", offset: 0)
            }
            try locked.writeAgain(from: start)
            return locked.tail.end
        }.result
    }
}
