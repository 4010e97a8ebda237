import GroupLogFormat
package import GroupLogSystem

/// A store in this process's memory, with the same behaviour as one on disk: for previews and
/// tests. It ends with its last user.
package final class MemoryVolume: StoreVolume {
    package let path: String
    private let state = Monitor(State())
    private let logSignal = ChangeSignal()

    private struct State: Sendable {
        var files: [String: MemoryNode] = [:]
        var nextInode: UInt64 = 1
    }

    package init(name: String = "in-memory") { path = name }

    package func makeDirectory(_ directory: VolumeDirectory) throws(SystemError) {}

    package func open(
        _ name: VolumeName, _ access: FileDescriptor.Access, _ creation: FileDescriptor.Creation
    ) throws(SystemError) -> any VolumeFile {
        let node = try state.withLock { state throws(SystemError) -> MemoryNode in
            if let node = state.files[name.text] {
                if creation == .exclusive {
                    throw SystemError("open", .exists, path: path + "/" + name.text)
                }
                return node
            }
            guard creation != .never else {
                throw SystemError("open", .noSuchFile, path: path + "/" + name.text)
            }
            let node = MemoryNode(inode: state.nextInode)
            state.nextInode += 1
            state.files[name.text] = node
            return node
        }
        if creation == .emptying { node.empty() }
        if creation != .never { tell(of: name) }
        return MemoryFile(node, self)
    }

    package func status(of name: VolumeName) throws(SystemError) -> FileStatus {
        guard let node = state.withLock({ $0.files[name.text] }) else {
            throw SystemError("lstat", .noSuchFile, path: path + "/" + name.text)
        }
        return node.status
    }

    package func rename(_ name: VolumeName, to newName: VolumeName) throws(SystemError) {
        try state.withLock { state throws(SystemError) in
            guard let node = state.files.removeValue(forKey: name.text) else {
                throw SystemError("rename", .noSuchFile, path: path + "/" + name.text)
            }
            state.files[newName.text] = node
        }
        tell(of: name, newName)
    }

    package func renameExclusively(
        _ name: VolumeName, to newName: VolumeName
    ) throws(SystemError) {
        try state.withLock { state throws(SystemError) in
            guard state.files[newName.text] == nil else {
                throw SystemError("rename", .exists, path: path + "/" + newName.text)
            }
            guard let node = state.files.removeValue(forKey: name.text) else {
                throw SystemError("rename", .noSuchFile, path: path + "/" + name.text)
            }
            state.files[newName.text] = node
        }
        tell(of: name, newName)
    }

    package func remove(_ name: VolumeName) throws(SystemError) {
        _ = state.withLock { $0.files.removeValue(forKey: name.text) }
        tell(of: name)
    }

    package func quarantinedNames() throws(SystemError) -> [String] {
        let prefix = VolumeName.quarantined("").text
        return state.withLock { $0.files.keys.filter { $0.hasPrefix(prefix) } }
            .map { String($0.dropFirst(prefix.count)) }.sorted()
    }

    package func synchronizeNames(
        of directory: VolumeDirectory, includingParent: Bool
    ) throws(SystemError) {}

    package func watch() -> any VolumeWatch { logSignal.watch() }

    /// Tells that names may lead to other files now.
    private func tell(of names: VolumeName...) {
        if names.contains(.log) { logSignal.send() }
    }

    /// Tells that a file was written to.
    fileprivate func tell(of node: MemoryNode) {
        if state.withLock({ $0.files[VolumeName.log.text] === node }) { logSignal.send() }
    }
}

/// What an inode is on disk: the bytes, and who holds the lock.
private final class MemoryNode: Sendable {
    private struct Content: Sendable {
        var bytes: [UInt8] = []
        var changes: Int64 = 0
        var holder: ObjectIdentifier?
    }

    private let inode: UInt64
    private let content = Monitor(Content())

    init(inode: UInt64) { self.inode = inode }

    var status: FileStatus {
        content.withLock {
            FileStatus(inMemoryInode: inode, size: UInt64($0.bytes.count), changes: $0.changes)
        }
    }

    func empty() { content.withLock { $0.bytes = [] } }

    func read(into buffer: inout [UInt8], at offset: UInt64) -> Int {
        content.withLock { content in
            let start = Int(min(offset, UInt64(content.bytes.count)))
            let count = min(buffer.count, content.bytes.count - start)
            buffer.replaceSubrange(0..<count, with: content.bytes[start..<start + count])
            return count
        }
    }

    func write(_ bytes: RawSpan, at offset: UInt64) {
        let copy = bytes.copy(0..<bytes.byteCount)
        content.withLock { content in
            let end = Int(offset) + copy.count
            if content.bytes.count < end {
                content.bytes.append(
                    contentsOf: repeatElement(0, count: end - content.bytes.count))
            }
            content.bytes.replaceSubrange(Int(offset)..<end, with: copy)
            content.changes += 1
        }
    }

    func tryLock(_ owner: ObjectIdentifier) -> Bool {
        content.withLock { content in
            guard content.holder == nil || content.holder == owner else { return false }
            content.holder = owner
            return true
        }
    }

    func unlock(_ owner: ObjectIdentifier) {
        content.withLock { if $0.holder == owner { $0.holder = nil } }
    }
}

/// An open file description: the lock is its own, as with flock(2).
private final class MemoryFile: VolumeFile {
    private let node: MemoryNode
    private let volume: MemoryVolume

    init(_ node: MemoryNode, _ volume: MemoryVolume) {
        self.node = node
        self.volume = volume
    }

    deinit { node.unlock(ObjectIdentifier(self)) }

    func status() throws(SystemError) -> FileStatus { node.status }
    func read(into buffer: inout [UInt8], at offset: UInt64) throws(SystemError) -> Int {
        node.read(into: &buffer, at: offset)
    }
    func write(_ bytes: RawSpan, at offset: UInt64) throws(SystemError) -> Int {
        node.write(bytes, at: offset)
        volume.tell(of: node)
        return bytes.byteCount
    }
    func synchronize(_ durability: FileDescriptor.Durability) throws(SystemError) {}
    func tryLock() throws(SystemError) -> Bool { node.tryLock(ObjectIdentifier(self)) }
    func unlock() throws(SystemError) { node.unlock(ObjectIdentifier(self)) }
    func map(length: Int) throws(SystemError) -> MappedRegion? { nil }
}
