import Foundation
import GroupLog
import TestSupport
import Testing

/// Processes that are killed again and again, with others at work beside them.
@Suite(.serialized) struct KillTests {
    /// A process that is started anew when it was killed, under another name.
    private struct Worker {
        var name: String
        var arguments: [String]
        var process: RunningProcess
        /// What the killed ones have printed.
        var lives: [(name: String, lines: [String], wasKilled: Bool)] = []
    }

    private func start(_ path: String, _ name: String, _ arguments: [String]) throws -> Worker {
        Worker(
            name: name, arguments: arguments,
            process: try RunningProcess(
                "writer-process", [path, name, "\(Int.max)"] + arguments))
    }

    @Test("of four processes one is killed, at any moment: nothing is lost, and nobody waits")
    func kill() throws {
        // A store each, so that it stays small enough for a compaction to come to its end.
        for _ in 0..<(isFull ? 100 : 1) { try kill(isFull ? 100 : 60) }
    }

    private func kill(_ kills: Int) throws {
        let directory = try TemporaryDirectory()
        let path = directory.store
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let store = try Store(path: path, options: StoreOptions(lockTimeout: .seconds(30)))
        var counter = Note(writer: "counter", number: 0)
        counter.text = "0"
        try store[Note.self].append(counter)
        var workers = try [
            start(path, "a0", ["short"]), start(path, "b0", ["short"]),
            start(path, "e0", ["change", "a", "b"]), start(path, "c0", ["compact"]),
        ]
        var expectation = Expectation()
        for number in 1...kills {
            Thread.sleep(forTimeInterval: .random(in: 0.0...0.15, using: &random))
            let index = Int.random(in: 0..<workers.count, using: &random)
            workers[index].process.kill(with: SIGKILL)
            let (status, lines) = try workers[index].process.finish()
            #expect(status == -SIGKILL)
            workers[index].lives.append((workers[index].name, lines, true))
            let name = "\(workers[index].name.prefix(1))\(number)"
            let lives = workers[index].lives
            workers[index] = try start(path, name, workers[index].arguments)
            workers[index].lives = lives
            // Somebody beside them gets the lock.
            let note = Note(writer: "t", number: Note.shortNumber(number))
            try store[Note.self].append(note)
            expectation.takeUp([note.id])
        }
        try Data().write(to: URL(fileURLWithPath: path + ".stop"))
        for index in workers.indices {
            let (status, lines) = try workers[index].process.finish()
            #expect(status == 0)
            workers[index].lives.append((workers[index].name, lines, false))
        }
        for worker in [workers[0], workers[1], workers[2]] {
            for life in worker.lives {
                expectation.takeUp(
                    life.lines, wasKilled: life.wasKilled && worker.arguments[0] == "change")
                if life.wasKilled, worker.arguments[0] == "short" {
                    let next = Note.shortNumber(life.lines.count)
                    expectation.allow("\(life.name)/\(next)")
                }
            }
        }
        try expectation.check(path, "seed \(seed)")
        try expectation.checkAfterCompaction(of: path, "seed \(seed)")
        let compactions = workers[3].lives.flatMap(\.lines).count
        let commits = try store.refresh()
        #expect(expectation.changes > 0, "seed \(seed)")
        print(
            "\(kills) kills, \(commits) commits, \(expectation.changes) edits and deletions, "
                + "\(compactions) compactions, seed \(seed)")
    }
}
