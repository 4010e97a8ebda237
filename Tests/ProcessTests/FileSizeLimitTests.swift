import Foundation
import GroupLog
import TestSupport
import Testing

/// Processes that may not make their files any larger: the nearest to a full disk that needs no
/// privileges.
@Suite(.serialized) struct FileSizeLimitTests {
    private func size(_ path: String) throws -> Int {
        try #require(
            FileManager.default.attributesOfItem(atPath: path + "/log")[.size] as? Int)
    }

    /// A shell that sets a limit of half a MiB, and becomes the process.
    private func limited(_ signal: String) -> [String] {
        ["/bin/sh", "-c", "ulimit -f 1024; \(signal) exec \"$0\" \"$@\""]
    }

    @Test(
        "appends of a MB that fail for want of room, beside four readers: no signal, the log never gets shorter, nobody reads anything wrong"
    )
    func ignored() throws {
        let directory = try TemporaryDirectory()
        let path = directory.store
        let store = try Store(path: path)
        for number in 0..<20 { try store[Note.self].append(Note(writer: "t", number: number % 9)) }
        let readers = try (0..<4).map {
            try RunningProcess("writer-process", [path, "r\($0)", "\(Int.max)", "list"])
        }
        let count = isFull ? 10_000 : 100
        let writer = try RunningProcess(
            "writer-process", [path, "w", "\(count)", "full"], under: limited("trap '' XFSZ;"))
        var (before, rounds) = (try size(path), 0)
        while writer.isRunning {
            let now = try size(path)
            #expect(now >= before)
            (before, rounds) = (now, rounds + 1)
            if rounds % 100 == 0 { try store[Note.self].append(Note(writer: "b", number: rounds)) }
            Thread.sleep(forTimeInterval: 0.001)
        }
        let (status, lines) = try writer.finish()
        #expect(status == 0 && lines == ["no space"])
        try Data().write(to: URL(fileURLWithPath: path + ".stop"))
        for reader in readers {
            let (status, lines) = try reader.finish()
            #expect(status == 0 && lines == [])
        }
        #expect(try store.receipt().isClean)
        #expect(try store[Note.self].newest().allSatisfy(\.isWhole))
        #expect(try store[Note.self].count() == 9 + rounds / 100)
    }

    @Test(
        "a program that does not ignore the signal of the limit is ended by it, and the log is as before"
    )
    func ended() throws {
        let directory = try TemporaryDirectory()
        let path = directory.store
        let store = try Store(path: path)
        try store[Note.self].append(Note(writer: "t", number: 4))
        let before = try size(path)
        for _ in 0..<3 {
            let writer = try RunningProcess(
                "writer-process", [path, "w", "1", "exposed"], under: limited(""))
            let (status, lines) = try writer.finish()
            #expect(status == -SIGXFSZ)
            #expect(lines == [])
            #expect(try size(path) >= before)
            #expect(try store[Note.self].newest().map(\.id) == ["t/4"])
        }
        try store[Note.self].append(Note(writer: "t", number: 8))
        #expect(try store[Note.self].newest().count == 2)
        #expect(try store.receipt().isClean)
    }
}
