package import GroupLogFormat
package import GroupLogSystem

/// Why the log of a store could not be read or written.
package enum LogError: Error, Sendable {
    /// A system call failed.
    case system(SystemError)
    /// The bytes are not what the format says.
    case format(FormatError, path: String)
    /// There is no store at this path.
    case noStore(path: String)
    /// The directory that would hold the new store's own is missing, and is not made.
    case parentMissing(SystemError)
    /// No store can be made here, since a file with the name of one of its own is somebody else's.
    case foreignFile(path: String)
    /// The store has a lock file that remembers a log, and no log.
    case logMissing(path: String)
    /// Another process has held the lock for all of the time that the caller would wait.
    case locked(LockHolder?, path: String, seconds: Double)
    /// The caller no longer wants to wait for the lock.
    case cancelled
    /// A sync failed before: what was written since the last good one may be lost, so this writer
    /// takes nothing more.
    case poisoned(SystemError, unknown: ClosedRange<UInt64>?)
    /// What was written is in the log, and the directory that names the log could not be synced.
    case entryNotDurable(SystemError, path: String)
    /// The store was opened by another process, of which this one is a fork.
    case forked(path: String)
    /// The end of the log is damaged in a way that recovery must not decide alone.
    case unrecoverable(path: String, range: Range<UInt64>)
    /// Another log stands in the place of the one that was being copied, or somebody else began to
    /// copy it: nothing was changed.
    case superseded(path: String)
    /// A compaction would make final what damage has cost.
    case damaged(LogReceipt, path: String)
    /// The log is at its end of what offsets can name.
    case logTooLarge(path: String)
}
