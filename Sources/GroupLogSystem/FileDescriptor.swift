#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(Darwin)
    import Darwin
#endif

/// An open file. Owning it keeps it open; it closes on exec, and when its owner goes.
package struct FileDescriptor: ~Copyable, Sendable {
    let number: Int32
    /// The path by which it was opened, for messages.
    package let path: String

    /// How a file is opened.
    package enum Access: Sendable {
        case read
        case readWrite
    }

    /// Whether opening may make the file.
    package enum Creation: Sendable {
        case never
        /// Makes it where it is missing.
        case ifMissing
        /// Makes it, and fails where it exists.
        case exclusive
        /// Makes it, or empties it.
        case emptying
    }

    /// How much a sync has to promise.
    package enum Durability: Sendable {
        /// What was written survives power loss.
        case full
        /// What was written reaches the medium before what is written later.
        case barrier
    }

    /// Takes over an open descriptor.
    init(number: Int32, path: String) {
        self.number = number
        self.path = path
    }

    deinit {
        // The error that close(2) could give is of no use: what had to be durable was synced.
        _ = close(number)
    }

    /// Opens a regular file. A symbolic link at the end of the path is refused, and so is
    /// everything that is not a regular file; opening a FIFO does not hang.
    package static func open(
        _ path: String, _ access: Access, _ creation: Creation = .never, mode: UInt32 = 0o600
    ) throws(SystemError) -> FileDescriptor {
        var flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
        flags |= access == .read ? O_RDONLY : O_RDWR
        switch creation {
        case .never: break
        case .ifMissing: flags |= O_CREAT
        case .exclusive: flags |= O_CREAT | O_EXCL
        case .emptying: flags |= O_CREAT | O_TRUNC
        }
        let number = try openDescriptor(path, flags, mode: mode)
        let descriptor = FileDescriptor(number: number, path: path)
        let status = try descriptor.status()
        guard status.kind == .regular else {
            throw SystemError(
                "open", status.kind == .directory ? .isDirectory : .invalidArgument, path: path)
        }
        #if os(iOS)
            if creation != .never { descriptor.protectUntilFirstUnlock() }
        #endif
        return descriptor
    }

    #if os(iOS)
        /// Has the file readable from the first unlocking after a start of the device on, also
        /// while it is locked again. An app may have chosen a stricter class for its files, with
        /// which an extension cannot work in the background. Where this is refused (a simulator has
        /// no classes) the file keeps the class that it has.
        private borrowing func protectUntilFirstUnlock() {
            let classC: Int32 = 3  // PROTECTION_CLASS_C of xnu's sys/content_protection.h
            _ = fcntl(number, F_SETPROTECTIONCLASS, classC)
        }
    #endif

    /// Opens a directory, to sync it.
    package static func openDirectory(_ path: String) throws(SystemError) -> FileDescriptor {
        let number = try openDescriptor(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
        return FileDescriptor(number: number, path: path)
    }

    package borrowing func status() throws(SystemError) -> FileStatus {
        var status = stat()
        guard unsafe fstat(number, &status) == 0 else {
            throw SystemError("fstat", lastErrno, path: path)
        }
        return FileStatus(status)
    }

    /// Reads into the buffer until it is full or the file ends; gives the number of bytes read.
    package borrowing func read(
        into buffer: inout [UInt8], at offset: UInt64
    ) throws(SystemError) -> Int {
        var done = 0
        let count = buffer.count
        while done < count {
            let start = done
            let result = unsafe buffer.withUnsafeMutableBytes { bytes in
                retrying {
                    unsafe pread(
                        number, bytes.baseAddress.map { unsafe $0 + start }, count - start,
                        off_t(clamping: offset) &+ off_t(start))
                }
            }
            guard result >= 0 else { throw SystemError("pread", lastErrno, path: path) }
            if result == 0 { break }
            done += result
        }
        return done
    }

    /// One pwrite(2): gives the number of bytes that it took, which may be less than all.
    package borrowing func write(
        _ bytes: RawSpan, at offset: UInt64
    ) throws(SystemError) -> Int {
        let result = unsafe bytes.withUnsafeBytes { buffer in
            retrying {
                unsafe pwrite(number, buffer.baseAddress, buffer.count, off_t(clamping: offset))
            }
        }
        guard result >= 0 else { throw SystemError("pwrite", lastErrno, path: path) }
        return result
    }

    /// Makes durable what was written to the file, by any descriptor of any process.
    ///
    /// Linux: fdatasync(2), which also makes the size durable that is needed to read the data
    /// back. Darwin: fsync(2) hands the data to the drive without making the drive write it, so
    /// `F_FULLFSYNC` and `F_BARRIERFSYNC` of fcntl(2) are asked first; a file system that refuses
    /// one has neither, and fsync is all there is. Only a refusal leads there: after a failure of
    /// the medium a second call finds the pages clean and would report success.
    package borrowing func synchronize(_ durability: Durability) throws(SystemError) {
        #if canImport(Darwin)
            let command = durability == .full ? F_FULLFSYNC : F_BARRIERFSYNC
            if retrying({ Int(fcntl(number, command)) }) >= 0 { return }
            guard [ENOTSUP, EINVAL, ENOTTY].contains(errno) else {
                throw SystemError("fcntl", lastErrno, path: path)
            }
            guard retrying({ Int(fsync(number)) }) >= 0 else {
                throw SystemError("fsync", lastErrno, path: path)
            }
        #else
            guard retrying({ Int(fdatasync(number)) }) >= 0 else {
                throw SystemError("fdatasync", lastErrno, path: path)
            }
        #endif
    }

    /// Makes durable which names a directory has (a file's own sync does not: fsync(2)).
    package borrowing func synchronizeDirectory() throws(SystemError) {
        #if canImport(Darwin)
            try synchronize(.full)
        #else
            guard retrying({ Int(fsync(number)) }) >= 0 else {
                throw SystemError("fsync", lastErrno, path: path)
            }
        #endif
    }

    /// Tries to take the file's lock (flock(2)) for this open file description, without waiting.
    /// Gives false where another has it. A lock that the file system refuses is an error.
    package borrowing func tryLock() throws(SystemError) -> Bool {
        let result = retrying { Int(flock(number, LOCK_EX | LOCK_NB)) }
        if result == 0 { return true }
        if lastErrno == .wouldBlock { return false }
        throw SystemError("flock", lastErrno, path: path)
    }

    package borrowing func unlock() throws(SystemError) {
        guard retrying({ Int(flock(number, LOCK_UN)) }) == 0 else {
            throw SystemError("flock", lastErrno, path: path)
        }
    }
}
