import Foundation
import GroupLogFormat
import TestSupport
import Testing

@testable import GroupLog

extension HistoryCommit {
    /// The commit in short: what happened to which title, or `-` where there is none.
    fileprivate var summary: [String] {
        get throws {
            try changes.map { "\($0.kind) \(try $0.model(Bookmark.self)?.title ?? "-")" }
        }
    }
}

extension Store {
    fileprivate func summaries(since token: HistoryToken? = nil) throws -> [String] {
        try history(since: token).flatMap { try $0.summary }
    }

    fileprivate var bookmarks: ModelCollection<Bookmark> { self[Bookmark.self] }
}

@Suite struct HistoryTests {
    @Test("each change is told with its kind, fields, author and time", arguments: [true, false])
    func changes(_ isOnDisk: Bool) throws {
        let directory = try TemporaryDirectory()
        let start = Date()
        let store =
            isOnDisk
            ? try Store(path: directory.store, options: .init(author: "app"))
            : try Store.inMemory(options: .init(author: "app"))
        let bookmark = Bookmark(title: "one", tags: ["a"])
        try store.bookmarks.append(bookmark)
        try store.bookmarks.update(bookmark.id) {
            $0.title = "two"
            $0.tags = nil
        }
        try store.bookmarks.put(
            Bookmark(id: bookmark.id, title: "two", createdAt: bookmark.createdAt))
        try store.keyValues.set(1, forKey: "count")
        try store.keyValues.set(2, forKey: "count")
        try store.bookmarks.delete(bookmark.id)
        let commits = try store.history()
        #expect(commits.map(\.sequence) == [1, 2, 3, 4, 5])
        #expect(commits.allSatisfy { $0.author == "app" && !$0.isCoalesced })
        #expect(commits.allSatisfy { $0.time >= start - 1 && $0.time <= Date() + 1 })
        let changes = commits.flatMap(\.changes)
        #expect(changes.map(\.kind) == [.insert, .update, .insert, .update, .delete])
        #expect(changes.map(\.changedFields) == [nil, ["tags", "title"], nil, ["value"], nil])
        #expect(
            changes.map(\.collection) == ["items", "items", "$values", "$values", "items"])
        #expect(try changes[0].model(Bookmark.self) == bookmark)
        #expect(try changes[4].model(Bookmark.self) == nil)
        #expect(try changes[4].id(Bookmark.self) == bookmark.id)
        #expect(try changes[2].id(Bookmark.self) == nil)
        #expect(changes[3].key == RecordKey(text: "count"))
    }

    @Test("a transaction is one commit")
    func transaction() throws {
        let store = try Store.inMemory()
        try store.transaction { transaction in
            for title in ["one", "two"] {
                try transaction[Bookmark.self].insert(Bookmark(title: title))
            }
        }
        #expect(try store.history().map { try $0.summary } == [["insert one", "insert two"]])
    }

    @Test("from each token on, what came behind it is told, and nothing else")
    func tokens() throws {
        let directory = try TemporaryDirectory()
        let store = try Store(path: directory.store)
        var tokens = [try store.historyToken()]
        for index in 0..<20 {
            try store.bookmarks.append(Bookmark(title: "\(index)"))
            tokens.append(try store.historyToken())
        }
        let reader = try Store(
            path: directory.store, options: .init(role: .readOnly, mapping: .never))
        for (index, token) in tokens.enumerated() {
            let expected = (index..<20).map { "insert \($0)" }
            #expect(try reader.summaries(since: token) == expected)
            #expect(try reader.forEachCommit(since: token) { _ in } == tokens.last)
        }
        #expect(try store.history().map(\.token) == Array(tokens.dropFirst()))
    }

    @Test("a token is text and back, and other text is none")
    func text() throws {
        let store = try Store.inMemory()
        try store.bookmarks.append(Bookmark(title: "one"))
        let token = try store.historyToken()
        #expect(HistoryToken(token.description) == token)
        let coded = try JSONEncoder().encode([token])
        #expect(try JSONDecoder().decode([HistoryToken].self, from: coded) == [token])
        let id = "\(token.storeID)"
        for text in [
            "", ".", "..", "1", "1.00000000", "1.0000000.\(id)", "1.000000000.\(id)",
            "-1.00000000.\(id)", "+1.00000000.\(id)", "1.+0000000.\(id)", "1.0000000g.\(id)",
            "9223372036854775808.00000000.\(id)", "1.00000000.\(id)x", "1.00000000.x", " \(token)",
            "1.00000000.\(id).", "é.00000000.\(id)", "1..\(id)",
        ] { #expect(HistoryToken(text) == nil, "\(text)") }
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([HistoryToken].self, from: Data(#"["garbage"]"#.utf8))
        }
    }

    @Test("a token sees what came after a compaction of the record that it ended with")
    func compacted() throws {
        let directory = try TemporaryDirectory()
        let store = try Store(path: directory.store)
        try store.bookmarks.append(Bookmark(title: "one"))
        let newest = Bookmark(title: "two")
        try store.bookmarks.append(newest)
        let token = try store.historyToken()
        try store.bookmarks.delete(newest.id)
        try store.compact()
        try store.bookmarks.append(Bookmark(title: "three"))
        for reader in [store, try Store(path: directory.store, options: .init(role: .readOnly))] {
            #expect(try reader.summaries(since: token) == ["delete -", "insert three"])
        }
        #expect(try store.summaries() == ["insert one", "delete -", "insert three"])
    }

    @Test(
        "across a compaction each record's net change is told, flagged, and can be resumed behind")
    func coalesced() throws {
        let directory = try TemporaryDirectory()
        let store = try Store(path: directory.store)
        let kept = (0..<4).map { Bookmark(title: "\($0)") }
        for bookmark in kept { try store.bookmarks.append(bookmark) }
        let token = try store.historyToken()
        try store.bookmarks.update(kept[0].id) { $0.title += "!" }
        try store.bookmarks.update(kept[0].id) { $0.title += "!" }
        try store.bookmarks.delete(kept[1].id)
        let new = Bookmark(title: "new")
        try store.bookmarks.append(new)
        try store.bookmarks.update(new.id) { $0.title += "!" }
        let brief = Bookmark(title: "brief")
        try store.bookmarks.append(brief)
        try store.bookmarks.delete(brief.id)
        try store.transaction { transaction in
            for id in [kept[2].id, kept[3].id] {
                try transaction[Bookmark.self].update(id) { $0.title += "?" }
            }
        }
        try store.compact()
        try store.bookmarks.append(Bookmark(title: "later"))
        let commits = try store.history(since: token)
        let summary = [
            ["update 0!!"], ["delete -"], ["insert new!"], ["delete -"],
            ["update 2?", "update 3?"], ["insert later"],
        ]
        #expect(try commits.map { try $0.summary } == summary)
        #expect(commits.map(\.isCoalesced) == [true, true, true, true, true, false])
        #expect(commits.map(\.sequence) == [6, 7, 9, 11, 12, 13])
        for (index, commit) in commits.enumerated() {
            #expect(commit.token.sequence == commit.sequence)
            let rest = try store.history(since: commit.token).map { try $0.summary }
            #expect(rest == Array(summary[(index + 1)...]), "behind \(commit.sequence)")
        }
    }

    @Test("a backup that was put back, and one that was written on, are told apart")
    func restored() throws {
        let directory = try TemporaryDirectory()
        let store = try Store(path: directory.store)
        try store.bookmarks.append(Bookmark(title: "one"))
        let shared = try store.historyToken()
        let backup = try Data(contentsOf: URL(fileURLWithPath: directory.store + "/log"))
        for title in ["two", "three"] { try store.bookmarks.append(Bookmark(title: title)) }
        let token = try store.historyToken()
        try backup.write(to: URL(fileURLWithPath: directory.store + "/log"), options: .atomic)
        expectError(.historyFuture) { try store.history(since: token) }
        let restored = try Store(path: directory.store)
        for index in 0..<5 {
            try restored.bookmarks.append(Bookmark(title: "other \(index)"))
            let code: StoreError.Code = index < 1 ? .historyFuture : .historyDiverged
            for reader in [store, restored] {
                expectError(code) { try reader.history(since: token) }
            }
        }
        #expect(try store.summaries(since: shared).count == 5)
        // Compacted, the marks know the commits.
        try restored.compact()
        expectError(.historyDiverged) { try store.history(since: token) }
        #expect(try store.summaries(since: shared).count == 5)
    }

    @Test("a last commit that was lost and another in its place are told apart")
    func lostEnd() throws {
        let directory = try TemporaryDirectory()
        let store = try Store(path: directory.store, options: .init(mapping: .never))
        try store.bookmarks.append(Bookmark(title: "one"))
        let end = try store.view().end
        try store.bookmarks.append(Bookmark(title: "two"))
        let token = try store.historyToken()
        let log = try FileHandle(forWritingTo: URL(fileURLWithPath: directory.store + "/log"))
        try log.truncate(atOffset: end)
        try log.close()
        expectError(.historyFuture) { try store.history(since: token) }
        try Store(path: directory.store).bookmarks.append(Bookmark(title: "other"))
        expectError(.historyDiverged) { try store.history(since: token) }
        #expect(try store.summaries() == ["insert one", "insert other"])
    }

    @Test("a token of another store is told as such")
    func otherStore() throws {
        let store = try Store.inMemory()
        let other = try Store.inMemory()
        try store.bookmarks.append(Bookmark(title: "one"))
        try other.bookmarks.append(Bookmark(title: "one"))
        let token = try other.historyToken()
        expectError(.otherStore) { try store.history(since: token) }
        expectError(.otherStore) { try store.changes(since: token) }
        expectError(.otherStore) { try store.moveCursor("a", to: token) }
    }

    @Test("what is too old is told as such, unless a cursor stands there")
    func tooOld() throws {
        let store = try Store.inMemory(options: .init(durability: .unsynced))
        try store.bookmarks.append(Bookmark(title: "first"))
        let forgotten = try store.historyToken()
        try store.bookmarks.append(Bookmark(title: "second"))
        let remembered = try store.historyToken()
        try store.moveCursor("consumer", to: remembered)
        for index in 0..<MarkContent.maximumCommits {
            try store.keyValues.set(index, forKey: "count")
        }
        #expect(try store.history(since: forgotten).count == 1 + MarkContent.maximumCommits)
        try store.compact()
        expectError(.historyTooOld) { try store.history(since: forgotten) }
        #expect(try store.history(since: remembered).count == 1)
        let foreign = HistoryToken(
            storeID: remembered.storeID, sequence: remembered.sequence, checksum: 1)
        expectError(.historyDiverged) { try store.history(since: foreign) }
        // The way on after each such answer.
        let token = try store.historyToken()
        try store.bookmarks.append(Bookmark(title: "third"))
        #expect(try store.summaries(since: token) == ["insert third"])
    }

    @Test("damage where commits stood is an error, and none before or behind it")
    func damaged() throws {
        let directory = try TemporaryDirectory()
        let store = try Store(path: directory.store, options: .init(mapping: .never))
        var tokens: [HistoryToken] = []
        var ends: [UInt64] = []
        for index in 0..<5 {
            try store.transaction { try $0[Bookmark.self].insert(Bookmark(title: "\(index)")) }
            tokens.append(try store.historyToken())
            ends.append(try store.view().end)
        }
        let log = try FileHandle(forUpdating: URL(fileURLWithPath: directory.store + "/log"))
        let middle = (ends[1] + ends[2]) / 2 / 8 * 8
        try log.seek(toOffset: middle)
        try log.write(contentsOf: Data([0xFF, 0xFE, 0xFD]))
        try log.close()
        try store.reload()
        expectError(.corrupt) { try store.history(since: tokens[1]) }
        expectError(.corrupt) { try store.history() }
        #expect(try store.summaries(since: tokens[2]) == ["insert 3", "insert 4"])
        #expect(try store.summaries(since: tokens[4]) == [])
    }
}
