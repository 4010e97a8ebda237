/// What a process of the model does, a system call or a decision at a time.
///
/// The sections are those of FORMAT.md; `n.` is the step of "Lock protocol".
enum ProtocolStep: UInt8, Hashable {
    // Taking the lock ("Lock protocol").
    /// 1. Open `lock`, which is made where it is missing.
    case openLock
    /// 1. Take its `flock`.
    case lockLock
    /// 2. Check that the name `lock` still leads to it.
    case checkLockName
    /// 4. Open the log that has the name, unless one is open.
    case openLog
    /// 3. Take the log's `flock`.
    case lockLog
    /// 4. Check that the name `log` still leads to it, and read the page ("The lock file").
    case checkLogName

    // A writer ("Writer's duties").
    /// 4. Write the frame.
    case append
    /// 6. Unlock; the append returns.
    case unlock
    /// 6. Make the log durable.
    case syncLog
    /// 6. The entry rule: make its name durable where it is not known to be ("The lock file").
    case syncNames
    /// The entry rule: set the mark, under the lock if that is to be had at once.
    case setMark
    case acknowledge

    // A compactor ("Compaction").
    /// Read the log that has the name, before any lock.
    case look
    /// With the lock held: that log is still the one.
    case checkSource
    /// `log.new` is removed,
    case removeNew
    /// and made, with the lock held.
    case makeNew
    case unlockMade
    /// Copy what is there, without a lock.
    case copy
    /// With the lock held once more: the old log is still the one that was copied.
    case checkSourceAgain
    /// Copy what was appended meanwhile.
    case copyRest
    /// The new file is synced.
    case syncNew
    /// A compaction whose file has lost the name gives up. The new log is locked as well.
    case checkNew
    /// It gets the old one's name.
    case rename
    /// The page speaks of the new log, whose name is not durable. Unlock, and make it durable, as a
    /// writer does: `unlock` to `setMark`.
    case setPage
    /// The old file is closed by a last frame.
    case closeOld

    /// Somebody puts a synced copy of the log in its place, with the lock held, under a name of his
    /// own, and does not sync the directory.
    case replace

    /// Has ended, or was killed.
    case gone

    enum Kind: UInt8, Hashable {
        case writer, compactor
        /// Puts a copy of the log in its place, as whoever restores a backup does.
        case restorer

        var firstStep: ProtocolStep { self == .compactor ? .look : .openLock }
    }
}

/// How large the model is, and what is left out of the protocol to see that it matters.
struct ProtocolSetting {
    var appendsOfWriter: UInt8 = 1
    var crashes: UInt8 = 0
    /// How often it goes on after a power loss. What a power loss would leave is looked at in every
    /// state all the same.
    var powerLosses: UInt8 = 0
    /// How often somebody removes the lock file.
    var lockRemovals: UInt8 = 0
    var omitted: Omission?

    enum Omission: CaseIterable {
        /// The sync of the new file before the rename.
        case syncOfNewFile
        /// The check under the lock that the log is still the one that is copied.
        case checkOfSource
        /// The check that `log.new` is still the file that was written.
        case checkOfNewName
        /// A writer's check that the name leads to the log that it has open.
        case checkOfLogName
        /// The sync of the directory by a writer that finds no mark.
        case entryRule
        /// The copy of the rest under the lock.
        case copyOfRest
        /// The lock while `log.new` is removed and made.
        case lockForNewFile
        /// The sync of the directory before the old log is closed.
        case syncBeforeClosing
        /// The log's own `flock`, beside that of the lock file.
        case lockOfLog
        /// The `flock` of the new log before it gets the name.
        case lockOfNewLog
        /// That the mark in the page counts for one file only.
        case fileOfMark
    }
}
