import GroupLogFormat
package import GroupLogSystem

/// The directory of one store, as the layer above the system calls sees it: a few named files.
///
/// On disk, in memory, and in tests that fail calls or lose unsynced bytes, it is the same few
/// verbs; all rules about locks, recovery and syncs are written against these.
package protocol StoreVolume: AnyObject, Sendable {
    /// Where the store is, for messages.
    var path: String { get }
    /// Makes the store's directory, or the directory of the quarantine, where it is missing.
    func makeDirectory(_ directory: VolumeDirectory) throws(SystemError)
    func open(
        _ name: VolumeName, _ access: FileDescriptor.Access, _ creation: FileDescriptor.Creation
    ) throws(SystemError) -> any VolumeFile
    /// The status of what has the name now, reached by its path and not by an open descriptor.
    func status(of name: VolumeName) throws(SystemError) -> FileStatus
    func rename(_ name: VolumeName, to newName: VolumeName) throws(SystemError)
    /// As `rename`, and fails with `.exists` where anything has the new name.
    func renameExclusively(_ name: VolumeName, to newName: VolumeName) throws(SystemError)
    /// Removes a name; that there is none is fine.
    func remove(_ name: VolumeName) throws(SystemError)
    /// The names of the quarantined files, oldest first.
    func quarantinedNames() throws(SystemError) -> [String]
    /// Makes durable which names a directory has, and, where asked, that its parent has it.
    func synchronizeNames(
        of directory: VolumeDirectory, includingParent: Bool
    ) throws(SystemError)
    /// Begins to watch the log, which need not exist.
    func watch() -> any VolumeWatch
}

/// A file of a store's directory.
package protocol VolumeFile: AnyObject, Sendable {
    func status() throws(SystemError) -> FileStatus
    /// Fills the buffer as far as the file reaches; gives the number of bytes read.
    func read(into buffer: inout [UInt8], at offset: UInt64) throws(SystemError) -> Int
    /// Writes once; gives the number of bytes taken, which may be fewer than all.
    func write(_ bytes: RawSpan, at offset: UInt64) throws(SystemError) -> Int
    func synchronize(_ durability: FileDescriptor.Durability) throws(SystemError)
    func tryLock() throws(SystemError) -> Bool
    func unlock() throws(SystemError)
    /// A mapping of the file's first bytes; nil where it cannot be mapped.
    func map(length: Int) throws(SystemError) -> MappedRegion?
}

/// The directories of a store.
package enum VolumeDirectory: Hashable, Sendable {
    case store
    case quarantine
}

/// The files of a store (FORMAT.md, "The store directory").
package enum VolumeName: Hashable, Sendable {
    case log
    case lock
    /// A log that is not yet in its place.
    case newLog
    case quarantined(String)

    package var text: String {
        switch self {
        case .log: "log"
        case .lock: "lock"
        case .newLog: "log.new"
        case .quarantined(let name): "quarantine/" + name
        }
    }
}

extension VolumeFile {
    /// Reads a whole range; bytes behind the file's end are left out.
    package func read(_ range: Range<UInt64>) throws(SystemError) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: range.count)
        let count = try read(into: &buffer, at: range.lowerBound)
        if count < buffer.count { buffer.removeLast(buffer.count - count) }
        return buffer
    }

    /// Writes all of the bytes, however many calls that takes.
    package func writeAll(_ bytes: [UInt8], at offset: UInt64) throws(SystemError) {
        var done = 0
        while done < bytes.count {
            let count = try unsafe write(
                bytes.span.bytes.extracting(done..<bytes.count), at: offset + UInt64(done))
            guard count > 0 else { throw SystemError("pwrite", .io, path: VolumeName.log.text) }
            done += count
        }
    }

    /// Writes zeros over a range.
    package func writeZeros(_ range: Range<UInt64>) throws(SystemError) {
        let chunk = [UInt8](repeating: 0, count: Int(min(UInt64(range.count), 256 << 10)))
        var offset = range.lowerBound
        while offset < range.upperBound {
            let count = Int(min(UInt64(chunk.count), range.upperBound - offset))
            let written = try unsafe write(chunk.span.bytes.extracting(0..<count), at: offset)
            guard written > 0 else { throw SystemError("pwrite", .io, path: VolumeName.log.text) }
            offset += UInt64(written)
        }
    }

    /// Puts zeros over bytes behind the log's last frame, from the back to the front.
    ///
    /// The first eight bytes go last. While anything is left, something shows at the very place
    /// where the next frame goes: whoever is interrupted leaves what the next writer notices, and of
    /// several frames the last ones go first.
    package func erase(_ range: Range<UInt64>) throws(SystemError) {
        let step: UInt64 = 256 << 10
        let first = min(range.lowerBound + 8, range.upperBound)
        var end = range.upperBound
        while end > first {
            let start = end - min(step, end - first)
            try writeZeros(start..<end)
            end = start
        }
        try writeZeros(range.lowerBound..<first)
    }
}
