import Foundation
import Observation
import Synchronization
import TestSupport
import Testing

@testable import GroupLog

/// Lets the actor do other things until something holds, or long enough to call it missing.
private func until(
    isolation: isolated (any Actor)? = #isolation, _ condition: () throws -> Bool
) async throws {
    for _ in 0..<60_000 {
        if try condition() { return }
        try await Task.sleep(for: .milliseconds(5))
    }
    Issue.record("what was waited for did not come")
}

@MainActor @Suite struct FetchedResultsTests {
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

    private func append(_ titles: String...) throws {
        for (index, title) in titles.enumerated() {
            try others.append(
                Bookmark(title: title, createdAt: Date(timeIntervalSinceNow: Double(index))))
        }
    }

    @Test("what others write appears, and each update goes on from the one before")
    func follows() async throws {
        try append("one")
        let results = FetchedResults(store[Bookmark.self])
        #expect(!results.isLoaded && results.items.isEmpty)
        var rows: [Bookmark] = []
        results.onUpdate = { update in
            rows = checkedRows(update, on: rows)
            #expect(update.list == results.items)
        }
        try await until { results.isLoaded }
        #expect(results.items.map(\.title) == ["one"])
        try append("two")
        try await until { results.items.count == 2 }
        #expect(results.items.map(\.title) == ["two", "one"])
        #expect(results.lastDifference.insertions == [0])
        try await others.delete(results.items[1].id)
        try await until { results.items.count == 1 }
        #expect(rows == Array(results.items))
    }

    @Test("an empty store is loaded, and observation is told of the first record")
    func observation() async throws {
        let results = FetchedResults(store[Bookmark.self], filter: { $0.title == "yes" })
        try await until { results.isLoaded }
        #expect(results.items.isEmpty)
        let isTold = Mutex(false)
        withObservationTracking {
            _ = results.items.count
        } onChange: {
            isTold.withLock { $0 = true }
        }
        try append("no")
        try append("yes")
        try await until { results.items.count == 1 }
        #expect(isTold.withLock { $0 })
    }

    @Test("what is deleted by its index is gone from the list at once")
    func deletes() async throws {
        try append("a", "b", "c", "d", "e")
        let results = FetchedResults(store[Bookmark.self])
        try await until { results.isLoaded }
        try blockingDelete(results, IndexSet([0, 2]))
        #expect(results.items.map(\.title) == ["d", "b", "a"])
        try blockingDelete(results, 1)
        #expect(results.items.map(\.title) == ["d", "a"])
        try await results.delete(at: 0)
        #expect(results.items.map(\.title) == ["a"])
        try await results.delete(at: [0])
        #expect(results.items.isEmpty && results.lastDifference.deletions == [0])
        #expect(try others.count() == 0)
    }

    private func blockingDelete(_ results: FetchedResults<Bookmark>, _ index: Int) throws {
        try results.delete(at: index)
    }

    private func blockingDelete(_ results: FetchedResults<Bookmark>, _ indexes: IndexSet) throws {
        try results.delete(at: indexes)
    }

    private func blockingReload(_ results: FetchedResults<Bookmark>) throws {
        try results.reload()
    }

    @Test("a reload gives what the disk has, blocking or not, and says why it cannot")
    func reloads() async throws {
        try append("a")
        let results = FetchedResults(store[Bookmark.self])
        try blockingReload(results)
        #expect(results.isLoaded && results.items.count == 1)
        try append("b")
        try blockingReload(results)
        #expect(results.items.count == 2)
        try append("c")
        try await results.reload()
        #expect(results.items.count == 3)
        let (path, aside) = (directory.store, directory.path("aside"))
        try FileManager.default.moveItem(atPath: path, toPath: aside)
        #expect { try blockingReload(results) } throws: { StoreError.Code.noStore ~= $0 }
        #expect(results.error?.code == .noStore && results.items.count == 3)
        await #expect { try await results.reload() } throws: { StoreError.Code.noStore ~= $0 }
        try FileManager.default.moveItem(atPath: aside, toPath: path)
        try append("d")
        try await until { results.error == nil && results.items.count == 4 }
    }

    @Test("updates that blocking calls and the observation bring come in one order")
    func order() async throws {
        let results = FetchedResults(store[Bookmark.self])
        var rows: [Bookmark] = []
        results.onUpdate = { rows = checkedRows($0, on: rows) }
        for number in 0..<(isFull ? 500 : 60) {
            try append("\(number)")
            switch number % 4 {
            case 0: try blockingReload(results)
            case 1: try await results.reload()
            case 2: await Task.yield()
            default: if results.items.count > 3 { try blockingDelete(results, 2) }
            }
        }
        try blockingReload(results)
        #expect(try rows == Array(results.items) && rows == others.newest())
    }

    @Test("sections are runs of the list, and change with it")
    func sections() async throws {
        for title in ["a1", "a2", "b1", "a3"].reversed() {
            try await others.append(Bookmark(title: title))
        }
        let results = FetchedResults(
            store[Bookmark.self], sectionedBy: { String($0.title.prefix(1)) })
        #expect(results.sections.isEmpty)
        try await until { results.isLoaded }
        #expect(results.sections.map(\.name) == ["a", "b", "a"])
        #expect(results.sections.map(\.indices) == [0..<2, 2..<3, 3..<4])
        #expect(results.sections[1].map(\.title) == ["b1"])
        try await results.delete(at: results.sections[1].startIndex)
        #expect(results.sections.map { $0.map(\.title) } == [["a1", "a2", "a3"]])
        let plain = FetchedResults(store[Bookmark.self])
        try await until { plain.isLoaded }
        #expect(plain.sections.map(\.indices) == [0..<3])
    }

    @Test("the observation ends with the object, and nothing keeps either")
    func ends() async throws {
        weak var source: ResultsSource<Bookmark>?
        weak var gone: FetchedResults<Bookmark>?
        do {
            let results = FetchedResults(store[Bookmark.self])
            try await until { results.isLoaded }
            results.onUpdate = { [weak results] _ in _ = results?.items }
            (source, gone) = (results.source, results)
        }
        #expect(gone == nil)
        try await until { source == nil }
    }

    /// An actor that keeps results of its own.
    private actor Keeper {
        private var results: FetchedResults<Bookmark>?
        private var updates = 0

        func start(_ store: Store) {
            let results = FetchedResults(store[Bookmark.self])
            results.onUpdate = { [weak self] _ in self?.assumeIsolated { $0.updates += 1 } }
            self.results = results
        }

        var titles: [String] { results?.items.map(\.title) ?? [] }

        func waitForTitles(_ titles: [String]) async throws {
            try await until { self.titles == titles && updates > 0 }
        }
    }

    @Test("results belong to any actor, are changed on it, and do not keep it")
    func actors() async throws {
        try append("one")
        weak var gone: Keeper?
        do {
            let keeper = Keeper()
            gone = keeper
            await keeper.start(store)
            try await keeper.waitForTitles(["one"])
            try append("two")
            try await keeper.waitForTitles(["two", "one"])
        }
        try await until { gone == nil }
    }

    /// An actor that makes results before it is one.
    private actor Hasty {
        let results: FetchedResults<Bookmark>
        init(_ store: Store) async { results = FetchedResults(store[Bookmark.self]) }
    }

    @Test("results that are made before their actor is are a mistake that traps")
    func hasty() async {
        await #expect(processExitsWith: .failure) {
            _ = await Hasty(try Store.inMemory())
        }
    }

    @Test("30,000 records that another store imports come in a handful of updates")
    func importing() async throws {
        let results = FetchedResults(store[Bookmark.self])
        try await until { results.isLoaded }
        var updates = 0
        var rows: [Bookmark] = []
        results.onUpdate = { update in
            updates += 1
            rows = update.difference.applying(to: rows, from: update.list)
        }
        let others = others
        let count = 30_000
        async let writing: Void = others.append(
            contentsOf: (0..<count).lazy.map { Bookmark(title: "\($0)") })
        try await until { results.items.count == count }
        try await writing
        #expect(rows.map(\.id) == results.items.map(\.id))
        #expect(updates <= 20)
        print("an import of 30,000: \(updates) updates")
    }
}
