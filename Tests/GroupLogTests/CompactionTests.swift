import Foundation
import GroupLogFile
import GroupLogFormat
import TestSupport
import Testing

@testable import GroupLog

@Suite struct StoreCompactionTests {
    /// A store of records that were edited and deleted, and what it holds.
    private func sample(_ store: Store, edits: Int = 3) throws -> [Bookmark] {
        let items = store[Bookmark.self]
        var kept: [Bookmark] = []
        for index in 0..<20 {
            var bookmark = Bookmark(
                url: "https://example.com/\(index)", title: "title \(index)",
                createdAt: Date(timeIntervalSince1970: Double(index)))
            try items.append(bookmark)
            for edit in 0..<edits {
                bookmark = try items.update(bookmark.id) { $0.title = "title \(index).\(edit)" }
            }
            if index % 4 == 0 {
                try items.delete(bookmark.id)
            } else {
                kept.insert(bookmark, at: 0)
            }
        }
        try store.keyValues.set(["a": 1], forKey: "settings")
        return kept
    }

    @Test(
        "records, values and their order stay, for all who have the store open",
        arguments: [true, false])
    func stays(_ isOnDisk: Bool) throws {
        let directory = try TemporaryDirectory()
        let store = isOnDisk ? try Store(path: directory.store) : try Store.inMemory()
        let kept = try sample(store)
        let view = try store.view()
        let sequence = view.sequence
        var others = [store]
        if isOnDisk {
            others.append(try Store(path: directory.store, options: .init(role: .extension)))
            others.append(
                try Store(path: directory.store, options: .init(role: .readOnly, mapping: .never)))
        }
        for other in others { #expect(try other[Bookmark.self].newest() == kept) }
        let report = try store.compact()
        #expect(report.generation == 2 && report.bytesAfter < report.bytesBefore / 2)
        for other in others {
            #expect(try other[Bookmark.self].newest() == kept)
            #expect(try other.keyValues.get("settings", as: [String: Int].self) == ["a": 1])
            #expect(try other.refresh() == sequence)
            #expect(try other.receipt().isClean)
        }
        #expect(try view[Bookmark.self].newest() == kept)
        for (index, other) in others.prefix(2).enumerated() {
            try other[Bookmark.self].append(
                Bookmark(title: "after", createdAt: Date(timeIntervalSince1970: 100)))
            #expect(try other.refresh() == sequence + UInt64(index + 1))
        }
        for other in others {
            #expect(try other[Bookmark.self].count() == kept.count + min(2, others.count))
        }
    }

    @Test("only an app compacts")
    func roles() throws {
        let directory = try TemporaryDirectory()
        let store = try Store(path: directory.store)
        _ = try sample(store)
        for (role, code) in [
            (StoreOptions.Role.extension, StoreError.Code.wrongRole), (.readOnly, .readOnly),
        ] {
            let other = try Store(path: directory.store, options: .init(role: role))
            for call in [{ try other.compact() as Any }, { try other.compactIfNeeded() as Any }] {
                #expect { try call() } throws: { ($0 as? StoreError)?.code == code }
            }
        }
        #expect(try store.view().header.generation == 1)
    }

    @Test("inside a transaction of the same store there is no compacting")
    func transaction() throws {
        let store = try Store.inMemory()
        _ = try sample(store)
        try store.transaction { _ in
            #expect {
                try store.compact()
            } throws: { ($0 as? StoreError)?.code == .nestedTransaction }
        }
    }

    @Test("a transaction that a compaction overtakes runs again on the new log")
    func overtaken() throws {
        let directory = try TemporaryDirectory()
        let store = try Store(path: directory.store)
        let id = try #require(try sample(store).first?.id)
        let other = try Store(path: directory.store)
        var runs = 0
        try store.transaction { transaction in
            runs += 1
            _ = try transaction[Bookmark.self].get(id)
            if runs == 1 { try other.compact() }
            try transaction[Bookmark.self].update(id) { $0.title += "!" }
        }
        #expect(try other[Bookmark.self].get(id)?.title.hasSuffix("!") == true)
    }

    @Test("what is not worth it is not done, and what is, is done once")
    func ifNeeded() async throws {
        let directory = try TemporaryDirectory()
        let store = try Store(path: directory.store)
        #expect(try await store.compactIfNeeded() == nil)
        let items = store[Bookmark.self]
        var bookmark = Bookmark(title: String(repeating: "x", count: 100_000))
        try await items.append(bookmark)
        for _ in 0..<30 {
            bookmark.title += "y"
            try await items.put(bookmark)
        }
        let estimate = try store.compactionEstimate()
        #expect(estimate.isWorthwhile && estimate.bytesAfter < 200_000)
        let report = try await store.compactIfNeeded()
        #expect(report?.generation == 2)
        #expect(try await store.compactIfNeeded() == nil)
        #expect(try items.newest() == [bookmark])
    }

    @Test("names that take more room than values are no reason to compact again and again")
    func names() throws {
        let directory = try TemporaryDirectory()
        let store = try Store(path: directory.store)
        let items = RecordCollection(store, name: "items", declaring: [])
        for index in 0..<30 {
            let fields = (0..<200).map { field in
                (
                    name: "\(index)/\(field)/" + String(repeating: "n", count: 240),
                    value: CBORValue.bool(true)
                )
            }
            try items.append(try #require(RecordKey(text: "\(index)")), fields)
        }
        #expect(try !store.compactionEstimate().isWorthwhile)
        try store.compact()
        let estimate = try store.compactionEstimate()
        #expect(!estimate.isWorthwhile && estimate.bytesAfter > estimate.bytesBefore / 2)
    }

    @Test("an empty store stays as it is")
    func empty() throws {
        let store = try Store.inMemory()
        let report = try store.compact()
        #expect(report.generation == 1 && report.recordCount == 0)
        #expect(try store.refresh() == 0)
    }

    @Test("a cancelled task gives the compaction up, and the log is as it was")
    func cancelled() async throws {
        let directory = try TemporaryDirectory()
        let store = try Store(path: directory.store)
        let title = String(repeating: "x", count: 1 << 20)
        for _ in 0..<8 { try await store[Bookmark.self].append(Bookmark(title: title)) }
        let task = Task {
            try await store.compact()
        }
        task.cancel()
        await #expect {
            _ = try await task.value
        } throws: { ($0 as? StoreError)?.code == .cancelled }
        #expect(try store.view().header.generation == 1)
        #expect(!FileManager.default.fileExists(atPath: directory.store + "/log.new"))
    }

    @Test("a follower hands out each commit once, through any number of compactions")
    func follower() throws {
        let directory = try TemporaryDirectory()
        let app = try Store(path: directory.store)
        let capture = try Store(path: directory.store, options: .init(role: .extension))
        try capture[Bookmark.self].append(Bookmark(title: "before"))
        let followed = try Followed(directory)
        func append(_ title: String) throws {
            try capture[Bookmark.self].append(Bookmark(title: title))
        }
        try app.compact()
        try append("one")
        #expect(try followed.look() == ["one"])
        // Between the last look and the compaction, and behind it.
        try append("two")
        try app.compact()
        try append("three")
        #expect(try followed.look() == ["two", "three"])
        // Twice between two looks: what was copied twice is still new to the follower.
        try append("four")
        try app.compact()
        try append("five")
        try app.compact()
        try append("six")
        #expect(try followed.look() == ["four", "five", "six"])
        #expect(try followed.look() == [])
    }

    @Test(
        "a follower of a log that an older copy replaced, compacted since, begins with its first commit"
    )
    func diverged() throws {
        let (directory, other) = (try TemporaryDirectory(), try TemporaryDirectory())
        let store = try Store(path: directory.store)
        try store[Bookmark.self].append(Bookmark(title: "one"))
        try FileManager.default.copyItem(atPath: directory.store, toPath: other.store)
        try store[Bookmark.self].append(Bookmark(title: "two"))
        let followed = try Followed(directory)
        let backup = try Store(path: other.store)
        try backup[Bookmark.self].append(Bookmark(title: "other"))
        try backup.compact()
        try FileManager.default.removeItem(atPath: directory.store + "/log")
        try FileManager.default.moveItem(
            atPath: other.store + "/log", toPath: directory.store + "/log")
        #expect(try followed.look() == ["[replaced]", "one", "other"])
    }
}
