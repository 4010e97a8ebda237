import Foundation
import TestSupport
import Testing

@testable import GroupLog

@Suite struct ResultsUpdatesTests {
    private let directory: TemporaryDirectory
    private let store: Store
    /// What another process has.
    private let others: ModelCollection<Bookmark>

    init() throws {
        directory = try TemporaryDirectory()
        let options = StoreOptions(durability: .unsynced)
        store = try Store(path: directory.store, options: options)
        others = try Store(path: directory.store, options: options)[Bookmark.self]
    }

    @Test("the first update has the list as it is, also an empty one")
    func first() async throws {
        var updates = store[Bookmark.self].updates().makeAsyncIterator()
        let empty = try #require(await updates.next())
        #expect(empty.list.isEmpty && empty.difference.isEmpty && empty.error == nil)
        try await others.append(contentsOf: (0..<5).map { Bookmark(title: "\($0)") })
        var later = store[Bookmark.self].updates().makeAsyncIterator()
        let filled = try #require(await later.next())
        #expect(filled.difference.insertions == Array(0..<5) && filled.list.count == 5)
        #expect(await updates.next()?.list == filled.list)
    }

    @Test("a consumer that takes its time gets fewer updates, and all that happened")
    func slow() async throws {
        var updates = store[Bookmark.self].updates().makeAsyncIterator()
        _ = await updates.next()
        for number in 0..<100 { try await others.append(Bookmark(title: "\(number)")) }
        let update = try #require(await updates.next())
        #expect(update.difference.insertions.count == 100)
    }

    @Test("cancelling the task ends the sequence, also one that waits")
    func cancellation() async throws {
        let store = store
        let task = Task {
            var count = 0
            for await _ in store[Bookmark.self].updates() { count += 1 }
            return count
        }
        try await others.append(Bookmark(title: "one"))
        try await Task.sleep(for: .milliseconds(50))
        task.cancel()
        #expect(await task.value <= 2)
        let cancelled = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            var updates = store[Bookmark.self].updates().makeAsyncIterator()
            return await updates.next() == nil
        }
        #expect(await cancelled.value)
    }

    @Test("a store whose last user stops observing goes")
    func goes() async throws {
        weak var engine: Engine?
        do {
            let store = try Store.inMemory()
            engine = store.engine
            let task = Task { for await _ in store[Bookmark.self].updates() {} }
            try await store[Bookmark.self].append(Bookmark(title: "one"))
            task.cancel()
            await task.value
        }
        // The thread may still be about to let go of its last job.
        for _ in 0..<60_000 where engine != nil { try await Task.sleep(for: .milliseconds(5)) }
        #expect(engine == nil)
    }

    @Test("consumers beside writers and a compactor end with what is there, each difference clean")
    func beside() async throws {
        let store = store
        let path = directory.store
        let count = isFull ? 1_000 : 60
        @Sendable func follow(_ limit: Int) async -> [Bookmark] {
            var rows: [Bookmark] = []
            for await update in store[Bookmark.self].updates(limit: limit) {
                rows = checkedRows(update, on: rows)
                if rows.first?.title == "end" { break }
            }
            return rows
        }
        async let all = follow(.max)
        async let some = follow(20)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<3 {
                group.addTask {
                    let options = StoreOptions(lockTimeout: .seconds(60), durability: .unsynced)
                    let items = try Store(path: path, options: options)[Bookmark.self]
                    var own: [UUID] = []
                    for number in 0..<count {
                        let bookmark = Bookmark(title: "\(writer) \(number)")
                        try await items.append(bookmark)
                        own.append(bookmark.id)
                        let id = own[number / 2]
                        if number % 3 == 0 {
                            try await items.update(id) { $0.createdAt = Date() }
                        }
                        if number % 7 == 0 { try await items.put(Bookmark(title: "put")) }
                    }
                }
            }
            group.addTask {
                for _ in 0..<5 {
                    do { try await store.compact() } catch StoreError.Code.superseded {}
                    try await Task.sleep(for: .milliseconds(20))
                }
            }
            try await group.waitForAll()
        }
        try await others.append(Bookmark(title: "end", createdAt: .distantFuture))
        let expected = try others.newest()
        #expect(await all == expected)
        #expect(await some == Array(expected.prefix(20)))
    }
}
