#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(Darwin)
    import Darwin
#endif

/// What is done to names in directories.
package enum FileSystem {
    /// Makes one directory; one that is there already is fine.
    package static func makeDirectory(
        _ path: String, mode: UInt32 = 0o700
    ) throws(SystemError) {
        if unsafe mkdir(path, mode_t(truncatingIfNeeded: mode)) == 0 { return }
        let cause = lastErrno
        if cause == .exists, try FileStatus.of(path: path).kind == .directory { return }
        throw SystemError("mkdir", cause, path: path)
    }

    /// Gives a file another name, in place of what has that name (rename(2)).
    package static func rename(_ path: String, to newPath: String) throws(SystemError) {
        guard renameFile(path, newPath) == 0 else {
            throw SystemError("rename", lastErrno, path: newPath)
        }
    }

    /// Removes a name; gives false where there was none.
    package static func remove(_ path: String) throws(SystemError) -> Bool {
        if unsafe unlink(path) == 0 { return true }
        if lastErrno == .noSuchFile { return false }
        throw SystemError("unlink", lastErrno, path: path)
    }

    /// The names in a directory, without `.` and `..`, sorted.
    package static func names(in path: String) throws(SystemError) -> [String] {
        guard let directory = unsafe opendir(path) else {
            throw SystemError("opendir", lastErrno, path: path)
        }
        defer { unsafe _ = closedir(directory) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = unsafe readdir(directory) else {
                guard errno == 0 else { throw SystemError("readdir", lastErrno, path: path) }
                return names.sorted()
            }
            // d_name is a C array in a struct, terminated by zero (readdir(3)).
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe String(
                    cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
            }
            if name != "." && name != ".." { names.append(name) }
        }
    }

    /// The directory that holds a path's last component.
    package static func parent(of path: String) -> String {
        var bytes = Array(path.utf8)
        while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == 0 ? "/" : String(decoding: bytes[..<slash], as: UTF8.self)
    }
}

private func renameFile(_ path: String, _ newPath: String) -> Int32 {
    unsafe rename(path, newPath)
}
