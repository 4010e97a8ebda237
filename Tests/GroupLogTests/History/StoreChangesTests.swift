import Foundation
import GroupLogFormat
import TestSupport
import Testing

@testable import GroupLog

@Suite struct StoreChangesTests {
    /// Titles that a consumer is told, until the last one; `[replaced]` where another log came.
    private func titles(
        of changes: StoreChanges, until last: String
    ) async throws -> [String] {
        var seen: [String] = []
        for try await change in changes {
            switch change {
            case .commit(let commit):
                for change in commit.changes {
                    seen.append(try change.model(Bookmark.self)?.title ?? "-")
                }
            case .replaced: seen.append("[replaced]")
            case .damaged: seen.append("[damaged]")
            }
            if seen.last == last { return seen }
        }
        return seen
    }

    @Test("each commit of others comes once, in order, while logs are compacted")
    func onceInOrder() async throws {
        let directory = try TemporaryDirectory()
        let store = try Store(path: directory.store)
        try await store[Bookmark.self].append(Bookmark(title: "before"))
        let changes = try store.changes
        let count = isFull ? 10_000 : 1_000
        async let seen = titles(of: changes, until: "last")
        let writer = Task.detached {
            let writer = try Store(path: directory.store, options: .init(durability: .unsynced))
            for index in 0..<count {
                try await writer[Bookmark.self].append(Bookmark(title: "\(index)"))
            }
        }
        let compactor = Task.detached {
            while !Task.isCancelled { _ = try? await store.compact() }
        }
        try await writer.value
        compactor.cancel()
        await compactor.value
        try await store[Bookmark.self].append(Bookmark(title: "last"))
        #expect(try await seen == (0..<count).map(String.init) + ["last"])
    }

    @Test("a log that takes the place of the one that was followed is told, and all of it")
    func replaced() async throws {
        let directory = try TemporaryDirectory()
        let store = try Store(
            path: directory.store, options: .init(durability: .unsynced, mapping: .never))
        for index in 0..<5 { try await store[Bookmark.self].append(Bookmark(title: "\(index)")) }
        let log = URL(fileURLWithPath: directory.store + "/log")
        let backup = try Data(contentsOf: log)
        var iterator = try store.changes.makeAsyncIterator()
        try await store[Bookmark.self].append(Bookmark(title: "5"))
        guard case .commit? = try await iterator.next() else {
            Issue.record("the commit did not come")
            return
        }
        try backup.write(to: log, options: .atomic)
        try await Store(path: directory.store)[Bookmark.self].append(Bookmark(title: "other"))
        guard case .replaced? = try await iterator.next() else {
            Issue.record("the backup was not noticed")
            return
        }
        var seen: [String] = []
        while seen.last != "other", case .commit(let commit)? = try await iterator.next() {
            seen.append(try commit.changes[0].model(Bookmark.self)?.title ?? "-")
        }
        #expect(seen == ["0", "1", "2", "3", "4", "other"])
    }

    @Test("each loop begins at the beginning, and one that is cancelled ends")
    func loops() async throws {
        let store = try Store.inMemory()
        let changes = try store.changes
        for title in ["one", "two"] {
            try await store[Bookmark.self].append(Bookmark(title: title))
        }
        for _ in 0..<2 { #expect(try await titles(of: changes, until: "two") == ["one", "two"]) }
        let loop = Task { try await titles(of: changes, until: "never") }
        loop.cancel()
        #expect(try await loop.value.count <= 2)
    }
}
