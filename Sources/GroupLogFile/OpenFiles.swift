import GroupLogFormat
import GroupLogSystem

/// The lock file and the log as a writer has them open, and what it knows of the log's end.
///
/// What it knows is a hint: each time the lock is taken, the names are compared with the files and
/// the end is proven in the log.
struct OpenFiles: Sendable {
    private var lockFile: (any VolumeFile)?
    private var lockStatus: FileStatus?
    /// Whether the store was there once. It is made when it is opened first, and never again: what is
    /// gone later was moved or removed by somebody, and an empty store in its place would hide that.
    private var wasOpen = false
    var log: OpenLog?
    var page: LockPage?
    /// The end of the log that the page told when the lock was taken, if the log has proven it.
    private(set) var provenTail: LogTail?
    /// What the page says of this process when it had the lock last, and since when.
    private var holder: (bytes: [UInt8], since: Int64)?

    struct OpenLog: Sendable {
        var file: any VolumeFile
        /// Of the file as it was opened: which one it is.
        var identity: FileStatus
        /// The same for the lock page.
        var fileMark: UInt32
        var header: LogHeader
        /// The generation and the salt as they stood in the log's first bytes, be they good or not.
        var mark: [UInt8]
        var group: SyncGroup
        /// The bytes of the file, slack included.
        var size: UInt64
        /// The end as this writer has seen it last; nil before it has.
        var proven: LogTail?

        /// The marks of the lock page: where this log's name is known to be durable.
        var durableEntry: (generation: UInt64, file: UInt32) {
            group.isEntryDurable ? (header.generation, fileMark) : (0, 0)
        }

        /// Whether the file still holds the log that was opened. Somebody may have written another
        /// one over it in place, which leaves the inode as it is.
        func isStillItself() throws(LogError) -> Bool { try Self.mark(of: file) == mark }

        static func mark(of file: any VolumeFile) throws(LogError) -> [UInt8] {
            do throws(SystemError) { return try file.read(32..<48) } catch { throw .system(error) }
        }
    }

    var group: SyncGroup? { log?.group }

    // MARK: Taking the lock

    /// Takes the store's lock, and leaves with the log open that the path names.
    ///
    /// The log is locked too, while this lasts. The lock file alone would do, if nobody ever removed
    /// it or put another directory in the store's place: then whoever opens the lock file finds
    /// another one, and would hold it at the same time.
    mutating func lock(
        _ writer: LogWriter, until deadline: Deadline, _ wait: LogWriter.Wait
    ) throws {
        while true {
            do {
                let file = try openLockFile(writer)
                try Self.acquire(writer, until: deadline, wait) { () throws(SystemError) in
                    try file.tryLock()
                }
                if try isNamed(writer.volume), try openLog(writer) {
                    guard let log else { preconditionFailure("openLog leaves with the log open") }
                    if try Self.acquire(log, writer, until: deadline, wait),
                        try isNamed(log, writer.volume), try proveEnd(file, writer)
                    {
                        wasOpen = true
                        return
                    }
                }
            } catch {
                unlock()
                throw error
            }
            unlock()
            forget()
            if deadline.hasPassed { throw Self.timeout(writer) }
        }
    }

    /// Closes all, so that the names are opened anew.
    private mutating func forget() {
        var files = OpenFiles()
        files.wasOpen = wasOpen
        self = files
    }

    func mayCreate(_ writer: LogWriter) -> Bool { writer.options.mayCreate && !wasOpen }

    /// Unlocking fails only for a descriptor that is not open, and then there is no lock.
    func unlock() {
        try? log?.file.unlock()
        try? lockFile?.unlock()
    }

    private mutating func openLockFile(_ writer: LogWriter) throws -> any VolumeFile {
        if let lockFile { return lockFile }
        let file = try openOrMakeLockFile(writer)
        lockStatus = try Self.status(of: file)
        lockFile = file
        return file
    }

    private func openOrMakeLockFile(_ writer: LogWriter) throws -> any VolumeFile {
        let volume = writer.volume
        do throws(SystemError) {
            return try volume.open(.lock, .readWrite, .never)
        } catch {
            guard error.errno == .noSuchFile else { throw LogError.system(error) }
        }
        do throws(SystemError) {
            if mayCreate(writer) {
                try volume.makeDirectory(.store)
            } else {
                _ = try volume.status(of: .log)
            }
            return try volume.open(.lock, .readWrite, .ifMissing)
        } catch {
            guard error.errno == .noSuchFile else { throw LogError.system(error) }
            throw mayCreate(writer)
                ? LogError.parentMissing(error) : LogError.noStore(path: volume.path)
        }
    }

    /// Takes the log's lock too; gives false where the path names another log while somebody has
    /// this one's. A compaction that closes the log which it has replaced may be held up in that,
    /// and nobody is to wait for it who only has the old log open.
    private static func acquire(
        _ log: OpenLog, _ writer: LogWriter, until deadline: Deadline, _ wait: LogWriter.Wait
    ) throws(LogError) -> Bool {
        var isHeld = false
        try acquire(writer, until: deadline, wait) { () throws(SystemError) in
            isHeld = try log.file.tryLock()
            if isHeld { return true }
            return try !writer.volume.leads(.log, to: log.identity)
        }
        return isHeld
    }

    private static func acquire(
        _ writer: LogWriter, until deadline: Deadline, _ wait: LogWriter.Wait,
        _ tryLock: () throws(SystemError) -> Bool
    ) throws(LogError) {
        let lockWait = LockWait(
            until: deadline, isCancelled: wait.isCancelled, onLongWait: wait.onLongWait)
        do throws(LockWait.Failure) {
            try lockWait.acquire(tryLock)
        } catch {
            switch error {
            case .timedOut: throw timeout(writer)
            case .cancelled: throw .cancelled
            case .refused(let cause): throw .system(cause)
            }
        }
    }

    private static func timeout(_ writer: LogWriter) -> LogError {
        .locked(
            writer.volume.lastHolder(), path: writer.volume.path,
            seconds: writer.options.timeoutSeconds)
    }

    private func isNamed(_ volume: any StoreVolume) throws -> Bool {
        guard let lockStatus else { return false }
        do throws(SystemError) {
            return try volume.leads(.lock, to: lockStatus)
        } catch {
            throw LogError.system(error)
        }
    }

    /// Whether the path still names the log that is open, and notes its size.
    private mutating func isNamed(_ log: OpenLog, _ volume: any StoreVolume) throws -> Bool {
        do throws(SystemError) {
            let named = try volume.status(of: .log)
            guard named.isSameFile(as: log.identity) else { return false }
            self.log?.size = named.size
        } catch {
            if error.errno == .noSuchFile { return false }
            throw LogError.system(error)
        }
        return true
    }

    /// Finds the end that the lock page tells, and gives false where the file holds another log than
    /// the one that was opened. A frame that verifies with that log's salt, at its place, proves that
    /// it does; only where none does, the header is looked at.
    private mutating func proveEnd(
        _ lockFile: any VolumeFile, _ writer: LogWriter
    ) throws -> Bool {
        try readPage(lockFile, writer)
        guard let log else { return false }
        provenTail = try knownTail(of: log)
        guard try provenTail != nil || log.isStillItself() else { return false }
        try matchPage(with: log)
        return true
    }

    static func status(of file: any VolumeFile) throws(LogError) -> FileStatus {
        do throws(SystemError) { return try file.status() } catch { throw .system(error) }
    }

    // MARK: The lock page

    private mutating func readPage(_ file: any VolumeFile, _ writer: LogWriter) throws {
        do throws(SystemError) {
            let bytes = try file.read(0..<UInt64(LockPage.holderOffset + LockHolder.size))
            if bytes.count < LockPage.holderOffset + LockHolder.size {
                try file.writeZeros(UInt64(bytes.count)..<UInt64(LogLayout.lockPageSize))
            }
            page = unsafe LockPage.decode(bytes.span.bytes)
            try noteHolder(in: file, writer, bytes)
        } catch {
            throw LogError.system(error)
        }
    }

    /// Has the page speak of the log that is open, and takes up what it says of that.
    private mutating func matchPage(with log: OpenLog) throws {
        if page?.salt != log.header.salt {
            page = LockPage(
                salt: log.header.salt, end: 0, durableGeneration: log.durableEntry.generation,
                durableFile: log.durableEntry.file)
            try writePage(with: log.header)
        } else if page?.durableGeneration == log.header.generation,
            page?.durableFile == log.fileMark
        {
            log.group.isEntryDurable = true
        }
    }

    /// Notes in the page who has the lock, unless it says so already.
    private mutating func noteHolder(
        in file: any VolumeFile, _ writer: LogWriter, _ page: [UInt8]
    ) throws(SystemError) {
        let now = Clock.wallMicroseconds()
        // Nobody needs the moment to the microsecond, and a loop of appends is faster so.
        func isRecent(_ since: Int64) -> Bool { (now &- since).magnitude < 1_000_000 }
        let bytes = unsafe page.span.bytes
        let place = LockPage.holderOffset..<LockPage.holderOffset + LockHolder.size
        if let holder, bytes.byteCount >= place.upperBound, isRecent(holder.since),
            bytes.equals(place, holder.bytes)
        {
            return
        }
        let me = LockHolder(
            processID: ProcessIdentity.processID, name: ProcessIdentity.name,
            purpose: writer.options.purpose, since: now)
        if let before = LockHolder.decode(bytes), before.processID == me.processID,
            before.purpose == me.purpose, isRecent(before.since)
        {
            // Another writer of this process noted it.
            holder = (Array(page[place]), before.since)
            return
        }
        let encoded = me.encoded()
        try file.writeAll(encoded, at: UInt64(LockPage.holderOffset))
        holder = (encoded, now)
    }

    func writePage(with header: LogHeader? = nil) throws {
        guard let lockFile, let page else { return }
        do throws(SystemError) {
            try lockFile.writeAll(page.encoded(), at: 0)
            if let header {
                try lockFile.writeAll(header.encoded(), at: UInt64(LockPage.headerOffset))
            }
        } catch {
            throw LogError.system(error)
        }
    }
}

extension FileStatus {
    /// What tells the file from a copy of it in the lock page.
    var mark: UInt32 { LockPage.fileMark(device: device, inode: inode) }
}
