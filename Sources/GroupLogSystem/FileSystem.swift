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
        do throws(SystemError) {
            try unsafe withPath("mkdir", path) { pointer in
                answer(unsafe mkdir(pointer, mode_t(truncatingIfNeeded: mode)))
            }
        } catch {
            if error.errno == .exists, try FileStatus.of(path: path).kind == .directory { return }
            throw error
        }
    }

    /// Gives a file another name, in place of what has that name (rename(2)).
    package static func rename(_ path: String, to newPath: String) throws(SystemError) {
        try unsafe withPaths("rename", path, newPath) { old, new in
            answer(unsafe renameFile(old, new))
        }
    }

    /// Gives a file another name, and fails with `.exists` where anything has that name.
    ///
    /// Darwin does it in one step. Elsewhere the file has both names for a moment, and after a
    /// crash at that moment for good: link(2) is what all of these systems have, and what most
    /// file systems can do, that never takes a name away from another file.
    package static func renameExclusively(_ path: String, to newPath: String) throws(SystemError) {
        #if canImport(Darwin)
            try unsafe withPaths("renamex_np", path, newPath) { old, new in
                answer(unsafe renamex_np(old, new, UInt32(RENAME_EXCL)))
            }
        #else
            try unsafe withPaths("link", path, newPath) { old, new in
                answer(unsafe link(old, new))
            }
            _ = try remove(path)
        #endif
    }

    /// Removes a name; gives false where there was none.
    package static func remove(_ path: String) throws(SystemError) -> Bool {
        do throws(SystemError) {
            try unsafe withPath("unlink", path) { pointer in answer(unsafe unlink(pointer)) }
            return true
        } catch {
            if error.errno == .noSuchFile { return false }
            throw error
        }
    }

    /// The names in a directory, without `.` and `..`, sorted. A symbolic link in the place of the
    /// directory is refused. A name that is not UTF-8 is given repaired, and so cannot be opened.
    package static func names(in path: String) throws(SystemError) -> [String] {
        let number = try openDescriptor(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY | O_NOFOLLOW)
        guard let directory = unsafe fdopendir(number) else {
            let cause = lastErrno
            _ = close(number)
            throw SystemError("fdopendir", cause, path: path)
        }
        defer { unsafe _ = closedir(directory) }
        var names: [String] = []
        while true {
            // readdir(3) says "end" and "error" alike, but for this.
            errno = 0
            guard let entry = unsafe readdir(directory) else {
                guard errno == 0 else { throw SystemError("readdir", lastErrno, path: path) }
                return names.sorted()
            }
            // d_name is a C array in a struct, terminated by zero.
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe String(
                    cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
            }
            if name != "." && name != ".." { names.append(name) }
        }
    }

    /// The directory that holds a path's last component.
    package static func parent(of path: String) -> String {
        let slash = UInt8(ascii: "/")
        var bytes = Array(path.utf8)
        func dropSlashes() { while bytes.count > 1, bytes.last == slash { bytes.removeLast() } }
        dropSlashes()
        guard let end = bytes.lastIndex(of: slash) else { return "." }
        bytes.removeSubrange((end + 1)...)
        dropSlashes()
        return String(decoding: bytes, as: UTF8.self)
    }
}

// In a method named `rename` the name alone would mean the method.
private func renameFile(_ old: UnsafePointer<CChar>, _ new: UnsafePointer<CChar>) -> Int32 {
    unsafe rename(old, new)
}

/// What a call that gives 0 or -1 has to say.
private func answer(_ result: Int32) -> Result<Void, Errno> {
    result == 0 ? .success(()) : .failure(lastErrno)
}

/// As `withPath`; an error names the new path.
private func withPaths(
    _ call: String, _ path: String, _ newPath: String,
    _ body: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Result<Void, Errno>
) throws(SystemError) {
    let outcome = try unsafe withPath(call, path) { old in
        .success(
            Result { () throws(SystemError) in
                try unsafe withPath(call, newPath) { new in unsafe body(old, new) }
            })
    }
    try outcome.get()
}
