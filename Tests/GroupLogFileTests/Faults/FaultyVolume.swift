import GroupLogFormat
import GroupLogSystem

@testable import GroupLogFile

/// A store in memory on a disk that fails when it is told to, and that can lose its power at any
/// moment.
///
/// Each call that `StoreVolume` and `VolumeFile` have is counted by its kind; a fault names a kind
/// and how many calls of it go well before.
final class FaultyVolume: StoreVolume {
    /// The kinds of calls that can fail.
    enum Call: String, CaseIterable, Hashable, Sendable {
        case makeDirectory, open, nameStatus, rename, remove, list, synchronizeNames
        case status, read, write, synchronize, lock, map
    }

    struct Fault: Sendable, CustomStringConvertible {
        var call: Call
        /// The file's name; nil where any file's calls count.
        var name: VolumeName?
        /// How many calls go well before.
        var after: Int
        /// How many calls fail.
        var count = 1
        /// What the call gives; nil for a short write that is no error.
        var errno: Errno?
        /// How many bytes a write takes all the same.
        var taken = 0

        var description: String {
            let outcome = errno.map { "fails: \($0)" } ?? "is short"
            let times = count == 1 ? "once" : "for ever"
            return "\(call) \(after)\(name.map { " of \($0.text)" } ?? "") \(outcome), \(times), "
                + "\(taken) bytes taken"
        }
    }

    /// The disk after a call that changed it.
    struct Moment: Sendable {
        var disk: FaultyDisk
        /// What the test had noted by then.
        var note: Int
    }

    private struct State: Sendable {
        var disk: FaultyDisk
        var holders: [Int: ObjectIdentifier] = [:]
        var faults: [Fault] = []
        var counts: [Call: Int] = [:]
        var bytesRead = 0
        var room: Int?
        var moments: [Moment] = []
        var isRecording = false
        var note = 0
        var durabilities: [FileDescriptor.Durability] = []
    }

    let path = "faulty"
    private let state: Monitor<State>
    private let logSignal = ChangeSignal()

    init(_ disk: FaultyDisk = FaultyDisk()) { state = Monitor(State(disk: disk)) }

    // MARK: What tests ask and set

    var disk: FaultyDisk {
        get { state.withLock { $0.disk } }
        set { state.withLock { $0.disk = newValue } }
    }

    /// Faults to come, one after the other; counting begins anew.
    func setFaults(_ faults: [Fault]) {
        state.withLock {
            $0.faults = faults
            $0.counts = [:]
            $0.bytesRead = 0
        }
    }

    /// How many calls of each kind there were since the last `setFaults`.
    var counts: [Call: Int] { state.withLock { $0.counts } }

    /// How many bytes were read since then.
    var bytesRead: Int { state.withLock { $0.bytesRead } }

    /// How many bytes all files together can have; nil where there is no end of them.
    var room: Int? {
        get { state.withLock { $0.room } }
        set { state.withLock { $0.room = newValue } }
    }

    /// How durable each sync of a file was asked to be.
    var durabilities: [FileDescriptor.Durability] { state.withLock { $0.durabilities } }

    /// Keeps the disk after each change from now on.
    func record() { state.withLock { $0.isRecording = true } }
    var moments: [Moment] { state.withLock { $0.moments } }
    var note: Int {
        get { state.withLock { $0.note } }
        set { state.withLock { $0.note = newValue } }
    }

    /// The bytes that a file has; nil where none has the name.
    func bytes(of name: VolumeName) -> [UInt8]? {
        state.withLock { state in
            state.disk.names[name.text].flatMap { state.disk.inodes[$0]?.live }
        }
    }

    func setBytes(_ bytes: [UInt8], of name: VolumeName) throws {
        try state.withLock { state throws(SystemError) in
            let number = try Self.inode(of: name, in: &state, .ifMissing)
            state.disk.inodes[number]?.empty()
            state.disk.inodes[number]?.write(bytes, at: 0)
            state.disk.inodes[number]?.synchronize()
        }
    }

    // MARK: The volume

    func makeDirectory(_ directory: VolumeDirectory) throws(SystemError) {
        try perform(.makeDirectory, nil) { _ throws(SystemError) in }
    }

    func open(
        _ name: VolumeName, _ access: FileDescriptor.Access, _ creation: FileDescriptor.Creation
    ) throws(SystemError) -> any VolumeFile {
        let number = try perform(.open, name) { state throws(SystemError) in
            try Self.inode(of: name, in: &state, creation)
        }
        return FaultyFile(self, inode: number, name: name)
    }

    private static func inode(
        of name: VolumeName, in state: inout State, _ creation: FileDescriptor.Creation
    ) throws(SystemError) -> Int {
        if let number = state.disk.names[name.text] {
            if creation == .exclusive { throw SystemError("open", .exists, path: name.text) }
            precondition(creation != .emptying || name != .log, "a log never shrinks")
            if creation == .emptying { state.disk.inodes[number]?.empty() }
            return number
        }
        guard creation != .never else { throw SystemError("open", .noSuchFile, path: name.text) }
        let number = (state.disk.inodes.keys.max() ?? 0) + 1
        state.disk.inodes[number] = FaultyDisk.Inode()
        state.disk.names[name.text] = number
        return number
    }

    func status(of name: VolumeName) throws(SystemError) -> FileStatus {
        try perform(.nameStatus, name) { state throws(SystemError) in
            guard let number = state.disk.names[name.text] else {
                throw SystemError("lstat", .noSuchFile, path: name.text)
            }
            return state.disk.status(ofInode: number)
        }
    }

    func rename(_ name: VolumeName, to newName: VolumeName) throws(SystemError) {
        try perform(.rename, name) { state throws(SystemError) in
            var names = state.disk.names
            guard let number = names.removeValue(forKey: name.text) else {
                throw SystemError("rename", .noSuchFile, path: name.text)
            }
            names[newName.text] = number
            state.disk.names = names
        }
    }

    func renameExclusively(_ name: VolumeName, to newName: VolumeName) throws(SystemError) {
        try perform(.rename, name) { state throws(SystemError) in
            var names = state.disk.names
            guard names[newName.text] == nil else {
                throw SystemError("rename", .exists, path: newName.text)
            }
            names[newName.text] = names.removeValue(forKey: name.text)
            state.disk.names = names
        }
    }

    func remove(_ name: VolumeName) throws(SystemError) {
        try perform(.remove, name) { state throws(SystemError) in
            state.disk.names[name.text] = nil
        }
    }

    func quarantinedNames() throws(SystemError) -> [String] {
        let prefix = VolumeName.quarantined("").text
        return try perform(.list, nil) { state throws(SystemError) in
            state.disk.names.keys.filter { $0.hasPrefix(prefix) }
                .map { String($0.dropFirst(prefix.count)) }.sorted()
        }
    }

    func synchronizeNames(
        of directory: VolumeDirectory, includingParent: Bool
    ) throws(SystemError) {
        let prefix = VolumeName.quarantined("").text
        try perform(.synchronizeNames, nil) { state throws(SystemError) in
            state.disk.synchronizeNames { $0.hasPrefix(prefix) == (directory == .quarantine) }
        }
    }

    func watch() -> any VolumeWatch { logSignal.watch() }

    // MARK: Faults

    /// Counts a call, fails it where a fault says so, and keeps the disk after it.
    private func perform<R: Sendable>(
        _ call: Call, _ name: VolumeName?,
        _ body: (inout State) throws(SystemError) -> sending R
    ) throws(SystemError) -> R {
        defer { if call == .rename || call == .remove { logSignal.send() } }
        return try state.withLock { state throws(SystemError) in
            if let fault = Self.fault(call, name, &state), let errno = fault.errno {
                throw SystemError(call.rawValue, errno, path: name?.text ?? "faulty")
            }
            let result = try body(&state)
            Self.keepMoment(call, &state)
            return result
        }
    }

    private static func fault(
        _ call: Call, _ name: VolumeName?, _ state: inout State
    ) -> Fault? {
        state.counts[call, default: 0] += 1
        let index = state.faults.firstIndex {
            $0.count > 0 && $0.call == call && ($0.name == nil || $0.name == name)
        }
        guard let index else { return nil }
        guard state.faults[index].after == 0 else {
            state.faults[index].after -= 1
            return nil
        }
        state.faults[index].count -= 1
        return state.faults[index]
    }

    private static func keepMoment(_ call: Call, _ state: inout State) {
        let isChange: Set<Call> = [
            .open, .rename, .remove, .synchronizeNames, .write, .synchronize,
        ]
        guard state.isRecording, isChange.contains(call) else { return }
        state.moments.append(Moment(disk: state.disk, note: state.note))
    }

    // MARK: Files

    fileprivate func status(of file: FaultyFile) throws(SystemError) -> FileStatus {
        try perform(.status, file.name) { state throws(SystemError) in
            state.disk.status(ofInode: file.inode)
        }
    }

    fileprivate func read(
        _ file: FaultyFile, count: Int, at offset: UInt64
    ) throws(SystemError) -> [UInt8] {
        try perform(.read, file.name) { state throws(SystemError) in
            let bytes = state.disk.inodes[file.inode]?.live ?? []
            let result = Array(bytes.dropFirst(Int(clamping: offset)).prefix(count))
            state.bytesRead += result.count
            return result
        }
    }

    fileprivate func write(
        _ file: FaultyFile, _ bytes: [UInt8], at offset: UInt64
    ) throws(SystemError) -> Int {
        defer { if file.name != .lock { logSignal.send() } }
        return try state.withLock { state throws(SystemError) in
            let fault = Self.fault(.write, file.name, &state)
            let limit =
                state.disk.end(ofInode: file.inode, room: state.room) - Int(clamping: offset)
            let count = min(fault?.taken ?? bytes.count, max(limit, 0), bytes.count)
            if count > 0 {
                state.disk.inodes[file.inode]?.write(
                    Array(bytes.prefix(count)), at: Int(clamping: offset))
                Self.keepMoment(.write, &state)
            }
            if let errno = fault?.errno ?? (limit <= 0 ? .noSpace : nil) {
                throw SystemError("pwrite", errno, path: file.name.text)
            }
            return count
        }
    }

    fileprivate func synchronize(
        _ file: FaultyFile, _ durability: FileDescriptor.Durability
    ) throws(SystemError) {
        do throws(SystemError) {
            try perform(.synchronize, file.name) { state throws(SystemError) in
                state.disk.inodes[file.inode]?.synchronize()
                state.durabilities.append(durability)
            }
        } catch {
            // As the kernels do it: the pages count as clean from now on, and what they hold has
            // not reached the disk.
            state.withLock { $0.disk.inodes[file.inode]?.unsynced = [] }
            throw error
        }
    }

    fileprivate func tryLock(_ file: FaultyFile) throws(SystemError) -> Bool {
        try perform(.lock, file.name) { state throws(SystemError) in
            let holder = state.holders[file.inode]
            guard holder == nil || holder == ObjectIdentifier(file) else { return false }
            state.holders[file.inode] = ObjectIdentifier(file)
            return true
        }
    }

    fileprivate func unlock(inode: Int, by file: ObjectIdentifier) {
        state.withLock { if $0.holders[inode] == file { $0.holders[inode] = nil } }
    }

    fileprivate func countMap(_ file: FaultyFile) throws(SystemError) {
        try perform(.map, file.name) { _ throws(SystemError) in }
    }
}

extension FaultyDisk {
    fileprivate func status(ofInode number: Int) -> FileStatus {
        let inode = inodes[number] ?? Inode()
        return FileStatus(
            inMemoryInode: UInt64(number), size: UInt64(inode.live.count), changes: inode.changes)
    }

    /// How far a file can reach on a disk of so many bytes.
    fileprivate func end(ofInode number: Int, room: Int?) -> Int {
        guard let room else { return .max }
        let used = inodes.values.reduce(0) { $0 + $1.live.count }
        return (inodes[number]?.live.count ?? 0) + max(room - used, 0)
    }
}

/// An open file description of a faulty volume.
private final class FaultyFile: VolumeFile {
    private let volume: FaultyVolume
    let inode: Int
    let name: VolumeName

    init(_ volume: FaultyVolume, inode: Int, name: VolumeName) {
        self.volume = volume
        self.inode = inode
        self.name = name
    }

    deinit { volume.unlock(inode: inode, by: ObjectIdentifier(self)) }

    func status() throws(SystemError) -> FileStatus { try volume.status(of: self) }

    func read(into buffer: inout [UInt8], at offset: UInt64) throws(SystemError) -> Int {
        let bytes = try volume.read(self, count: buffer.count, at: offset)
        FaultyDisk.Inode.put(bytes[...], at: 0, into: &buffer)
        return bytes.count
    }

    func write(_ bytes: RawSpan, at offset: UInt64) throws(SystemError) -> Int {
        try volume.write(self, bytes.copy(0..<bytes.byteCount), at: offset)
    }

    func synchronize(_ durability: FileDescriptor.Durability) throws(SystemError) {
        try volume.synchronize(self, durability)
    }

    func tryLock() throws(SystemError) -> Bool { try volume.tryLock(self) }
    func unlock() throws(SystemError) { volume.unlock(inode: inode, by: ObjectIdentifier(self)) }
    func map(length: Int) throws(SystemError) -> MappedRegion? {
        try volume.countMap(self)
        return nil
    }
}
