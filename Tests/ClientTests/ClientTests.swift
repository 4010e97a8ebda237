import Foundation
import GroupLog
import Testing

// What a stranger writes who has read the documentation: one import, no access that others lack.

/// An id of the program's own.
struct NoteID: RawRepresentable, RecordIdentifier {
    var rawValue: UUID
}

struct Note: Model, Equatable {
    static let collection = "notes"
    var id = NoteID(rawValue: UUID())
    var text: String
    var tags: [String] = []
    var createdAt = Date()

    struct Fields: FieldSet {
        let text = Field(CodingKeys.text, \Note.text)
        let tags = Field(CodingKeys.tags, \Note.tags)
        let createdAt = Field(CodingKeys.createdAt, \Note.createdAt)
    }
}

/// A model that no query looks into.
struct Setting: Model {
    static let collection = "settings"
    var id: String
    var value: Int
}

@Suite struct ClientTests {
    @Test("the README's example is what is compiled here, and does what it says")
    func readme() throws {
        let here = URL(fileURLWithPath: #filePath)
        let root = here.deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let readme = try String(
            contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
        let example = try String(
            contentsOf: here.deletingLastPathComponent()
                .appendingPathComponent("ReadmeExample.swift"), encoding: .utf8)
        #expect(readme.contains("```swift\n" + example + "```\n<!-- end of example -->"))

        try withDirectory { directory in
            let path = directory.appendingPathComponent("example.grouplog").path
            try capture(url: "https://example.com/", title: "", into: path)
            try capture(url: "https://example.org/", title: "An example", into: path)
            let titles = try tidy(storeAt: path).map(\.title)
            #expect(titles == ["An example", "https://example.com/"])
        }
    }

    @Test("a program that blocks its thread reaches all of a store")
    func blocking() throws {
        try withDirectory { directory in
            let url = directory.appendingPathComponent("notes.grouplog")
            var options = StoreOptions(
                role: .app, author: "app", lockTimeout: .seconds(30), durability: .full,
                damage: .strict, mapping: .never, purpose: "testing", onLongWait: {})
            options.damage = .skipDamage
            let store = try Store(directory: url, options: options)
            let notes = store[Note.self]

            var note = Note(text: "one")
            try notes.insert(note)
            note.text = "two"
            try notes.put(note)
            let updated = try notes.update(note.id, durability: .eventual) { $0.tags.append("x") }
            #expect(updated.text == "two" && updated.tags == ["x"])
            try notes.append(Note(text: "three", createdAt: .distantPast), durability: .unsynced)
            try notes.append(
                contentsOf: [Note(text: "four"), Note(text: "five")], durability: .barrier)
            #expect(try notes.newest().map(\.text) == ["five", "four", "two", "three"])
            #expect(try notes.newest(limit: 1, offset: 1).map(\.text) == ["four"])
            #expect(try notes.get(note.id) == updated)

            let before = try store.view()
            #expect(try notes.delete(note.id))
            #expect(try notes.get(note.id) == nil)
            #expect(try before[Note.self].get(note.id) == updated)
            #expect(before[Note.self].count() == 4)
            #expect(try before[Note.self].newest(limit: 1).map(\.text) == ["five"])
            #expect(try store.refresh() > before.sequence)
            #expect(before.receipt.isClean)

            try store.keyValues.set(["theme": "dark"], forKey: "settings")
            #expect(try store.keyValues.get("settings", as: [String: String].self)?.count == 1)
            #expect(try store.keyValues.keys() == ["settings"])
            #expect(try store.keyValues.remove("settings"))

            try store.reload()
            let receipt = try store.receipt()
            #expect(receipt.isClean && receipt.entries.map(\.description).isEmpty)
            #expect(receipt.unfinished == nil && receipt.frameCount > 0)
            let collections = try store.collections()
            #expect(collections.map(\.name) == ["notes"] && collections.map(\.count) == [3])
            #expect(store.path == url.path)

            let reader = try Store(path: url.path, options: StoreOptions(role: .readOnly))
            #expect(try reader[Note.self].count() == 3)
        }
    }

    @Test("asynchronous code awaits its writes, and can also block")
    func asynchronous() async throws {
        let store = try Store.inMemory()
        let notes = store[Note.self]
        let note = Note(text: "one")
        try await notes.insert(note)
        try await notes.put(note, durability: .eventual)
        try await notes.append(Note(text: "two"))
        try await notes.append(contentsOf: (3...5).map { Note(text: "\($0)") })
        let changed = try await notes.update(note.id) { $0.text = "uno" }
        #expect(changed.text == "uno")
        #expect(try await notes.delete(note.id))
        try await store.keyValues.set(1, forKey: "count")
        #expect(try await store.keyValues.remove("count"))
        let count = try await store.transaction { transaction in
            try transaction[Setting.self].put(Setting(id: "size", value: 1))
            return try transaction[Note.self].all().count
        }
        #expect(count == 4)

        func blocking() throws { try notes.append(Note(text: "six")) }
        try blocking()
        #expect(try notes.count() == 5)

        let listener = Task {
            for await event in store.events {
                switch event {
                case .syncFailed(let error): Issue.record(error)
                }
            }
        }
        listener.cancel()
        await listener.value
    }

    @Test("a transaction reads, writes and answers")
    func transactions() throws {
        let store = try Store.inMemory()
        let note = Note(text: "one")
        let total = try store.transaction(durability: .full) { transaction in
            let notes = transaction[Note.self]
            try notes.insert(note)
            try notes.update(note.id) { $0.text = "two" }
            try notes.put(Note(text: "three"))
            let runs = try transaction.keyValues.get("runs", as: Int.self) ?? 0
            try transaction.keyValues.set(runs + 1, forKey: "runs")
            try transaction[Setting.self].put(Setting(id: "a", value: 1))
            #expect(try transaction[Setting.self].delete("a"))
            #expect(try transaction.keyValues.remove("other") == false)
            return try notes.get(note.id)?.text == "two" ? try notes.all().count : 0
        }
        #expect(total == 2)
        #expect(try store.keyValues.get("runs") == 1)
    }

    @Test("an error is caught by its code, and says what happened")
    func errors() throws {
        let store = try Store.inMemory()
        let note = Note(text: "one")
        try store[Note.self].insert(note)
        do {
            try store[Note.self].insert(note)
            Issue.record("the id is taken")
        } catch StoreError.Code.exists {}
        do {
            try store[Note.self].update(NoteID(rawValue: UUID())) { $0.text = "" }
            Issue.record("there is no such note")
        } catch let error as StoreError where error.code == .notFound {
            #expect(error.localizedDescription == error.message)
            #expect(error.path == nil && error.offset == nil && error.unknownCommits == nil)
            #expect(error.cause == nil)
        }
        do {
            _ = try Store(path: "/nowhere/at/all.grouplog")
            Issue.record("there is no such directory")
        } catch StoreError.Code.noParent {}
        let error = StoreError(.conflict, "of the program's own")
        #expect(error.code.rawValue == "conflict" && "\(error)" == "of the program's own")
    }
}

extension StoreError.Code {
    static let conflict = Self(rawValue: "conflict")
}

private func withDirectory(_ body: (URL) throws -> Void) throws {
    let directory = FileManager.default.temporaryDirectory
        .appendingPathComponent("grouplog-client-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    // What is left in the temporary directory harms nothing.
    defer { _ = try? FileManager.default.removeItem(at: directory) }
    try body(directory)
}
