import GroupLogFormat
import GroupLogSystem

/// Putting another log in the place of the one that is open.
extension OpenFiles {
    /// A whole log under the name `log.new`, synced.
    struct Replacement {
        var file: any VolumeFile
        var header: LogHeader
        var tail: LogTail
    }

    /// Begins a new log aside, with the store's lock held.
    ///
    /// What another compaction has left is removed, also that of one which is still at work: it
    /// finds out and gives up. The name is removed and made under the lock, so that the file which
    /// has it at the moment of a rename, under the lock too, is no other one.
    static func beginReplacement(_ volume: any StoreVolume) throws(SystemError) -> any VolumeFile {
        try volume.remove(.newLog)
        return try volume.open(.newLog, .readWrite, .exclusive)
    }

    /// Whether a file still has the name under which it was begun.
    static func isReplacement(
        _ file: any VolumeFile, named volume: any StoreVolume
    ) throws(SystemError) -> Bool {
        try volume.leads(.newLog, to: try file.status())
    }

    /// Gives the new log the name of the old one, with the store's lock held, and leaves with the new
    /// one open and locked.
    ///
    /// From the rename on every process finds the new log. That its name is durable is left to
    /// `makeDurable`, and until then to every writer that acknowledges anything (the entry rule).
    mutating func replaceLog(
        with new: Replacement, _ volume: any StoreVolume
    ) throws -> Commit {
        guard let old = log else { preconditionFailure("lock() leaves with the log open") }
        // Its lock makes whoever comes by another lock file than ours wait.
        guard try Self.isReplacement(new.file, named: volume), try new.file.tryLock() else {
            throw LogError.superseded(path: volume.path)
        }
        do throws(SystemError) {
            try volume.rename(.newLog, to: .log)
        } catch {
            try? new.file.unlock()
            throw LogError.system(error)
        }
        // Closing it unlocks it, too.
        try? old.file.unlock()
        let identity = try Self.status(of: new.file)
        let group = SyncGroup(file: new.file, header: new.header, isEntryDurable: false)
        log = OpenLog(
            file: new.file, identity: identity, fileMark: identity.mark, header: new.header,
            mark: try OpenLog.mark(of: new.file), group: group, size: identity.size,
            proven: new.tail)
        page = LockPage(
            salt: new.header.salt, end: new.tail.end, durableGeneration: 0, durableFile: 0,
            bootID: BootIdentity.current ?? LockPage.unknownBoot)
        // The log is in its place, whatever becomes of the page: one that speaks of another log
        // counts as empty.
        try? writePage(with: new.header)
        return Commit(group: group, frames: [], end: new.tail.end)
    }
}
