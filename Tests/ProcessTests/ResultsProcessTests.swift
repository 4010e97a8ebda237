import Foundation
import GroupLog
import TestSupport
import Testing

/// A list of an app, beside processes that write.
@MainActor @Suite(.serialized) struct ResultsProcessTests {
    /// What a table view has that takes up the updates of results by their differences.
    @MainActor private final class Table {
        private(set) var rows: [Note] = []
        private(set) var updateCount = 0

        init(_ results: FetchedResults<Note>) {
            results.onUpdate = { [weak self] in self?.take($0) }
        }

        private func take(_ update: ResultsUpdate<Note>) {
            #expect(update.error == nil && update.unreadable.isEmpty)
            let before = rows
            rows = update.difference.applying(to: before, from: update.list)
            #expect(rows.shown == update.list.shown)
            let changed =
                update.difference.moves.map(\.new) + update.difference.updates.map(\.new)
            let ids =
                (changed + update.difference.insertions).map { update.list[$0].id }
                + update.difference.deletions.map { before[$0].id }
            #expect(Set(ids).count == ids.count)
            #expect(update.difference.moves.allSatisfy { $0.old != $0.new })
            updateCount += 1
        }
    }

    /// Lets the actor do other things until something holds, or long enough to call it missing.
    private func until(_ condition: () throws -> Bool) async throws {
        for _ in 0..<60_000 {
            if try condition() { return }
            try await Task.sleep(for: .milliseconds(5))
        }
        Issue.record("what was waited for did not come")
    }

    @Test("30,000 records that another process imports come in a handful of updates")
    func importing() async throws {
        let directory = try TemporaryDirectory()
        let results = FetchedResults(try Store(path: directory.store)[Note.self])
        let table = Table(results)
        try await until { results.isLoaded }
        let heartbeat = Task {
            var (longest, last) = (Duration.zero, ContinuousClock.now)
            while !Task.isCancelled {
                await Task.yield()
                let now = ContinuousClock.now
                (longest, last) = (max(longest, now - last), now)
            }
            return longest
        }
        let process = try RunningProcess("writer-process", [directory.store, "p", "1", "load"])
        try await until { results.items.count == 30_000 }
        heartbeat.cancel()
        #expect(try process.finish().status == 0)
        #expect(table.updateCount <= 20)
        // The table's own work, and what else the machine does, is in the time.
        print(
            "an import of 30,000: \(table.updateCount) updates, the actor was busy for at most",
            await heartbeat.value)
    }

    @Test(
        "processes capture, edit, delete and compact: each difference is clean, the last list right"
    )
    func together() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.store
        let store = try Store(path: path)
        var counter = Note(writer: "counter", number: 0)
        counter.text = "0"
        try await store[Note.self].append(counter)
        let all = FetchedResults(store[Note.self])
        let isUneven: @Sendable (Note) -> Bool = { $0.text.utf8.count % 2 == 1 || $0.isEdited }
        let some = FetchedResults(store[Note.self], limit: 10, filter: isUneven)
        let tables = [Table(all), Table(some)]
        let endless = "\(Int.max)"
        let processes = try [
            [path, "p0", endless, "short"], [path, "p1", endless, "short"],
            [path, "e0", endless, "change", "p0/"], [path, "e1", endless, "change", "p1/"],
            [path, "c", endless, "compact"],
        ].map { try RunningProcess("writer-process", $0) }
        try await Task.sleep(for: .seconds(isFull ? 60 : 4))
        try Data().write(to: URL(fileURLWithPath: path + ".stop"))
        for process in processes {
            while process.isRunning { try await Task.sleep(for: .milliseconds(5)) }
            #expect(try process.finish().status == 0)
        }
        let notes = try Store(path: path, options: .init(role: .readOnly))[Note.self].newest()
        try await until { all.items.count == notes.count && all.items.shown == notes.shown }
        try await until { some.items.shown == notes.filter(isUneven).prefix(10).shown }
        #expect(tables.map(\.rows.shown) == [all.items.shown, some.items.shown])
        print("\(notes.count) notes, \(tables.map(\.updateCount)) updates")
    }
}

extension Sequence<Note> {
    /// What a row would show.
    fileprivate var shown: [String] {
        map { "\($0.id) \($0.text.utf8.count) \($0.isEdited ? $0.text : "")" }
    }
}
