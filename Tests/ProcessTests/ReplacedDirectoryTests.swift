import Foundation
import GroupLog
import GroupLogFile
import TestSupport
import Testing

/// Processes at work on a store whose directory is replaced, and whose lock file is removed.
@Suite(.serialized) struct ReplacedDirectoryTests {
    /// Puts a copy of the store's directory in its place, with the lock held, as is the duty of
    /// whoever does that: what is written between the copy and the renames would be lost.
    private func replaceDirectory(_ path: String, number: Int) throws {
        let writer = LogWriter(
            DiskVolume(path: path),
            .init(mayCreate: false, purpose: "replacing", timeoutSeconds: 60))
        let (copy, old) = (path + "-new", "\(path)-\(number)")
        let files = FileManager.default
        _ = try writer.withLock { _ in
            try files.copyItem(atPath: path, toPath: copy)
            try files.moveItem(atPath: path, toPath: old)
            try files.moveItem(atPath: copy, toPath: path)
        }
        try files.removeItem(atPath: old)
    }

    @Test(
        "a directory that a copy replaces, and a lock file that is removed, under eight writers and a compactor, lose nothing"
    )
    func replaced() throws {
        let directory = try TemporaryDirectory()
        let path = directory.store
        let store = try Store(path: path)
        let count = isFull ? 2_000 : 60
        let writers = try (0..<8).map {
            try RunningProcess("writer-process", [path, "p\($0)", "\(count)", "patient"])
        }
        let compactor = try RunningProcess("writer-process", [path, "c", "\(Int.max)", "compact"])
        var (replacements, removals) = (0, 0)
        // Each of these may overtake a compaction, so they go on until one has come to its end.
        while try writers.contains(where: \.isRunning) || !compactor.lines().contains("compacted") {
            if Int.random(in: 0..<3) == 0 {
                try replaceDirectory(path, number: replacements)
                replacements += 1
            } else {
                try? FileManager.default.removeItem(atPath: path + "/lock")
                removals += 1
            }
            let pause = writers.contains(where: \.isRunning) ? 0.02 : 0.5
            Thread.sleep(forTimeInterval: .random(in: 0...pause))
        }
        try Data().write(to: URL(fileURLWithPath: path + ".stop"))
        let compactions = try compactor.finish()
        #expect(compactions.status == 0)
        var expectation = Expectation()
        var acknowledged = 0
        for (index, process) in writers.enumerated() {
            let (status, lines) = try process.finish()
            #expect(status == 0)
            acknowledged += lines.count
            expectation.takeUp(lines)
            let missing = Set((0..<count).map { "p\(index)/\(Note.shortNumber($0))" })
            for id in missing.subtracting(lines) { expectation.allow(id) }
        }
        #expect(acknowledged > 4 * count)
        try expectation.check(path)
        // Two holders of the lock would have given out one sequence twice.
        #expect(try store.refresh() == UInt64(try store[Note.self].count()))
        try expectation.checkAfterCompaction(of: path)
        #expect(replacements > 0 && removals > 0)
        print(
            "\(acknowledged) of \(8 * count) acknowledged, \(replacements) replaced directories,",
            "\(removals) removed lock files, \(compactions.lines.count) compactions")
    }
}
