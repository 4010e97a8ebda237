import Foundation
import GroupLogFile
import GroupLogFormat
import Synchronization
import TestSupport
import Testing

@testable import GroupLog

/// Counts calls.
final class CallCounter: Sendable {
    private let calls = Atomic<Int>(0)
    func call() { calls.add(1, ordering: .relaxed) }
    /// The calls since this was asked last.
    func take() -> Int { calls.exchange(0, ordering: .relaxed) }
}

@Suite struct ResultsTests {
    /// A store, and what another process writes to it.
    private struct Pair {
        let directory: TemporaryDirectory
        let store: Store
        let items: ModelCollection<Bookmark>

        init(mapping: StoreOptions.Mapping = .automatic) throws {
            directory = try TemporaryDirectory()
            let options = StoreOptions(durability: .unsynced, mapping: mapping)
            store = try Store(path: directory.store, options: options)
            items = try Store(path: directory.store, options: options)[Bookmark.self]
        }

        /// Appends bookmarks of which each is newer than the one before; gives them newest first.
        func append(_ titles: some Sequence<String>, from start: Int = 0) throws -> [Bookmark] {
            let bookmarks = titles.enumerated().map { index, title in
                Bookmark(title: title, createdAt: date(start + index))
            }
            try items.append(contentsOf: bookmarks)
            return bookmarks.reversed()
        }

        var log: URL { URL(fileURLWithPath: directory.store + "/log") }
    }

    private static func date(_ day: Int) -> Date {
        Date(timeIntervalSinceReferenceDate: Double(day) * 86_400)
    }

    /// The only update of a look.
    private func difference(_ mirror: ResultsMirror) throws -> ResultsDifference {
        let updates = mirror.look()
        #expect(updates.count == 1)
        return try #require(updates.first).difference
    }

    // MARK: What one change is

    @Test("writing again what is there is no change, and a change of a field is one update")
    func sameAgain() throws {
        let pair = try Pair()
        let bookmarks = try pair.append(["a", "b", "c"])
        let mirror = ResultsMirror(pair.store)
        mirror.look()
        try pair.items.put(bookmarks[1])
        #expect(mirror.look().isEmpty)
        try pair.items.update(bookmarks[1].id) { $0.url = "synced" }
        #expect(try difference(mirror).updates == [.init(old: 1, new: 1)])
        // An append makes the record anew; by its date it stands where it stood.
        try pair.items.append(bookmarks[1])
        let again = try difference(mirror)
        #expect(again.updates == [.init(old: 1, new: 1)] && again.count == 1)
        try setSyncState(of: bookmarks[1], pair.store)
        #expect(mirror.look().isEmpty)
    }

    private func setSyncState(of bookmark: Bookmark, _ store: Store) throws {
        let key = try bookmark.id.requiredKey()
        _ = try store.engine.commit { log in
            var builder = FrameBuilder(author: nil)
            try builder.append(
                kind: .syncState, collection: Bookmark.collection, key: key,
                content: .init(bytes: [0xA0], isIndexed: false))
            try log.append([builder])
        }
    }

    @Test("another date is one update where the order stays, and else one move with the new value")
    func dates() throws {
        let pair = try Pair()
        let bookmarks = try pair.append(["a", "b", "c", "d"])
        let mirror = ResultsMirror(pair.store)
        mirror.look()
        try pair.items.update(bookmarks[1].id) { $0.createdAt += 60 }
        let stayed = try difference(mirror)
        #expect(stayed.updates == [.init(old: 1, new: 1)] && stayed.count == 1)
        try pair.items.update(bookmarks[1].id) {
            $0.createdAt = .distantPast
            $0.title = "moved"
        }
        let moved = try difference(mirror)
        #expect(moved.moves == [.init(old: 1, new: 3)] && moved.count == 1)
        #expect(mirror.rows.last?.title == "moved")
    }

    @Test("what one transaction does to a record is one event, or none")
    func oneEvent() throws {
        let pair = try Pair()
        let bookmarks = try pair.append(["a", "b"])
        let mirror = ResultsMirror(pair.store)
        mirror.look()
        try pair.store.transaction { transaction in
            let items = transaction[Bookmark.self]
            try items.update(bookmarks[0].id) { $0.title = "x" }
            try items.delete(bookmarks[0].id)
            let brief = Bookmark(title: "brief")
            try items.insert(brief)
            try items.update(brief.id) { $0.title = "y" }
            try items.delete(brief.id)
        }
        let difference = try difference(mirror)
        #expect(difference.deletions == [0] && difference.count == 1)
    }

    // MARK: Filter and limit

    @Test("records enter and leave by the filter, go over the limit and come up from behind it")
    func filterAndLimit() throws {
        let pair = try Pair()
        let bookmarks = try pair.append((0..<40).map { $0 % 2 == 0 ? "pending" : "synced" })
        let mirror = ResultsMirror(pair.store, limit: 10) { $0.title == "pending" }
        mirror.look()
        #expect(mirror.rows.count == 10)
        // Newest first, a synced one stands at 0 and a pending one at 1.
        try pair.items.update(bookmarks[2].id) { $0.title = "pending" }
        let entered = try difference(mirror)
        #expect(entered.insertions == [1] && entered.deletions == [9] && entered.count == 2)
        try pair.items.update(bookmarks[1].id) { $0.title = "synced" }
        let left = try difference(mirror)
        #expect(left.deletions == [0] && left.insertions == [9] && left.count == 2)
        try pair.items.update(bookmarks[39].id) { $0.createdAt = .distantFuture }
        let raised = try difference(mirror)
        #expect(raised.insertions == [0] && raised.deletions == [9] && raised.count == 2)
        try pair.items.update(bookmarks[38].id) { $0.title = "pending" }
        #expect(mirror.look().isEmpty)
    }

    @Test("a change asks the filter for what changed alone, a compaction for nothing that matches")
    func asksLittle() throws {
        let pair = try Pair()
        let bookmarks = try pair.append((0..<1_000).map { $0 % 2 == 0 ? "yes" : "no" })
        let counter = CallCounter()
        let mirror = ResultsMirror(pair.store) { bookmark in
            counter.call()
            return bookmark.title.hasPrefix("yes")
        }
        mirror.look()
        #expect(counter.take() == 1_000)
        try pair.items.update(bookmarks[500].id) { $0.title = "yes, changed" }
        mirror.look()
        #expect(counter.take() == 1)
        try pair.items.delete(bookmarks[500].id)
        mirror.look()
        #expect(counter.take() == 0)
        try pair.store.compact()
        #expect(mirror.look().isEmpty)
        #expect(counter.take() <= 500)
        try pair.items.update(bookmarks[1].id) { $0.title = "yes, once more" }
        mirror.look()
        #expect(counter.take() == 1)
    }

    @Test("deletions are made up for from the reserve, and by a scan when that is used up")
    func reserve() throws {
        let pair = try Pair()
        let bookmarks = try pair.append((0..<400).map(String.init))
        let counter = CallCounter()
        let mirror = ResultsMirror(pair.store, limit: 10) { _ in
            counter.call()
            return true
        }
        mirror.look()
        #expect(counter.take() == 74)
        var scans = 0
        for (index, bookmark) in bookmarks.enumerated().dropLast() {
            try pair.items.delete(bookmark.id)
            mirror.look()
            #expect(mirror.rows == Array(bookmarks[(index + 1)...].prefix(10)))
            if counter.take() > 0 { scans += 1 }
        }
        #expect(scans > 0 && scans <= 6)
    }

    @Test("more at once than the reserve holds, in front and behind, is right")
    func floods() throws {
        let pair = try Pair()
        let mirror = ResultsMirror(pair.store, limit: 10)
        mirror.look()
        for round in 0..<4 {
            let newest = try pair.append((0..<2_000).map { "\(round) \($0)" }, from: round * 2_000)
            mirror.look()
            #expect(mirror.rows == Array(newest.prefix(10)))
            try pair.store.transaction { transaction in
                for bookmark in newest.prefix(1_995) {
                    try transaction[Bookmark.self].delete(bookmark.id)
                }
            }
            mirror.look()
            #expect(try mirror.rows == pair.items.newest(limit: 10))
        }
    }
}
