import Foundation
import GroupLogFormat
import GroupLogSystem
import TestSupport
import Testing

@testable import GroupLogFile

/// What stands in the place of a store's files and is not what a writer left there.
@Suite struct PlaceTests {
    /// Everything under a store's directory: names with their kinds and contents.
    private func content(of store: TemporaryStore) throws -> [String: String] {
        var result: [String: String] = [:]
        for name in try FileSystem.names(in: store.path) {
            let path = store.path + "/" + name
            let status = try FileStatus.of(path: path)
            let bytes = status.kind == .regular ? FileManager.default.contents(atPath: path) : nil
            result[name] = "\(status.kind) \(bytes?.base64EncodedString() ?? "")"
        }
        return result
    }

    /// Puts bytes into a file, or another file with them in its place.
    private func write(_ bytes: [UInt8], _ path: String, inPlace: Bool) throws {
        if inPlace {
            let file = try FileDescriptor.open(path, .readWrite, .emptying)
            _ = try unsafe file.write(bytes.span.bytes, at: 0)
        } else {
            #expect(FileManager.default.createFile(atPath: path + "~", contents: Data(bytes)))
            try FileSystem.rename(path + "~", to: path)
        }
    }

    /// A store with two records and a lock file.
    private func store() throws -> TemporaryStore {
        let store = try TemporaryStore()
        let writer = store.volume.writer()
        let (_, commit) = try writer.withLock { try $0.append([frame("one"), frame("two")]) }
        try writer.makeDurable(try #require(commit))
        return store
    }

    private enum Odd: CaseIterable {
        case directory, fifo, link, danglingLink

        func put(at path: String, _ store: TemporaryStore) throws {
            let manager = FileManager.default
            switch self {
            case .directory:
                try manager.createDirectory(atPath: path, withIntermediateDirectories: false)
            case .fifo: #expect(unsafe mkfifo(path, 0o600) == 0)
            case .link:
                let target = FileSystem.parent(of: store.path) + "/elsewhere"
                try manager.moveItem(atPath: path + ".old", toPath: target)
                try manager.createSymbolicLink(atPath: path, withDestinationPath: target)
            case .danglingLink:
                try manager.createSymbolicLink(atPath: path, withDestinationPath: "/nowhere")
            }
        }
    }

    @Test("a link, a FIFO or a directory in the place of the log or the lock is refused, untouched")
    func oddFiles() throws {
        for name in ["log", "lock"] {
            for odd in Odd.allCases {
                for isOpen in [false, true] {
                    let store = try store()
                    let writer = store.volume.writer(timeout: 1)
                    if isOpen { _ = try writer.withLock { _ in } }
                    let path = store.path + "/" + name
                    try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
                    try odd.put(at: path, store)
                    let before = try content(of: store)
                    #expect(throws: (any Error).self, "\(odd) as \(name)") {
                        try writer.withLock { try $0.append([frame("three")]) }
                    }
                    if name == "log" {
                        #expect(throws: (any Error).self, "\(odd)") { try store.volume.texts() }
                    }
                    #expect(try content(of: store) == before, "\(odd) as \(name)")
                }
            }
        }
    }

    @Test("a log that is emptied, cut, or other bytes altogether is an error, and is not written")
    func otherBytes() throws {
        var text = Array("a file that is no log; ".utf8)
        while text.count < 100_000 { text += text }
        let header = try Array(store().log()[..<Int(LogLayout.firstFrameOffset)])
        let contents: [[UInt8]] = [
            [], [0], text, [UInt8](repeating: 0, count: 50_000),
            [UInt8](repeating: 0xE7, count: 4168),
            Array(header[..<64]), Array(header.dropLast()), Array(text[..<4160]),
        ]
        for bytes in contents {
            for (hasLock, inPlace) in [(true, true), (true, false), (false, true)] {
                for isOpen in [true, false] {
                    let store = try store()
                    let writer = store.volume.writer(timeout: 1)
                    if isOpen { _ = try writer.withLock { _ in } }
                    var reader = try LogReader(store.volume, mapping: .never)
                    if !hasLock { try store.volume.remove(.lock) }
                    try write(bytes, store.logPath, inPlace: inPlace)
                    #expect(throws: LogError.self, "\(bytes.count) bytes") {
                        try writer.withLock { try $0.append([frame("three")]) }
                    }
                    #expect(throws: LogError.self) { try store.volume.texts() }
                    #expect(throws: LogError.self) { try reader.refresh() }
                    #expect(try store.log() == bytes)
                    #expect(try Quarantine(store.volume).entries().isEmpty)
                }
            }
        }
    }

    @Test("a log without both copies of its header is read and written by the lock file's copy")
    func headerInLockFile() throws {
        let store = try store()
        var bytes = try store.log()
        for offset in [0, Int(LogLayout.secondHeaderOffset)] {
            bytes.replaceSubrange(offset..<offset + 64, with: [UInt8](repeating: 0x55, count: 64))
        }
        try store.setLog(bytes)
        #expect(try store.volume.texts() == ["one", "two"])
        _ = try store.volume.writer().withLock { try $0.append([frame("three")]) }
        #expect(try store.volume.texts() == ["one", "two", "three"])
        // Of another store, it proves nothing.
        let other = try self.store()
        try other.setLog(bytes)
        #expect(throws: LogError.self) { try other.volume.texts() }
        #expect(throws: LogError.self) {
            try other.volume.writer().withLock { try $0.append([frame("three")]) }
        }
        #expect(try other.log() == bytes)
    }

    @Test("a store that had a log and lost it is not begun anew")
    func logMissing() throws {
        for isOpen in [true, false] {
            let store = try store()
            let writer = store.volume.writer()
            if isOpen { _ = try writer.withLock { _ in } }
            var reader = try LogReader(store.volume, mapping: .never)
            let saved = try store.log()
            try FileManager.default.removeItem(atPath: store.logPath)
            let before = try content(of: store)
            for attempt in [
                { _ = try writer.withLock { try $0.append([frame("three")]) } },
                { _ = try store.volume.texts() }, { _ = try reader.refresh() },
            ] {
                #expect {
                    try attempt()
                } throws: { error in
                    if case LogError.logMissing = error { true } else { false }
                }
            }
            #expect(try content(of: store) == before)
            try write(saved, store.logPath, inPlace: false)
            _ = try writer.withLock { try $0.append([frame("three")]) }
            #expect(try store.volume.texts() == ["one", "two", "three"])
        }
    }

    @Test("a lock file that cannot be read is not taken for one that remembers no log")
    func unreadableLockFile() throws {
        let volume = FaultyVolume()
        _ = try volume.writer().withLock { try $0.append([frame("one")]) }
        try volume.remove(.log)
        for call in [FaultyVolume.Call.read, .open] {
            for after in 0..<4 {
                volume.setFaults([.init(call: call, name: .lock, after: after, errno: .io)])
                #expect(throws: (any Error).self) { try volume.writer().withLock { _ in } }
                #expect(throws: (any Error).self) { try volume.texts() }
                #expect(volume.bytes(of: .log) == nil)
            }
        }
    }

    @Test("a log that appears while a new one is made is not replaced")
    func appearing() throws {
        let other = FaultyVolume()
        _ = try other.writer().withLock { try $0.append([frame("restored")]) }
        let restored = try #require(other.bytes(of: .log))
        let base = MemoryVolume()
        let volume = LateLog(base, at: .named) {
            try base.open(.log, .readWrite, .ifMissing).writeAll(restored, at: 0)
        }
        _ = try volume.writer().withLock { try $0.append([frame("next")]) }
        #expect(try volume.texts() == ["restored", "next"])
    }

    @Test("a log that another process makes meanwhile, with a lock file of its own, is the store's")
    func madeTwice() throws {
        let store = try TemporaryStore()
        let base = store.volume
        let volume = LateLog(base, at: .named) {
            try base.remove(.lock)
            _ = try base.writer().withLock { try $0.append([frame("other")]) }
        }
        _ = try volume.writer().withLock { try $0.append([frame("next")]) }
        #expect(try volume.texts() == ["other", "next"])
    }

    @Test("a file of the name log.new that another process has just begun is not made the log")
    func begunByAnother() throws {
        let base = MemoryVolume()
        let volume = LateLog(base, at: .begun) {
            try base.remove(.newLog)
            _ = try base.open(.newLog, .readWrite, .exclusive)
        }
        _ = try volume.writer().withLock { try $0.append([frame("one")]) }
        #expect(try volume.texts() == ["one"])
    }

    @Test("a lock file that is cut, empty, missing or garbage does no harm, also under a writer")
    func lockPages() throws {
        let page = try store()
        let good = try #require(FileManager.default.contents(atPath: page.path + "/lock"))
        var flipped: [[UInt8]] = []
        for offset in stride(from: 0, to: 240, by: 13) {
            var bytes = [UInt8](good)
            bytes[offset] ^= 0x41
            flipped.append(bytes)
        }
        var random = SeededGenerator(seed: 4)
        let contents = [
            [], Array(good[..<20]), Array(good[..<100]), [UInt8](repeating: 0xFF, count: 4096),
            Array("no lock page".utf8), [UInt8](repeating: 0, count: 9000),
            (0..<4096).map { _ in UInt8.random(in: 0...255, using: &random) }, [UInt8](good),
        ]
        for (index, bytes) in (contents + flipped).enumerated() {
            let store = try store()
            let writer = store.volume.writer()
            _ = try writer.withLock { _ in }
            try write(bytes, store.path + "/lock", inPlace: index % 3 > 0)
            for (text, writer) in [("three", writer), ("four", store.volume.writer())] {
                let (_, commit) = try writer.withLock { try $0.append([frame(text)]) }
                try writer.makeDurable(try #require(commit))
            }
            #expect(try store.volume.texts() == ["one", "two", "three", "four"])
            #expect(store.volume.lastHolder()?.processID == ProcessIdentity.processID)
            #expect(try store.volume.isLockMarked())
        }
    }
}

/// A store at which somebody else does something at the very moment at which a new log is begun, or
/// is about to get its name.
private final class LateLog: StoreVolume {
    enum Moment { case begun, named }

    private let base: any StoreVolume
    private let moment: Moment
    private let meddle: @Sendable () throws -> Void
    private let hasMeddled = Monitor(false)
    let path = "late"

    init(
        _ base: any StoreVolume, at moment: Moment, meddle: @escaping @Sendable () throws -> Void
    ) {
        (self.base, self.moment, self.meddle) = (base, moment, meddle)
    }

    private func meddle(at moment: Moment) {
        let isNow = hasMeddled.withLock { hasMeddled in
            defer { if moment == self.moment { hasMeddled = true } }
            return moment == self.moment && !hasMeddled
        }
        guard isNow else { return }
        do { try meddle() } catch { Issue.record(error) }
    }

    func makeDirectory(_ directory: VolumeDirectory) throws(SystemError) {
        try base.makeDirectory(directory)
    }
    func open(
        _ name: VolumeName, _ access: FileDescriptor.Access, _ creation: FileDescriptor.Creation
    ) throws(SystemError) -> any VolumeFile {
        let file = try base.open(name, access, creation)
        if name == .newLog { meddle(at: .begun) }
        return file
    }
    func status(of name: VolumeName) throws(SystemError) -> FileStatus {
        try base.status(of: name)
    }
    func rename(_ name: VolumeName, to newName: VolumeName) throws(SystemError) {
        meddle(at: .named)
        try base.rename(name, to: newName)
    }
    func renameExclusively(_ name: VolumeName, to newName: VolumeName) throws(SystemError) {
        meddle(at: .named)
        try base.renameExclusively(name, to: newName)
    }
    func remove(_ name: VolumeName) throws(SystemError) { try base.remove(name) }
    func quarantinedNames() throws(SystemError) -> [String] { try base.quarantinedNames() }
    func synchronizeNames(
        of directory: VolumeDirectory, includingParent: Bool
    ) throws(SystemError) {
        try base.synchronizeNames(of: directory, includingParent: includingParent)
    }
    func watch() -> any VolumeWatch { base.watch() }
}
