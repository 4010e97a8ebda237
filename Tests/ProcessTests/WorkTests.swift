import Foundation
import GroupLog
import TestSupport
import Testing

/// All kinds of work on one store at once, a process each.
@Suite(.serialized) struct WorkTests {
    private let seconds = isFull ? 60.0 : 4.0

    /// A change that the follower printed; nil for a deleted note.
    private struct Change {
        var sequence: UInt64
        var id: String
        var text: String?
    }

    private func change(_ line: String) throws -> Change? {
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        let kind = try #require(object["kind"] as? String)
        guard ["insert", "update", "delete"].contains(kind) else {
            Issue.record("the follower says: \(line)")
            return nil
        }
        let record = object["record"] as? [String: Any]
        return Change(
            sequence: UInt64(try #require(object["sequence"] as? Int)),
            id: try #require(object["key"] as? String),
            text: kind == "delete" ? nil : record?["text"] as? String)
    }

    private func start(
        _ path: String, _ name: String, _ role: String, _ others: String...
    ) throws -> RunningProcess {
        try RunningProcess("writer-process", [path, name, "\(Int.max)", role] + others)
    }

    @Test(
        "four capture, two edit and delete, one compacts, one follows and one lists: every change once, in order, and none lost"
    )
    func together() throws {
        let directory = try TemporaryDirectory()
        let path = directory.store
        let store = try Store(path: path)
        var counter = Note(writer: "counter", number: 0)
        counter.text = "0"
        try store[Note.self].append(counter)
        let follower = try RunningProcess(
            "grouplog-reader", ["follow", "--json", "--all", "--interval", "10", "--store", path])
        let writers = try (0..<4).map { try start(path, "p\($0)", "short") }
        let editors = try [
            start(path, "e0", "change", "p0/", "p1/"),
            start(path, "e1", "change", "p2/", "p3/"),
        ]
        let compactor = try start(path, "c", "compact")
        let lister = try start(path, "l", "list")
        Thread.sleep(forTimeInterval: seconds)
        try Data().write(to: URL(fileURLWithPath: path + ".stop"))

        var expectation = Expectation()
        for process in writers + editors {
            let (status, lines) = try process.finish()
            #expect(status == 0)
            #expect(!lines.isEmpty)
            expectation.takeUp(lines)
        }
        let compactions = try compactor.finish()
        #expect(compactions.status == 0)
        #expect(compactions.lines.filter { $0 == "compacted" }.count > 1)
        let listed = try lister.finish()
        #expect(listed.status == 0 && listed.lines.isEmpty, "\(listed.lines)")

        try expectation.check(path)
        let last = try store.refresh()
        let changes = try followed(follower, to: last)
        #expect(faults(of: changes, expectation).prefix(10) == [])
        try expectation.checkAfterCompaction(of: path)
        print(
            "\(last) commits, \(compactions.lines.count) compactions, \(changes.count) changes followed"
        )
    }

    /// What the follower has printed when it has come as far as a commit.
    private func followed(_ follower: RunningProcess, to sequence: UInt64) throws -> [Change] {
        let deadline = Date(timeIntervalSinceNow: 120)
        var changes: [Change] = []
        repeat {
            Thread.sleep(forTimeInterval: 0.05)
            changes = try follower.lines().compactMap(change)
        } while changes.last?.sequence != sequence && follower.isRunning
            && deadline.timeIntervalSinceNow > 0
        #expect(changes.last?.sequence == sequence)
        follower.kill(with: SIGINT)
        #expect(try follower.finish().status == 130)
        return changes
    }

    /// What is not as it should be: each change was seen once and in order. One that was overtaken by
    /// a later change of its note may be missing: a compaction forgets it, and another may follow
    /// before the next look.
    private func faults(of changes: [Change], _ expectation: Expectation) -> [String] {
        var faults: [String] = []
        var seen: [String: [Change]] = [:]
        var last: UInt64 = 0
        for change in changes {
            // One record a commit.
            if change.sequence <= last { faults.append("\(change.sequence) after \(last)") }
            last = change.sequence
            seen[change.id, default: []].append(change)
        }
        seen[Note.counter] = nil
        for id in seen.keys where expectation.acknowledged[id] == nil {
            faults.append("\(id) was never acknowledged")
        }
        for (id, texts) in expectation.acknowledged {
            // What is left of the acknowledged ones after each one seen.
            var rest = texts[...]
            for change in seen[id] ?? [] {
                guard let place = rest.firstIndex(of: change.text) else {
                    faults.append("\(id) at \(change.sequence) was not acknowledged, or seen twice")
                    continue
                }
                rest = rest[(place + 1)...]
            }
            if !rest.isEmpty { faults.append("the last change of \(id) was not seen") }
        }
        return faults
    }
}
