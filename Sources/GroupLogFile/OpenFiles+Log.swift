import GroupLogFormat
import GroupLogSystem

/// Opening the log, and making the log of a new store.
extension OpenFiles {
    /// Has the log open that the path names, with the lock file's lock held; gives false where the
    /// log came or went meanwhile by somebody who knows nothing of locks.
    mutating func openLog(_ writer: LogWriter) throws -> Bool {
        if log != nil { return true }
        let volume = writer.volume
        do throws(SystemError) {
            _ = try volume.status(of: .log)
        } catch {
            guard error.errno == .noSuchFile else { throw LogError.system(error) }
            guard try !volume.isLockMarked() else { throw LogError.logMissing(path: volume.path) }
            guard mayCreate(writer) else { throw LogError.noStore(path: volume.path) }
            try Self.refuseForeignFiles(volume)
            guard try createLog(volume) else { return false }
        }
        let file = try volume.openLog(.readWrite)
        let header = try volume.headerCopies(of: file).header
        do throws(FormatError) { try header.checkWritable() } catch {
            throw LogError.format(error, path: volume.path + "/" + VolumeName.log.text)
        }
        let identity = try Self.status(of: file)
        log = OpenLog(
            file: file, identity: identity, fileMark: identity.mark, header: header,
            mark: try OpenLog.mark(of: file),
            group: SyncGroup(file: file, header: header, isEntryDurable: false),
            size: identity.size, proven: nil)
        return true
    }

    /// Refuses to make a store where files with its names are somebody else's. What an attempt of
    /// ours has left that never ended is empty, or zero, or begins as files of this kind do.
    private static func refuseForeignFiles(_ volume: any StoreVolume) throws(LogError) {
        let kinds: [(VolumeName, [UInt8])] = [
            (.lock, LockPage.magic), (.newLog, LogHeader.magic),
        ]
        for (name, magic) in kinds {
            let start: [UInt8]
            do throws(SystemError) {
                start = try volume.open(name, .read, .never).read(0..<UInt64(magic.count))
            } catch {
                if error.errno == .noSuchFile { continue }
                throw .system(error)
            }
            guard start == magic || start.allSatisfy({ $0 == 0 }) else {
                throw .foreignFile(path: volume.path + "/" + name.text)
            }
        }
    }

    /// Makes the log of a new store: whole before it has its name, and its name durable before the
    /// lock page says that there is a log, so that after a power loss none is missed that nobody
    /// has written to. Gives false where something has the name already, or where somebody else
    /// makes a log too, since the lock file was removed: the new file is locked all the while, so
    /// that nobody takes it for a log before it is one.
    private mutating func createLog(_ volume: any StoreVolume) throws -> Bool {
        let header = LogHeader(
            storeID: StoreID(bytes: (0..<16).map { _ in .random(in: .min ... .max) }),
            generation: 1, salt: .random(in: .min ... .max))
        let preamble = header.encodedPreamble()
        let identity: FileStatus
        do throws(SystemError) {
            // A file of this name is of an attempt that never ended, or perhaps a second name of a
            // log: so it is removed, and never emptied.
            try volume.remove(.newLog)
            let file = try volume.open(.newLog, .readWrite, .exclusive)
            defer { try? file.unlock() }
            guard try file.tryLock() else { return false }
            do throws(SystemError) {
                try file.writeAll(preamble, at: 0)
                let end = UInt64(preamble.count)
                try file.writeZeros(end..<end + Slack.size(forLogOf: end))
                try file.synchronize(.full)
                identity = try file.status()
                guard try volume.leads(.newLog, to: identity) else { return false }
                try volume.renameExclusively(.newLog, to: .log)
            } catch {
                // The first error is the one to tell; what is left is removed by the next attempt.
                try? volume.remove(.newLog)
                throw error
            }
            try volume.synchronizeNames(of: .store, includingParent: true)
        } catch {
            // Somebody else's log has the name, or took ours with it.
            if error.errno == .exists || error.errno == .noSuchFile { return false }
            throw LogError.system(error)
        }
        page = LockPage(
            salt: header.salt, end: UInt64(preamble.count), durableGeneration: header.generation,
            durableFile: identity.mark)
        try writePage(with: header)
        return true
    }
}
