import Foundation
import GroupLogFormat
import TestSupport
import Testing

@testable import GroupLog

@Suite struct CursorTests {
    @Test(
        "a cursor stands where it was moved to, for all who open the store",
        arguments: [true, false])
    func stands(_ isCompacted: Bool) throws {
        let directory = try TemporaryDirectory()
        let store = try Store(path: directory.store)
        try store[Bookmark.self].append(Bookmark(title: "one"))
        let token = try store.historyToken()
        try store.moveCursor("uploader", to: token)
        for title in ["two", "three"] { try store[Bookmark.self].append(Bookmark(title: title)) }
        if isCompacted { try store.compact() }
        let reader = try Store(path: directory.store, options: .init(role: .readOnly))
        let cursor = try #require(try reader.cursor("uploader"))
        #expect(cursor.token == token && !cursor.isRetired && cursor.name == "uploader")
        #expect(cursor.lag == 3)
        #expect(abs(cursor.updated.timeIntervalSinceNow) < 60)
        #expect(try reader.cursors() == [cursor])
        #expect(try reader.cursor("other") == nil)
        #expect(try reader.history(since: cursor.token).count == 2)
        try store.moveCursor("uploader", to: try store.historyToken())
        #expect(try reader.cursor("uploader")?.lag == 0)
    }

    @Test("moving a cursor is in no history, and moving it to where it stands writes nothing")
    func quiet() throws {
        let store = try Store.inMemory()
        try store[Bookmark.self].append(Bookmark(title: "one"))
        let token = try store.historyToken()
        try store.moveCursor("a", to: token)
        try store.moveCursor("b", to: token)
        let end = try store.view().end
        try store.moveCursor("a", to: token)
        #expect(try store.view().end == end)
        #expect(try store.history().count == 1)
        #expect(try store.history(since: token).isEmpty)
        #expect(try store.cursors().map(\.lag) == [0, 0])
        // Neither lags behind the other's move, also when that is all that was copied last.
        try store.compact()
        #expect(try store.cursors().map(\.lag) == [0, 0])
        #expect(try store.history(since: token).isEmpty)
    }

    @Test("a cursor moves with its consumer's own transaction, or not at all")
    func inTransaction() throws {
        let store = try Store.inMemory()
        try store[Bookmark.self].append(Bookmark(title: "one"))
        let token = try store.historyToken()
        struct Refusal: Error {}
        #expect(throws: Refusal.self) {
            try store.transaction { transaction in
                try transaction.moveCursor("a", to: token)
                throw Refusal()
            }
        }
        #expect(try store.cursor("a") == nil)
        try store.transaction { transaction in
            try transaction.keyValues.set(1, forKey: "sent")
            try transaction.moveCursor("a", to: token)
        }
        #expect(try store.cursor("a")?.token == token)
        #expect(try store.history(since: token).flatMap(\.changes).map(\.collection) == ["$values"])
        for name in ["", String(repeating: "x", count: 1025)] {
            expectError(.invalidValue) { try store.moveCursor(name, to: token) }
        }
    }

    @Test("a cursor that is given up is retired, and comes back when it is moved")
    func retired() throws {
        let store = try Store.inMemory()
        try store[Bookmark.self].append(Bookmark(title: "one"))
        let token = try store.historyToken()
        #expect(try !store.retireCursor("a"))
        try store.moveCursor("a", to: token)
        #expect(try store.retireCursor("a"))
        #expect(try !store.retireCursor("a"))
        #expect(try store.cursor("a")?.isRetired == true)
        try store.compact()
        #expect(try store.cursor("a")?.isRetired == true)
        try store.moveCursor("a", to: token)
        #expect(try store.cursor("a")?.isRetired == false)
    }
}
