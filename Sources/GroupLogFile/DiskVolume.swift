import GroupLogFormat
package import GroupLogSystem

/// A store in a directory of the file system. Files 0600, directories 0700.
package final class DiskVolume: StoreVolume {
    package let path: String

    // Each append asks for these by their paths.
    private let logPath: String
    private let lockPath: String

    package init(path: String) {
        self.path = path
        logPath = path + "/" + VolumeName.log.text
        lockPath = path + "/" + VolumeName.lock.text
    }

    private func path(of name: VolumeName) -> String {
        switch name {
        case .log: logPath
        case .lock: lockPath
        case .newLog, .quarantined: path + "/" + name.text
        }
    }

    private func path(of directory: VolumeDirectory) -> String {
        switch directory {
        case .store: path
        case .quarantine: path + "/quarantine"
        }
    }

    package func makeDirectory(_ directory: VolumeDirectory) throws(SystemError) {
        try FileSystem.makeDirectory(path(of: directory))
    }

    package func open(
        _ name: VolumeName, _ access: FileDescriptor.Access, _ creation: FileDescriptor.Creation
    ) throws(SystemError) -> any VolumeFile {
        DiskFile(try FileDescriptor.open(path(of: name), access, creation))
    }

    package func status(of name: VolumeName) throws(SystemError) -> FileStatus {
        try FileStatus.of(path: path(of: name))
    }

    package func rename(_ name: VolumeName, to newName: VolumeName) throws(SystemError) {
        try FileSystem.rename(path(of: name), to: path(of: newName))
    }

    package func renameExclusively(
        _ name: VolumeName, to newName: VolumeName
    ) throws(SystemError) {
        do throws(SystemError) {
            try FileSystem.renameExclusively(path(of: name), to: path(of: newName))
        } catch {
            // A file system may have no such call, or no second names for files (link(2)). There
            // the best is to look first.
            guard error.errno != .exists, error.errno != .noSuchFile else { throw error }
            do throws(SystemError) {
                _ = try status(of: newName)
            } catch let absence {
                guard absence.errno == .noSuchFile else { throw absence }
                return try rename(name, to: newName)
            }
            throw SystemError("rename", .exists, path: path(of: newName))
        }
    }

    package func remove(_ name: VolumeName) throws(SystemError) {
        _ = try FileSystem.remove(path(of: name))
    }

    package func quarantinedNames() throws(SystemError) -> [String] {
        do throws(SystemError) {
            return try FileSystem.names(in: path + "/quarantine")
        } catch {
            if error.errno == .noSuchFile { return [] }
            throw error
        }
    }

    package func synchronizeNames(
        of directory: VolumeDirectory, includingParent: Bool
    ) throws(SystemError) {
        let path = path(of: directory)
        try FileDescriptor.openDirectory(path).synchronizeDirectory()
        if includingParent {
            try FileDescriptor.openDirectory(FileSystem.parent(of: path)).synchronizeDirectory()
        }
    }

    package func watch() -> any VolumeWatch {
        FileWatch(directory: path, name: VolumeName.log.text)
    }
}

/// An open file of a store on disk.
private final class DiskFile: VolumeFile {
    private let descriptor: FileDescriptor

    init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }

    func status() throws(SystemError) -> FileStatus { try descriptor.status() }

    func read(into buffer: inout [UInt8], at offset: UInt64) throws(SystemError) -> Int {
        try descriptor.read(into: &buffer, at: offset)
    }

    func write(_ bytes: RawSpan, at offset: UInt64) throws(SystemError) -> Int {
        try descriptor.write(bytes, at: offset)
    }

    func synchronize(_ durability: FileDescriptor.Durability) throws(SystemError) {
        try descriptor.synchronize(durability)
    }

    func tryLock() throws(SystemError) -> Bool { try descriptor.tryLock() }

    func unlock() throws(SystemError) { try descriptor.unlock() }

    func map(length: Int) throws(SystemError) -> MappedRegion? {
        try MappedRegion(descriptor, length: length)
    }
}
