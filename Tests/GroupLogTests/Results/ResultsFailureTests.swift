import Foundation
import GroupLogFormat
import TestSupport
import Testing

@testable import GroupLog

/// Results of stores that are damaged, hold other things, or are away.
@Suite struct ResultsFailureTests {
    private let directory: TemporaryDirectory
    private let store: Store
    private var items: ModelCollection<Bookmark> { store[Bookmark.self] }

    init() throws {
        directory = try TemporaryDirectory()
        // Not mapped, since some tests write over the log.
        store = try Store(
            path: directory.store, options: .init(durability: .unsynced, mapping: .never))
    }

    private var log: URL { URL(fileURLWithPath: directory.store + "/log") }

    private func append(_ title: String, day: Int) throws -> Bookmark {
        let bookmark = Bookmark(
            title: title, createdAt: Date(timeIntervalSinceReferenceDate: Double(day) * 86_400))
        try items.append(bookmark)
        return bookmark
    }

    /// A record without what the model needs, newer than all others.
    private func appendForeign(_ id: UUID = UUID()) throws -> RecordKey {
        let key = try id.requiredKey()
        let foreign = RecordCollection(store, name: Bookmark.collection, declaring: [])
        try foreign.append(key, [("createdAt", .tagged(44225, .double(1e10)))])
        return key
    }

    // MARK: Records that cannot be read

    @Test("a record that is none of the model is left out and told, until it is one")
    func undecodable() throws {
        let (first, id) = (try append("first", day: 1), UUID())
        let mirror = ResultsMirror(store)
        mirror.look()
        let key = try appendForeign(id)
        let told = mirror.look()
        #expect(told.map(\.unreadable) == [[key]] && told.allSatisfy { $0.difference.isEmpty })
        #expect(mirror.look().isEmpty)
        let second = try append("second", day: 2)
        #expect(mirror.look().map(\.unreadable) == [[key]])
        #expect(mirror.rows == [second, first])
        let mended = Bookmark(id: id, title: "mended", createdAt: .distantPast)
        try items.put(mended)
        #expect(mirror.look().map(\.unreadable) == [[]])
        #expect(mirror.rows == [second, first, mended])
        _ = try appendForeign(id)
        #expect(mirror.look().map(\.difference.deletions) == [[2]])
        try items.delete(id)
        #expect(mirror.look().map(\.unreadable) == [[]])
    }

    @Test("more such records than a limit and its reserve hold hide no other")
    func manyUndecodable() throws {
        let bookmarks = try (0..<5).map { try append("\($0)", day: $0) }
        for _ in 0..<100 { _ = try appendForeign() }
        let mirror = ResultsMirror(store, limit: 3)
        let updates = mirror.look()
        #expect(mirror.rows == bookmarks.reversed().prefix(3).map { $0 })
        #expect(updates.first?.unreadable.count == 100)
    }

    /// Changes a byte of the only place in the log that has a text.
    private func flip(_ text: String) throws {
        var bytes = [UInt8](try Data(contentsOf: log))
        let place = try #require(bytes.firstRange(of: Array(text.utf8)))
        bytes[place.lowerBound] ^= 1
        let handle = try FileHandle(forWritingTo: log)
        try handle.write(contentsOf: Data(bytes))
        try handle.close()
    }

    @Test("a record that is damaged after it was taken up is told, and one that is gone goes")
    func damaged() throws {
        let bookmarks = try ["one", "hit", "three"].enumerated().map {
            try append($1, day: $0)
        }
        let known = ResultsMirror(store)
        known.look()
        try flip("hit")
        let fresh = ResultsMirror(store)
        let key = try bookmarks[1].id.requiredKey()
        #expect(fresh.look().map(\.unreadable) == [[key]])
        #expect(fresh.rows == [bookmarks[2], bookmarks[0]])
        #expect(known.look().isEmpty && known.rows.count == 3)
        #expect(known.reload().map(\.difference.deletions) == [[1]])
        _ = try append("four", day: 4)
        known.look()
        fresh.look()
        #expect(known.rows == fresh.rows && known.rows.count == 3)
    }

    @Test("a store that reads its log anew and finds damage has its results evaluated anew")
    func damagedAndReloaded() throws {
        let bookmark = try append("old version", day: 1)
        try items.update(bookmark.id) { $0.title = "new version" }
        _ = try append("last", day: 2)
        let mirror = ResultsMirror(store)
        mirror.look()
        try flip("new version")
        try store.reload()
        mirror.look()
        #expect(mirror.rows.map(\.title) == ["last", "old version"])
    }

    @Test("a view whose log is written over is no store of damaged records")
    func overwritten() throws {
        for day in 0..<3 { _ = try append("kept \(day)", day: day) }
        var evaluator = ResultsEvaluator<Bookmark>(ResultsQuery())
        _ = try evaluator.update(to: try store.view())
        _ = try append("more", day: 4)
        let view = try store.view()
        let other = try TemporaryDirectory()
        let others = try Store(path: other.store)[Bookmark.self]
        for number in 0..<9 { try others.append(Bookmark(title: "other \(number)")) }
        try FileHandle(forWritingTo: log)
            .write(contentsOf: try Data(contentsOf: URL(fileURLWithPath: other.store + "/log")))
        #expect {
            try evaluator.update(to: view, anew: true)
        } throws: { ($0 as? StoreError)?.code == .superseded }
        #expect(evaluator.list.count == 3 && evaluator.unreadable.isEmpty)
        _ = try evaluator.update(to: try store.view())
        #expect(evaluator.list.count == 9)
    }

    // MARK: Stores that are away

    private func move(_ path: String, to other: String) throws {
        try FileManager.default.moveItem(atPath: path, toPath: other)
    }

    @Test("a store that is away is told once for each failure, and the list goes on from there")
    func away() throws {
        let first = try append("first", day: 1)
        let mirror = ResultsMirror(store)
        mirror.look()
        let (path, aside) = (directory.store, directory.path("aside"))
        try move(path, to: aside)
        let told = mirror.look()
        #expect(told.map { $0.error?.code } == [.noStore])
        #expect(told.allSatisfy { $0.difference.isEmpty && Array($0.list) == [first] })
        #expect(mirror.look().isEmpty && mirror.look().isEmpty)
        try Data().write(to: URL(fileURLWithPath: path))
        #expect(mirror.look().map { $0.error == nil } == [false])
        #expect(mirror.look().isEmpty)
        try FileManager.default.removeItem(atPath: path)
        try move(aside, to: path)
        let back = mirror.look()
        #expect(back.count == 1 && back.allSatisfy { $0.error == nil && $0.difference.isEmpty })
        try move(path, to: aside)
        #expect(mirror.look().count == 1)
        try move(aside, to: path)
        let second = try append("second", day: 2)
        #expect(mirror.look().map(\.difference.insertions) == [[0]])
        #expect(mirror.rows == [second, first])
    }

    @Test("a store that is away at first gives its list, also an empty one, when it comes")
    func awayAtFirst() throws {
        let (path, aside) = (directory.store, directory.path("aside"))
        try move(path, to: aside)
        let mirror = ResultsMirror(store)
        #expect(mirror.look().map { $0.error?.code } == [.noStore])
        try move(aside, to: path)
        let back = mirror.look()
        #expect(back.count == 1 && back.allSatisfy { $0.error == nil && $0.list.isEmpty })
        #expect(mirror.look().isEmpty)
    }
}
