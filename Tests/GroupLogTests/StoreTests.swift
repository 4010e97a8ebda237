import Foundation
import TestSupport
import Testing

@testable import GroupLog

struct Bookmark: Model, Equatable {
    static let collection = "items"
    var id = UUID()
    var url: String?
    var title: String
    var tags: [String]?
    var createdAt = Date()

    struct Fields: FieldSet {
        let url = Field(CodingKeys.url, \Bookmark.url)
        let title = Field(CodingKeys.title, \Bookmark.title)
        let tags = Field(CodingKeys.tags, \Bookmark.tags)
        let createdAt = Field(CodingKeys.createdAt, \Bookmark.createdAt)
    }
}

@Suite struct StoreTests {
    @Test("a record that one store appends is seen by another that is open")
    func seenAtOnce() throws {
        let directory = try TemporaryDirectory()
        let app = try Store(path: directory.store)
        #expect(try app[Bookmark.self].newest().isEmpty)
        let capture = try Store(
            path: directory.store, options: .init(role: .extension, author: "share-extension"))
        let bookmark = Bookmark(url: "https://example.com/%zz", title: "Café")
        try capture[Bookmark.self].append(bookmark)
        #expect(try app[Bookmark.self].newest() == [bookmark])
        #expect(try app[Bookmark.self].get(bookmark.id) == bookmark)
        #expect(try app[Bookmark.self].count() == 1)
    }

    @Test("insert, put, update and delete do what they say")
    func changes() throws {
        let directory = try TemporaryDirectory()
        for store in [try Store(path: directory.store), try Store.inMemory()] {
            let items = store[Bookmark.self]
            var bookmark = Bookmark(title: "one")
            try items.insert(bookmark)
            #expect {
                try items.insert(bookmark)
            } throws: {
                ($0 as? StoreError)?.code == .exists
            }
            bookmark.title = "two"
            try items.put(bookmark)
            let sequence = try store.refresh()
            try items.put(bookmark)
            #expect(try store.refresh() == sequence)
            let updated = try items.update(bookmark.id) { $0.url = "x" }
            #expect(updated.title == "two" && updated.url == "x")
            #expect(try items.delete(bookmark.id))
            #expect(try !items.delete(bookmark.id))
            #expect {
                try items.update(bookmark.id) { $0.url = "y" }
            } throws: {
                ($0 as? StoreError)?.code == .notFound
            }
            #expect(try items.count() == 0)
        }
    }

    @Test("lists are newest first, and an edit does not move a record")
    func order() throws {
        let store = try Store.inMemory()
        let day = Date(timeIntervalSinceReferenceDate: 0)
        let bookmarks = (0..<5).map { Bookmark(title: "\($0)", createdAt: day) }
        try store[Bookmark.self].append(contentsOf: bookmarks[..<2])
        for bookmark in bookmarks[2...] { try store[Bookmark.self].append(bookmark) }
        try store[Bookmark.self].append(Bookmark(title: "old", createdAt: day - 1))
        try store[Bookmark.self].update(bookmarks[2].id) { $0.title = "2, edited" }
        let titles = try store[Bookmark.self].newest().map(\.title)
        #expect(Array(titles.prefix(3)) == ["4", "3", "2, edited"])
        #expect(titles.last == "old")
        #expect(
            try store[Bookmark.self].newest(limit: 2, offset: 1).map(\.title) == ["3", "2, edited"])
    }

    @Test("a transaction is all or nothing, and sees its own writes")
    func transactions() throws {
        let store = try Store.inMemory()
        let a = Bookmark(title: "a")
        let b = Bookmark(title: "b")
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try store.transaction {
                try $0[Bookmark.self].insert(a)
                throw Stop()
            }
        }
        #expect(try store[Bookmark.self].count() == 0)
        let count = try store.transaction { transaction in
            try transaction[Bookmark.self].insert(a)
            try transaction[Bookmark.self].insert(b)
            try transaction[Bookmark.self].delete(a.id)
            return try transaction[Bookmark.self].all().count
        }
        #expect(count == 1)
        #expect(try store[Bookmark.self].newest() == [b])
        #expect {
            try store.transaction { _ in try store[Bookmark.self].append(a) }
        } throws: {
            ($0 as? StoreError)?.code == .nestedTransaction
        }
    }

    @Test("threads that update one record lose none of the changes")
    func contention() throws {
        let directory = try TemporaryDirectory()
        let bookmark = Bookmark(title: "", tags: [])
        let path = directory.store
        try Store(path: path)[Bookmark.self].insert(bookmark)
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            do {
                let store = try Store(
                    path: path, options: .init(lockTimeout: .seconds(60), durability: .unsynced))
                for index in 0..<25 {
                    try store[Bookmark.self].update(bookmark.id) {
                        $0.tags?.append("\(thread)/\(index)")
                    }
                }
            } catch {
                Issue.record(error)
            }
        }
        let tags = try Store(path: directory.store)[Bookmark.self].get(bookmark.id)?.tags ?? []
        #expect(tags.count == 100 && Set(tags).count == 100)
    }

    @Test("async writes return when they are durable, many at a time")
    func asyncWrites() async throws {
        let directory = try TemporaryDirectory()
        let store = try Store(path: directory.store)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<50 {
                group.addTask { try await store[Bookmark.self].append(Bookmark(title: "\(index)")) }
            }
            try await group.waitForAll()
        }
        #expect(try store[Bookmark.self].count() == 50)
        let id = try #require(try store[Bookmark.self].newest(limit: 1).first).id
        try await store[Bookmark.self].update(id) { $0.title = "changed" }
        #expect(try store[Bookmark.self].get(id)?.title == "changed")
    }

    @Test("values are set, read and removed by name")
    func keyValues() throws {
        let directory = try TemporaryDirectory()
        let store = try Store(path: directory.store)
        try store.keyValues.set(["a": 1], forKey: "settings")
        try store.keyValues.set(Date.distantFuture, forKey: "when")
        let other = try Store(path: directory.store, options: .init(role: .readOnly))
        #expect(try other.keyValues.get("settings", as: [String: Int].self) == ["a": 1])
        #expect(try other.keyValues.get("when") == Date.distantFuture)
        #expect(try other.keyValues.keys() == ["settings", "when"])
        #expect(try store.keyValues.remove("when"))
        #expect(try other.keyValues.get("when", as: Date.self) == nil)
        #expect(try other.collections().isEmpty)
        #expect {
            try other.keyValues.set(1, forKey: "x")
        } throws: {
            ($0 as? StoreError)?.code == .readOnly
        }
    }

    @Test("opening what is not there for reading makes nothing")
    func noStore() throws {
        let directory = try TemporaryDirectory()
        #expect {
            try Store(path: directory.store, options: .init(role: .readOnly))
        } throws: {
            ($0 as? StoreError)?.code == .noStore
        }
        #expect(!FileManager.default.fileExists(atPath: directory.store))
    }

    @Test("a record larger than the limit is refused, and one of 20 MB comes back")
    func large() throws {
        let directory = try TemporaryDirectory()
        let store = try Store(path: directory.store, options: .init(durability: .unsynced))
        let big = Bookmark(title: String(repeating: "x", count: 20_000_000))
        try store[Bookmark.self].append(big)
        #expect(try store[Bookmark.self].get(big.id)?.title.utf8.count == 20_000_000)
        #expect {
            try store[Bookmark.self].append(
                Bookmark(title: String(repeating: "x", count: 33_000_000 + 600_000)))
        } throws: {
            ($0 as? StoreError)?.code == .tooLarge
        }
        #expect(try store[Bookmark.self].count() == 1)
    }

    @Test("a bulk load of mixed sizes comes back whole")
    func bulk() throws {
        let directory = try TemporaryDirectory()
        let store = try Store(path: directory.store)
        let bookmarks = (0..<3000).map { index in
            Bookmark(
                title: "\(index) "
                    + String(repeating: "y", count: index % 500 == 0 ? 100_000 : index % 97))
        }
        try store[Bookmark.self].append(contentsOf: bookmarks)
        let read = try store[Bookmark.self].newest()
        #expect(Set(read.map(\.title)) == Set(bookmarks.map(\.title)))
        #expect(read.count == 3000)
        #expect(try store.receipt().isClean)
    }
}
