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
    func remove(_ name: VolumeName) throws(SystemError)
    /// The names of the quarantined files, oldest first.
    func quarantinedNames() throws(SystemError) -> [String]
    /// Makes durable which names the store's directory has, and, where asked, that its parent
    /// directory has the store.
    func synchronizeNames(includingParent: Bool) throws(SystemError)
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

    /// Writes zeros over a range from its end to its start, page by page in the end: a process that
    /// is killed meanwhile leaves the front of what it covers, where the next writer looks.
    package func writeZerosBackward(_ range: Range<UInt64>) throws(SystemError) {
        let page: UInt64 = 4096
        var end = range.upperBound
        while end > range.lowerBound {
            let isNear = end - range.lowerBound <= 16 * page
            let start = max(range.lowerBound, (end - 1) / page * page - (isNear ? 0 : 15 * page))
            try writeZeros(start..<end)
            end = start
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
}
