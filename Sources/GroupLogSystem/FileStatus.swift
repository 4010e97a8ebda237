#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(Darwin)
    import Darwin
#endif

/// What stat(2) says of a file.
package struct FileStatus: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case regular
        case directory
        case symbolicLink
        case other
    }

    package var kind: Kind
    package var device: UInt64
    package var inode: UInt64
    package var linkCount: UInt64
    package var size: UInt64
    /// Nanoseconds since 1970 of the last change of the content.
    package var modified: Int64
    /// Nanoseconds since 1970 of the last change of the content or the file's own data.
    package var changed: Int64

    init(_ status: stat) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: kind = .regular
        case S_IFDIR: kind = .directory
        case S_IFLNK: kind = .symbolicLink
        default: kind = .other
        }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
        linkCount = UInt64(truncatingIfNeeded: status.st_nlink)
        size = UInt64(max(0, status.st_size))
        #if canImport(Darwin)
            modified = Self.nanoseconds(status.st_mtimespec)
            changed = Self.nanoseconds(status.st_ctimespec)
        #else
            modified = Self.nanoseconds(status.st_mtim)
            changed = Self.nanoseconds(status.st_ctim)
        #endif
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    /// Whether two statuses are of one file, by whatever names it was reached.
    package func isSameFile(as other: FileStatus) -> Bool {
        device == other.device && inode == other.inode
    }

    /// The status of what a path leads to; symbolic links on the way are followed, one at its end
    /// is not.
    package static func of(path: String) throws(SystemError) -> FileStatus {
        try unsafe withPath("lstat", path) { pointer in
            var status = stat()
            guard unsafe lstat(pointer, &status) == 0 else { return .failure(lastErrno) }
            return .success(FileStatus(status))
        }
    }
}

extension FileStatus {
    /// The status of a file that is not on disk. `changes` counts its changes, so that each one
    /// makes it differ.
    package init(inMemoryInode inode: UInt64, size: UInt64, changes: Int64) {
        kind = .regular
        device = 0
        self.inode = inode
        linkCount = 1
        self.size = size
        modified = changes
        changed = changes
    }
}
