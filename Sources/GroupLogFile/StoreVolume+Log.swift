package import GroupLogFormat
package import GroupLogSystem

/// Opening the log of a store, and what the lock file says of it.
extension StoreVolume {
    /// Opens the log; a store without one is told apart from no store.
    package func openLog(_ access: FileDescriptor.Access) throws(LogError) -> any VolumeFile {
        do throws(SystemError) {
            return try open(.log, access, .never)
        } catch {
            guard error.errno == .noSuchFile else { throw .system(error) }
            throw try isLockMarked() ? .logMissing(path: path) : .noStore(path: path)
        }
    }

    /// Whether a name leads to a file.
    func leads(_ name: VolumeName, to file: FileStatus) throws(SystemError) -> Bool {
        do throws(SystemError) {
            return try status(of: name).isSameFile(as: file)
        } catch {
            if error.errno == .noSuchFile { return false }
            throw error
        }
    }

    func statusOfLog() throws(LogError) -> FileStatus {
        do throws(SystemError) {
            return try status(of: .log)
        } catch {
            guard error.errno == .noSuchFile else { throw .system(error) }
            throw try isLockMarked() ? .logMissing(path: path) : .noStore(path: path)
        }
    }

    /// Whether the lock file remembers a log: then a missing log is a loss, and no new store. It
    /// does with any header, be it damaged or of a newer version.
    func isLockMarked() throws(LogError) -> Bool {
        do throws(SystemError) {
            let start = UInt64(LockPage.headerOffset)
            return try open(.lock, .read, .never).read(start..<start + 8) == LogHeader.magic
        } catch {
            if error.errno == .noSuchFile { return false }
            throw .system(error)
        }
    }

    /// The bytes of the lock file; none where there is no such file or it cannot be read, which is
    /// no fault to those who only want its help.
    private func lockPage() -> [UInt8] {
        do throws(SystemError) {
            return try open(.lock, .read, .never).read(0..<UInt64(LogLayout.lockPageSize))
        } catch {
            return []
        }
    }

    /// The header of an open log, from whichever of its copies can be read.
    ///
    /// A log gets its name when it is whole: one that ends before the first frame was cut. The copy
    /// in the lock file counts only with a frame that it proves. Otherwise any file in the place of
    /// the log would be taken for an empty one.
    package func headerCopies(of file: any VolumeFile) throws -> HeaderCopies {
        let preamble: [UInt8]
        let size: UInt64
        do throws(SystemError) {
            preamble = try file.read(0..<LogLayout.firstFrameOffset)
            size = try file.status().size
        } catch {
            throw LogError.system(error)
        }
        do {
            let copies = try unsafe HeaderCopies.decode(
                preamble.span.bytes, lockCopy: LockPage.headerCopy(lockPage().span.bytes))
            guard preamble.count == Int(LogLayout.firstFrameOffset) else {
                throw FormatError(
                    .truncated, "the log was cut short", offset: UInt64(preamble.count))
            }
            if let fault = copies.firstFault, copies.secondFault != nil {
                let image = BufferedLogBytes(LogImage(file: file, region: nil, size: size))
                let walker = LogWalker(image, salt: copies.header.salt)
                let start = LogLayout.firstFrameOffset
                guard try walker.nextFrame(after: start - 8) != nil else { throw fault }
            }
            return copies
        } catch let error as FormatError {
            throw LogError.format(error, path: path + "/" + VolumeName.log.text)
        }
    }

    /// Who took the lock last.
    package func lastHolder() -> LockHolder? { unsafe LockHolder.decode(lockPage().span.bytes) }
}
