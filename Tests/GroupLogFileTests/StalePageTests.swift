import Foundation
import GroupLogFormat
import GroupLogSystem
import Testing

@testable import GroupLogFile

/// Lock pages that say where the log ended before, and logs that do not end there any more.
@Suite struct StalePageTests {
    private func append(_ texts: String..., to store: TemporaryStore) throws {
        for text in texts {
            let writer = store.volume.writer()
            let (_, commit) = try writer.withLock { try $0.append([frame(text)]) }
            try writer.makeDurable(try #require(commit))
        }
    }

    private func page(of store: TemporaryStore) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: store.path + "/lock")))
    }

    private func setPage(_ bytes: [UInt8], of store: TemporaryStore) throws {
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: store.path + "/lock"))
        try handle.write(contentsOf: Data(bytes))
        try handle.close()
    }

    private func end(of store: TemporaryStore) throws -> Int {
        let log = try store.log()
        let header = try unsafe LogHeader.decode(log.span.bytes)
        return Int(try LogTail.find(in: LogBytesInMemory(log), salt: header.salt).end)
    }

    @Test("an older page costs no commit, also where the first bytes behind its end are gone")
    func olderPage() throws {
        let store = try TemporaryStore()
        try append("A", to: store)
        let (page, end) = (try page(of: store), try end(of: store))
        try append("B", "C", "D", to: store)
        var log = try store.log()
        for offset in end..<end + 8 { log[offset] = 0 }
        try store.setLog(log)
        try setPage(page, of: store)
        try append("E " + String(repeating: "e", count: 1_000), to: store)
        let texts = try store.volume.texts()
        #expect(texts.map { $0.prefix(1) } == ["A", "C", "D", "E"])
    }

    @Test("a copy whose log is newer than its page loses nothing that the copy has")
    func copiedPage() throws {
        let store = try TemporaryStore()
        try append("A", to: store)
        let (page, end) = (try page(of: store), try end(of: store))
        let before = try store.log()
        try append("B " + String(repeating: "b", count: 9_000), "C", "D", to: store)
        // The copy took the page first, then a piece of the log before B was written, then the rest.
        let copy = try TemporaryStore()
        _ = try copy.volume.writer().withLock { _ in }
        var log = try store.log()
        for offset in end..<end + 4_200 { log[offset] = before[offset] }
        try copy.setLog(log)
        try setPage(page, of: copy)
        try append("E " + String(repeating: "e", count: 5_000), to: copy)
        #expect(try copy.volume.texts().map { $0.prefix(1) } == ["A", "C", "D", "E"])
    }

    @Test("files that are somebody else's are no place for a store, and stay as they are")
    func foreignFiles() throws {
        for name in ["lock", "log.new"] {
            let store = try TemporaryStore()
            try FileManager.default.createDirectory(
                atPath: store.path, withIntermediateDirectories: true)
            let path = store.path + "/" + name
            let text = Data("my own file, pid 42".utf8)
            try text.write(to: URL(fileURLWithPath: path))
            #expect {
                try store.volume.writer().withLock { _ in }
            } throws: { error in
                if case .foreignFile(path) = error as? LogError { true } else { false }
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == text)
            #expect(!FileManager.default.fileExists(atPath: store.logPath))
        }
    }

    @Test(
        "what an attempt has left that never ended is no obstacle", arguments: ["lock", "log.new"],
        [0, 8, 4096])
    func leftovers(_ name: String, _ size: Int) throws {
        let store = try TemporaryStore()
        try FileManager.default.createDirectory(
            atPath: store.path, withIntermediateDirectories: true)
        let path = store.path + "/" + name
        var bytes = [UInt8](repeating: 0, count: size)
        if name == "log.new", size > 0 { bytes.replaceSubrange(0..<8, with: LogHeader.magic) }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        _ = try store.volume.writer().withLock { try $0.append([frame("A")]) }
        #expect(try store.volume.texts() == ["A"])
    }
}
