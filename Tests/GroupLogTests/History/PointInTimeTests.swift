import Foundation
import GroupLogFile
import GroupLogFormat
import TestSupport
import Testing

@testable import GroupLog

@Suite struct PointInTimeTests {
    @Test("each state of the past can be gone back to", arguments: [true, false])
    func views(_ isMapped: Bool) throws {
        let directory = try TemporaryDirectory()
        let store = try Store(
            path: directory.store,
            options: .init(durability: .unsynced, mapping: isMapped ? .automatic : .never))
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        var states = [try store[Bookmark.self].newest()]
        func change() throws {
            let items = store[Bookmark.self]
            let known = states[states.count - 1]
            switch (Int.random(in: 0..<4, using: &random), known.randomElement(using: &random)) {
            case (0, let bookmark?): try items.delete(bookmark.id)
            case (1, let bookmark?): try items.update(bookmark.id) { $0.title += "!" }
            default: try items.append(Bookmark(title: "\(states.count)"))
            }
            states.append(try items.newest())
        }
        for _ in 0..<60 { try change() }
        for (sequence, state) in states.enumerated() {
            let view = try store.view(at: UInt64(sequence))
            #expect(view.sequence == UInt64(sequence), "seed \(seed)")
            #expect(try view[Bookmark.self].newest() == state, "seed \(seed)")
            #expect(view.receipt.isClean, "seed \(seed)")
        }
        expectError(.historyFuture) { try store.view(at: 61) }
        try store.compact()
        for _ in 0..<10 { try change() }
        for sequence in 0..<60 {
            expectError(.historyTooOld) { try store.view(at: UInt64(sequence)) }
        }
        for sequence in 60...70 {
            let view = try store.view(at: UInt64(sequence))
            #expect(try view[Bookmark.self].newest() == states[sequence], "seed \(seed)")
        }
    }

    @Test("a record's versions are told, the oldest first, and after a compaction the last")
    func versions() throws {
        let directory = try TemporaryDirectory()
        let store = try Store(path: directory.store)
        let items = store[Bookmark.self]
        let bookmark = Bookmark(title: "one")
        try items.append(bookmark)
        try items.append(Bookmark(title: "another"))
        try items.update(bookmark.id) { $0.title = "two" }
        try items.delete(bookmark.id)
        try items.append(bookmark)
        let changes = try store.history(of: bookmark.id, in: Bookmark.self)
        #expect(changes.map(\.kind) == [.insert, .update, .delete, .insert])
        #expect(changes.map(\.sequence) == [1, 3, 4, 5])
        #expect(changes[1].changedFields == ["title"])
        #expect(
            try changes.map { try $0.model(Bookmark.self)?.title } == ["one", "two", nil, "one"])
        #expect(try store.history(of: UUID(), in: Bookmark.self).isEmpty)
        try store.compact()
        #expect(try store.history(of: bookmark.id, in: Bookmark.self).map(\.sequence) == [5])
    }

    @Test("a change names the record before it, and what stands there is not believed unseen")
    func predecessors() throws {
        let store = try Store.inMemory()
        let bookmark = Bookmark(title: "one")
        let key = try bookmark.id.requiredKey()
        try store[Bookmark.self].append(bookmark)
        try store[Bookmark.self].update(bookmark.id) { $0.title = "two" }
        try store[Bookmark.self].delete(bookmark.id)
        let view = try store.view()
        var contexts = view.contexts()
        let changes = try view.changes(of: key, in: "items").map(\.record)
        #expect(changes.map(\.predecessor) == [nil, changes[0].offset, changes[1].offset])
        for (older, newer) in zip(changes, changes.dropFirst()) {
            let found = try view.image.predecessor(
                of: newer, salt: view.header.salt, contexts: &contexts)
            #expect(found?.offset == older.offset)
        }
        for offset in [0, changes[0].offset + 1, view.end, .max] {
            var forged = changes[1]
            forged.predecessor = offset
            let found = try view.image.predecessor(
                of: forged, salt: view.header.salt, contexts: &contexts)
            #expect(found == nil)
        }
        var other = changes[1]
        other.key = try #require(RecordKey(text: "other"))
        #expect(
            try view.image.predecessor(of: other, salt: view.header.salt, contexts: &contexts)
                == nil)
    }
}
