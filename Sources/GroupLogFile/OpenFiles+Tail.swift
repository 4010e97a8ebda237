import GroupLogFormat
import GroupLogSystem

/// The end of the log: finding it, mending it, and noting where it is.
extension OpenFiles {
    /// The log with its end proven, and mended where it is torn.
    mutating func lockedLog(_ volume: any StoreVolume) throws -> LockedLog {
        guard let log else { preconditionFailure("lock() leaves with the log open") }
        var tail = provenTail
        if tail == nil {
            let image = LogImage(file: log.file, region: nil, size: log.size)
            tail = try LogTail.proven(in: image, salt: log.header.salt)
        }
        if tail == nil { tail = try mend(log, volume) }
        guard let tail else { preconditionFailure("mending finds an end or throws") }
        self.log?.proven = tail
        return LockedLog(header: log.header, file: log.file, size: log.size, tail: tail)
    }

    /// So many zeros have to stand behind an end that the lock page tells. Eight would do for all that
    /// writers leave; more show that the page is an old one where damage has taken the first bytes
    /// of the frame behind it.
    private static let provenZeros: UInt64 = 4096

    /// The end that the lock page tells, if the log proves it.
    func knownTail(of log: OpenLog) throws -> LogTail? {
        // After a power loss what a torn write left can stand anywhere in the slack, so all of it is
        // looked at once after each start of the system. A process that was killed leaves the front
        // of its frame, or of what it was covering with zeros, which shows at the end itself.
        // A page that was copied with its directory is older than the log that was copied after it.
        guard let page, page.salt == log.header.salt, page.end <= log.size,
            page.bootID == BootIdentity.current, page.end > LogLayout.firstFrameOffset,
            page.end % UInt64(LogLayout.alignment) == 0,
            page.durableFile == 0 || page.durableFile == log.fileMark
        else { return nil }
        let image = LogImage(file: log.file, region: nil, size: log.size)
        let around = page.end - 8..<min(page.end + Self.provenZeros, log.size)
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
        // What cannot be mapped is read.
        let region = Int(exactly: log.size).flatMap { try? log.file.map(length: $0) }
        let image = LogImage(file: log.file, region: region, size: log.size)
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
            try log.file.erase(torn)
        } catch {
            throw LogError.system(error)
        }
        tail.torn = nil
        return tail
    }

    /// Notes what was appended, for the sync and in the lock page.
    mutating func finish(_ locked: LockedLog) -> Commit? {
        log?.size = locked.size
        log?.proven = locked.tail
        guard let log else { return nil }
        let (group, entry) = (log.group, log.durableEntry)
        let page = LockPage(
            salt: locked.header.salt, end: locked.tail.end,
            durableGeneration: entry.generation, durableFile: entry.file,
            bootID: BootIdentity.current ?? LockPage.unknownBoot)
        if page != self.page {
            self.page = page
            // The frames stand, whatever becomes of the hint: an older one only costs the next
            // writer a longer look.
            try? writePage()
        }
        guard let first = locked.appended.first, let last = locked.appended.last else {
            return nil
        }
        group.noteAppend(
            first.offset..<locked.tail.end, sequences: first.sequence...last.sequence)
        return Commit(group: group, frames: locked.appended, end: locked.tail.end)
    }
}
