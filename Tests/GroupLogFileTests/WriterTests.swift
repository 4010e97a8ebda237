import Foundation
import GroupLogFormat
import GroupLogSystem
import Testing

@testable import GroupLogFile

/// A store in a directory of its own, that goes with the test.
final class TemporaryStore {
    let path: String
    var volume: DiskVolume { DiskVolume(path: path) }
    var logPath: String { path + "/log" }

    init() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("grouplog-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appendingPathComponent("test.grouplog").path
    }

    deinit {
        // What is left in the temporary directory harms nothing.
        _ = try? FileManager.default.removeItem(atPath: FileSystem.parent(of: path))
    }

    func log() throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: logPath))) }

    func setLog(_ bytes: [UInt8]) throws {
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: logPath))
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: Data(bytes))
        try handle.close()
    }
}

extension StoreVolume {
    func writer(timeout: Double = 5) -> LogWriter {
        LogWriter(
            self, .init(mayCreate: true, purpose: "testing", timeoutSeconds: timeout))
    }

    /// The texts of all live records of the collection `items`, in order of creation.
    func texts(_ mapping: LogReader.Mapping = .whenPossible) throws -> [String] {
        try LogReader(self, mapping: mapping).texts()
    }
}

extension KeyTable {
    /// The offsets of the newest records of all keys that have a value, in order of creation.
    var liveOffsets: [UInt64] {
        var offsets: [UInt64] = []
        forEachLiveOffset { offsets.append($0) }
        return offsets
    }

    /// The same of keys that were deleted.
    var deletedOffsets: [UInt64] {
        var offsets: [UInt64] = []
        forEachDeletedOffset { offsets.append($0) }
        return offsets
    }
}

extension LogReader {
    func texts() throws -> [String] {
        var contexts = FrameContexts()
        contexts.rescued = index.rescuedFrames
        return try (index.collections[ByteString("items")]?.values.liveOffsets ?? []).map {
            String(
                decoding: try image.storedRecord(
                    at: $0, salt: header.salt, contexts: &contexts
                ).value, as: UTF8.self)
        }
    }
}

/// A frame with one record, whose key and value are the text.
func frame(
    _ text: String, key: String? = nil, flags: FrameFlags = []
) throws -> FrameBuilder {
    var builder = FrameBuilder(author: "test", flags: flags, leadingNames: ["items"])
    try builder.append(
        kind: .put, collection: "items",
        key: try #require(RecordKey(text: key ?? String(text.prefix(40)))),
        content: .init(bytes: Array(text.utf8), isIndexed: false))
    return builder
}

@Suite struct WriterTests {
    @Test("a writer names itself again where another had the lock in between")
    func holder() throws {
        let volume = MemoryVolume()
        let writer = volume.writer()
        _ = try writer.withLock { _ in }
        let other = LockHolder(
            processID: 17, name: "other", purpose: "testing", since: Clock.wallMicroseconds())
        try volume.open(.lock, .readWrite, .never)
            .writeAll(other.encoded(), at: UInt64(LockPage.holderOffset))
        for _ in 0..<2 {
            _ = try writer.withLock { _ in }
            #expect(volume.lastHolder()?.processID == ProcessIdentity.processID)
        }
    }

    @Test("what was appended is read, mapped and not, by another opener")
    func appendAndRead() throws {
        let store = try TemporaryStore()
        let writer = store.volume.writer()
        let (_, commit) = try writer.withLock { try $0.append([frame("one"), frame("two")]) }
        try writer.makeDurable(try #require(commit))
        #expect(try store.volume.texts() == ["one", "two"])
        #expect(try store.volume.texts(.never) == ["one", "two"])
    }

    @Test("a log cut at any byte keeps what came before and takes the next append")
    func cuts() throws {
        let store = try TemporaryStore()
        let writer = store.volume.writer()
        var ends: [Int] = []
        for index in 0..<6 {
            let (_, commit) = try writer.withLock { try $0.append([frame("record \(index)")]) }
            ends.append(Int(try #require(commit).end))
        }
        let whole = try store.log()
        for cut in Int(LogLayout.firstFrameOffset)...ends[5] {
            try store.setLog(Array(whole[..<cut]))
            let complete = ends.count { $0 <= cut }
            let expected = (0..<complete).map { "record \($0)" }
            #expect(try store.volume.texts() == expected, "cut at \(cut)")
            _ = try store.volume.writer().withLock { try $0.append([frame("new")]) }
            #expect(try store.volume.texts() == expected + ["new"], "cut at \(cut)")
            let receipt = try LogReader(store.volume, mapping: .never).receipt
            #expect(receipt.entries.isEmpty && receipt.unfinished == nil, "cut at \(cut)")
            let kept = try Quarantine(store.volume).entries()
            let isClean = cut == Int(LogLayout.firstFrameOffset) || ends.contains(cut)
            #expect(kept.isEmpty == isClean, "cut at \(cut)")
            for entry in kept {
                #expect(entry.offset == UInt64(complete == 0 ? 4160 : ends[complete - 1]))
                try store.volume.remove(.quarantined(entry.name))
            }
        }
    }

    @Test("a reader that is open sees what a writer appends, and a replaced log")
    func refresh() throws {
        for mapping in [LogReader.Mapping.whenPossible, .never] {
            let store = try TemporaryStore()
            let writer = store.volume.writer()
            _ = try writer.withLock { try $0.append([frame("one")]) }
            var reader = try LogReader(store.volume, mapping: mapping)
            #expect(try reader.refresh() == .unchanged)
            _ = try writer.withLock { try $0.append([frame("two")]) }
            #expect(try reader.refresh() == .grown)
            #expect(try reader.texts() == ["one", "two"])
            _ = try writer.withLock { try $0.append([frame("2", key: "two")]) }
            #expect(try reader.refresh() == .grown)
            #expect(try reader.texts() == ["one", "2"])

            let other = try TemporaryStore()
            for index in 0..<9 {
                _ = try other.volume.writer().withLock { try $0.append([frame("n\(index)")]) }
            }
            try store.setLog(try other.log())
            #expect(try reader.refresh() == .replaced)
            #expect(try reader.texts().count == 9)
        }
    }

    @Test("a frame whose trailer is there but whose header is damaged stays, and is reported")
    func damagedLastFrame() throws {
        let store = try TemporaryStore()
        let writer = store.volume.writer()
        _ = try writer.withLock { try $0.append([frame("one")]) }
        let (_, commit) = try writer.withLock { try $0.append([frame("two")]) }
        let last = try #require(commit?.frames.last)
        var bytes = try store.log()
        bytes[Int(last.offset) + 9] ^= 4
        try store.setLog(bytes)
        let (_, next) = try store.volume.writer().withLock { try $0.append([frame("three")]) }
        #expect(try #require(next?.frames.last).sequence == last.sequence + 1)
        #expect(try store.volume.texts() == ["one", "three"])
        let receipt = try LogReader(store.volume, mapping: .never).receipt
        #expect(receipt.entries.map(\.damage.cause) == [.badHeader])
        #expect(receipt.entries.map { receipt.framesBehind($0) } == [1])
        #expect(try Quarantine(store.volume).entries().isEmpty)
    }

    @Test("the lock of another writer is waited for, and its holder named when it takes too long")
    func timeout() throws {
        let store = try TemporaryStore()
        let holder = store.volume.writer()
        _ = try holder.withLock { _ in
            do {
                _ = try store.volume.writer(timeout: 0.05).withLock { _ in }
                Issue.record("two holders")
            } catch LogError.locked(let other, _, _) {
                #expect(other?.processID == ProcessIdentity.processID)
                #expect(other?.purpose == "testing")
            }
        }
        _ = try store.volume.writer(timeout: 0.05).withLock { _ in }
    }

    @Test("a log that is replaced in place under a writer gets its next frame at its own end")
    func replacedInPlace() throws {
        let store = try TemporaryStore()
        let writer = store.volume.writer()
        _ = try writer.withLock { try $0.append([frame("one")]) }
        let older = try store.log()
        _ = try writer.withLock { try $0.append([frame("two"), frame("three")]) }

        try store.setLog(older)
        _ = try writer.withLock { try $0.append([frame("after an older copy")]) }
        #expect(try store.volume.texts() == ["one", "after an older copy"])
        #expect(try LogReader(store.volume, mapping: .never).receipt.entries.isEmpty)

        let other = try TemporaryStore()
        _ = try other.volume.writer().withLock { try $0.append([frame("another store")]) }
        try store.setLog(try other.log())
        _ = try writer.withLock { try $0.append([frame("after another")]) }
        #expect(try store.volume.texts() == ["another store", "after another"])
        #expect(try Quarantine(store.volume).entries().isEmpty)
    }

    @Test("a store that was moved away is missed, and not made anew")
    func movedAway() throws {
        let store = try TemporaryStore()
        let writer = store.volume.writer()
        _ = try writer.withLock { try $0.append([frame("one")]) }
        try FileSystem.rename(store.path, to: store.path + ".moved")
        #expect {
            try writer.withLock { try $0.append([frame("lost?")]) }
        } throws: {
            guard case LogError.noStore = $0 else { return false }
            return true
        }
        #expect(!FileManager.default.fileExists(atPath: store.path))
        try FileSystem.rename(store.path + ".moved", to: store.path)
        _ = try writer.withLock { try $0.append([frame("two")]) }
        #expect(try store.volume.texts() == ["one", "two"])
    }

    @Test("a store in memory behaves like one on disk")
    func memory() throws {
        let volume = MemoryVolume()
        let writer = volume.writer()
        let (_, commit) = try writer.withLock { try $0.append([frame("one")]) }
        try writer.makeDurable(try #require(commit))
        var reader = try LogReader(volume, mapping: .whenPossible)
        #expect(try reader.texts() == ["one"])
        _ = try volume.writer().withLock { try $0.append([frame("two")]) }
        #expect(try reader.refresh() == .grown)
        #expect(try reader.texts() == ["one", "two"])
    }

    @Test("eight threads append, and each record is there once")
    func threads() throws {
        let store = try TemporaryStore()
        let writer = store.volume.writer(timeout: 60)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for index in 0..<50 {
                do {
                    let (_, commit) = try writer.withLock {
                        try $0.append([frame("\(thread)/\(index)")])
                    }
                    try writer.makeDurable(try #require(commit))
                } catch {
                    Issue.record(error)
                }
            }
        }
        let texts = try store.volume.texts()
        #expect(texts.count == 400 && Set(texts).count == 400)
    }
}
