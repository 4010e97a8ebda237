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
    private var log: OpenLog?
    private var page: LockPage?

    private struct OpenLog: Sendable {
        var file: any VolumeFile
        /// Of the file as it was opened: which one it is.
        var identity: FileStatus
        var header: LogHeader
        var group: SyncGroup
        /// The bytes of the file, slack included.
        var size: UInt64
        /// The end as this writer has seen it last; nil before it has.
        var proven: LogTail?

        /// Whether the file still holds the log that was opened. Somebody may have written another
        /// one over it in place, which leaves the inode as it is.
        func isStillItself() throws(LogError) -> Bool {
            do throws(SystemError) {
                return try file.read(32..<48) == Array(header.encoded()[32..<48])
            } catch {
                throw .system(error)
            }
        }
    }

    var group: SyncGroup? { log?.group }

    // MARK: Taking the lock

    /// Takes the store's lock, and leaves with the log open that the path names.
    mutating func lock(
        _ writer: LogWriter, until deadline: Deadline, _ wait: LogWriter.Wait
    ) throws {
        let volume = writer.volume
        while true {
            let file = try openLockFile(writer)
            try Self.acquire(file, writer, until: deadline, wait)
            do {
                // The directory may have been replaced by a copy since: whoever opens the lock file
                // now finds another one, and would hold it at the same time.
                guard try isNamed(volume) else {
                    try? file.unlock()
                    forget()
                    if deadline.hasPassed { throw Self.timeout(writer) }
                    continue
                }
                try readPage(file, writer)
                try openLog(writer)
                wasOpen = true
                return
            } catch {
                // The error at hand says more than one of unlocking, which only a descriptor that
                // is not open has.
                try? file.unlock()
                throw error
            }
        }
    }

    /// Closes all, so that the names are opened anew.
    private mutating func forget() {
        var files = OpenFiles()
        files.wasOpen = wasOpen
        self = files
    }

    private func mayCreate(_ writer: LogWriter) -> Bool { writer.options.mayCreate && !wasOpen }

    func unlock() {
        // See above: fails only for a descriptor that is not open.
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

    private static func acquire(
        _ file: any VolumeFile, _ writer: LogWriter, until deadline: Deadline,
        _ wait: LogWriter.Wait
    ) throws(LogError) {
        let lockWait = LockWait(
            until: deadline, isCancelled: wait.isCancelled, onLongWait: wait.onLongWait)
        do throws(LockWait.Failure) {
            try lockWait.acquire { () throws(SystemError) in try file.tryLock() }
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
        do throws(SystemError) {
            let named = try volume.status(of: .lock)
            return lockStatus.map { named.isSameFile(as: $0) } ?? false
        } catch {
            if error.errno == .noSuchFile { return false }
            throw LogError.system(error)
        }
    }

    // MARK: The lock page

    private mutating func readPage(_ file: any VolumeFile, _ writer: LogWriter) throws {
        do throws(SystemError) {
            let bytes = try file.read(0..<UInt64(LockPage.holderOffset + LockHolder.size))
            if bytes.count < LockPage.holderOffset + LockHolder.size {
                try file.writeZeros(UInt64(bytes.count)..<UInt64(LogLayout.lockPageSize))
            }
            page = unsafe LockPage.decode(bytes.span.bytes)
            let now = Clock.wallMicroseconds()
            let holder = unsafe LockHolder.decode(bytes.span.bytes)
            let me = LockHolder(
                processID: ProcessIdentity.processID, name: ProcessIdentity.name,
                purpose: writer.options.purpose, since: now)
            // Nobody needs the moment to the microsecond, and a loop of appends is faster so.
            if holder?.processID != me.processID || holder?.purpose != me.purpose
                || abs((holder?.since ?? 0) &- now) >= 1_000_000
            {
                try file.writeAll(me.encoded(), at: UInt64(LockPage.holderOffset))
            }
        } catch {
            throw LogError.system(error)
        }
    }

    // MARK: The log

    private mutating func openLog(_ writer: LogWriter) throws {
        let volume = writer.volume
        let status: FileStatus
        do throws(SystemError) {
            status = try volume.status(of: .log)
        } catch {
            guard error.errno == .noSuchFile else { throw LogError.system(error) }
            guard !volume.isLockMarked() else { throw LogError.logMissing(path: volume.path) }
            guard mayCreate(writer) else { throw LogError.noStore(path: volume.path) }
            try createLog(volume)
            return try openLog(writer)
        }
        if let log, log.identity.isSameFile(as: status), try log.isStillItself() {
            self.log?.size = status.size
            return
        }
        let file = try volume.openLog(.readWrite)
        let header = try volume.headerCopies(of: file).header
        let identity = try Self.status(of: file)
        do throws(FormatError) {
            try header.checkWritable()
            // A log gets its name when it is whole: a shorter one was cut, and is nobody's to go on
            // with.
            guard identity.size >= LogLayout.firstFrameOffset else {
                throw FormatError(.truncated, "the log was cut short", offset: identity.size)
            }
        } catch {
            throw LogError.format(error, path: volume.path + "/" + VolumeName.log.text)
        }
        let isEntryDurable =
            page?.salt == header.salt && page?.durableGeneration == header.generation
        log = OpenLog(
            file: file, identity: identity, header: header,
            group: SyncGroup(file: file, header: header, isEntryDurable: isEntryDurable),
            size: identity.size, proven: nil)
        if page?.salt != header.salt {
            page = LockPage(salt: header.salt, end: 0, durableGeneration: 0)
            try writePage(with: header)
        }
    }

    private static func status(of file: any VolumeFile) throws(LogError) -> FileStatus {
        do throws(SystemError) { return try file.status() } catch { throw .system(error) }
    }

    /// Makes the log of a new store, whole before it has its name.
    private func createLog(_ volume: any StoreVolume) throws {
        let header = LogHeader(
            storeID: StoreID(bytes: (0..<16).map { _ in .random(in: .min ... .max) }),
            generation: 1, salt: .random(in: .min ... .max))
        let preamble = header.encodedPreamble()
        do throws(SystemError) {
            let file = try volume.open(.newLog, .readWrite, .emptying)
            do throws(SystemError) {
                try file.writeAll(preamble, at: 0)
                let end = UInt64(preamble.count)
                try file.writeZeros(end..<end + Slack.size(forLogOf: end))
                try file.synchronize(.full)
                try volume.rename(.newLog, to: .log)
            } catch {
                try volume.remove(.newLog)
                throw error
            }
        } catch {
            throw LogError.system(error)
        }
    }

    private func writePage(with header: LogHeader? = nil) throws {
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

    // MARK: The end of the log

    /// The log with its end proven, and mended where it is torn.
    mutating func lockedLog(_ volume: any StoreVolume) throws -> LockedLog {
        guard let log else { preconditionFailure("lock() leaves with the log open") }
        let image = LogImage(file: log.file, region: nil, size: log.size)
        var tail = try knownTail(of: log, in: image)
        if tail == nil { tail = try LogTail.proven(in: image, salt: log.header.salt) }
        if tail == nil { tail = try mend(log, volume) }
        guard let tail else { preconditionFailure("mending finds an end or throws") }
        self.log?.proven = tail
        return LockedLog(header: log.header, file: log.file, size: log.size, tail: tail)
    }

    /// The end that the lock page tells, if the log proves it.
    private func knownTail(of log: OpenLog, in image: LogImage) throws -> LogTail? {
        // After a power loss what a torn write left can stand anywhere in the slack, so all of it is
        // looked at once after each start of the system. A process that was killed leaves the front
        // of its frame, or of what it was covering with zeros, which shows at the end itself.
        guard let page, page.salt == log.header.salt, page.end <= log.size,
            page.bootID == BootIdentity.current, page.end > LogLayout.firstFrameOffset,
            page.end % UInt64(LogLayout.alignment) == 0
        else { return nil }
        let around = page.end - 8..<min(page.end + 8, log.size)
        let trailer = try image.withBytes(around) { bytes -> FrameTrailer? in
            guard bytes.isZero(8..<bytes.byteCount) else { return nil }
            return FrameTrailer(bytes, endingAt: 8)
        }
        guard let trailer else { return nil }
        // This writer has proven the frame with this trailer before, and nobody changes a frame.
        if let proven = log.proven, page.end == proven.end,
            proven.last.map({ FrameTrailer($0) }) == trailer
        {
            return proven
        }
        return try LogTail.proven(endingAt: page.end, in: image, salt: log.header.salt)
    }

    /// Finds the last proven frame, and takes what lies behind it out of the way.
    private func mend(_ log: OpenLog, _ volume: any StoreVolume) throws -> LogTail {
        var mapped: MappedRegion?
        do throws(SystemError) {
            mapped =
                try Int(exactly: log.size).map { length throws(SystemError) in
                    try log.file.map(length: length)
                } ?? nil
        } catch {
            throw LogError.system(error)
        }
        let image = LogImage(file: log.file, region: mapped, size: log.size)
        var tail = try LogTail.find(in: image, salt: log.header.salt)
        guard let torn = tail.torn else { return tail }
        guard torn.count <= LogLayout.maximumFrameLength else {
            // No write of ours leaves so much: this is not a torn frame.
            throw LogError.unrecoverable(path: volume.path, range: torn)
        }
        do throws(SystemError) {
            try Quarantine(volume).keep(torn, of: log.file, header: log.header)
        } catch {
            // On a full disk a write that never ended is given up for the sake of those to come;
            // what is not plainly that stays where it is.
            let isPlain =
                try image.frameHeader(at: torn.lowerBound, salt: log.header.salt) != nil
                || torn.count < LogLayout.frameHeaderSize
            guard error.errno.isOutOfSpace, isPlain else { throw LogError.system(error) }
        }
        do throws(SystemError) {
            try log.file.writeZerosBackward(torn)
        } catch {
            throw LogError.system(error)
        }
        tail.torn = nil
        return tail
    }

    /// Notes what was appended, for the sync and in the lock page.
    mutating func finish(_ locked: LockedLog) -> Commit? {
        guard let group = log?.group, var page else { return nil }
        log?.size = locked.size
        log?.proven = locked.tail
        page.salt = locked.header.salt
        page.end = locked.tail.end
        page.bootID = BootIdentity.current ?? LockPage.unknownBoot
        let isMarked =
            self.page?.salt == locked.header.salt
            && self.page?.durableGeneration == locked.header.generation
        // Another writer may have set the mark since this one opened the log.
        if isMarked { group.isEntryDurable = true }
        page.durableGeneration = group.isEntryDurable ? locked.header.generation : 0
        if page != self.page {
            self.page = page
            // The frames stand, whatever becomes of the hint: an older one only costs the next
            // writer a longer look.
            try? writePage()
        }
        guard let first = locked.appended.first, let last = locked.appended.last else {
            return nil
        }
        group.noteAppend(end: locked.tail.end, sequences: first.sequence...last.sequence)
        return Commit(group: group, frames: locked.appended, end: locked.tail.end)
    }
}
