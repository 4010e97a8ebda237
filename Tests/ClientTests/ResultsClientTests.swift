import Foundation
import GroupLog
import Testing

@MainActor @Suite struct ResultsClientTests {
    /// Lets the main actor do other things until something holds, or for too long.
    private func until(_ condition: () -> Bool) async throws {
        for _ in 0..<60_000 where !condition() { try await Task.sleep(for: .milliseconds(5)) }
        #expect(condition())
    }

    @Test("the article's view model is what is compiled here, and follows the store")
    func viewModel() async throws {
        let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let example = try String(
            contentsOf: here.appendingPathComponent("ResultsExample.swift"), encoding: .utf8)
        let article = try String(
            contentsOf: here.deletingLastPathComponent().deletingLastPathComponent()
                .appendingPathComponent("Sources/GroupLog/GroupLog.docc/Results.md"),
            encoding: .utf8)
        #expect(article.contains("```swift\n" + example + "```"))

        let store = try Store.inMemory()
        let list = BookmarkList(store)
        try await until { list.results.isLoaded }
        for title in ["one", "two", "three"] {
            try await store[Bookmark.self].append(Bookmark(title: title))
        }
        try await until { list.results.items.count == 3 }
        try list.delete(at: IndexSet([0, 2]))
        #expect(list.results.items.map(\.title) == ["two"])
        #expect(list.results.error == nil && list.results.unreadable.isEmpty)
    }

    /// What a table view does with an update.
    @MainActor final class Table {
        private(set) var rows: [String] = []

        func take(_ update: ResultsUpdate<Note>) {
            let difference = update.difference
            let sources = difference.deletions + difference.moves.map(\.old)
            for index in sources.sorted(by: >) { rows.remove(at: index) }
            let targets = difference.insertions + difference.moves.map(\.new)
            for index in targets.sorted() { rows.insert(update.list[index].text, at: index) }
            for change in difference.updates { rows[change.new] = update.list[change.new].text }
        }
    }

    @Test("a table is fed with differences, in sections, and by a filter")
    func table() async throws {
        let store = try Store.inMemory()
        let results = FetchedResults(
            store[Note.self], limit: 2, sectionedBy: { String($0.text.prefix(1)) },
            filter: { !$0.text.isEmpty })
        let table = Table()
        results.onUpdate = { table.take($0) }
        for text in ["a", "", "b", "bb"] { try await store[Note.self].append(Note(text: text)) }
        try await results.reload()
        #expect(table.rows == ["bb", "b"] && results.sections.map(\.name) == ["b"])
        try await results.delete(at: results.sections[0].startIndex)
        #expect(table.rows == ["b", "a"] && results.sections.map(\.count) == [1, 1])
        #expect(!results.lastDifference.isEmpty)
    }

    @Test("code without a user interface loops over updates")
    func loop() async throws {
        let store = try Store.inMemory()
        let note = Note(text: "one")
        try await store[Note.self].append(note)
        var lists: [ResultsList<Note>] = []
        for await update in store[Note.self].updates(limit: 10) {
            lists.append(update.list)
            if lists.count == 2 { break }
            try await store[Note.self].update(note.id) { $0.text = "two" }
        }
        #expect(lists.map { $0.map(\.text) } == [["one"], ["two"]])
    }
}
