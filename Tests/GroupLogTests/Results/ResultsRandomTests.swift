import TestSupport
import Testing

@testable import GroupLog

@Suite struct ResultsRandomTests {
    @Test(
        "10,000 random steps: after each batch the differences give the fresh fetch",
        arguments: [StoreOptions.Mapping.automatic, .never])
    func random(_ mapping: StoreOptions.Mapping) throws {
        let seed = UInt64.random(in: .min ... .max)
        let directory = try TemporaryDirectory()
        let options = StoreOptions(durability: .unsynced, mapping: mapping)
        let stores = try (0..<2).map { _ in try Store(path: directory.store, options: options) }
        var writes = RandomWrites(
            directory, stores: stores, overwrites: mapping == .never, seed: seed)
        let isA: @Sendable (Bookmark) -> Bool = { $0.title.hasPrefix("a") }
        let mirrors: [(mirror: ResultsMirror, limit: Int, isFiltered: Bool)] = [
            (ResultsMirror(stores[0]), .max, false),
            (ResultsMirror(stores[0], filter: isA), .max, true),
            (ResultsMirror(stores[0], limit: 10), 10, false),
            (ResultsMirror(stores[0], limit: 10, filter: isA), 10, true),
            (ResultsMirror(stores[1], limit: 100, filter: isA), 100, true),
            (ResultsMirror(stores[0], limit: 0), 0, false),
        ]
        var steps = 0
        while steps < (isFull ? 10_000 : 800) {
            steps += try writes.batch()
            let comment = Comment(rawValue: "seed \(seed), step \(steps)")
            let all = try stores[1][Bookmark.self].newest()
            for (mirror, limit, isFiltered) in mirrors {
                let updates = mirror.look(comment)
                #expect(updates.count <= 1 && updates.allSatisfy { $0.error == nil }, comment)
                let matching = isFiltered ? all.filter(isA) : all
                #expect(mirror.rows == Array(matching.prefix(limit)), comment)
                #expect(mirror.look(comment).isEmpty, comment)
            }
        }
        #expect(writes.replacementCount > 0 && writes.compactionCount > 0)
        print(
            "results: seed \(seed), \(steps) steps, \(writes.replacementCount) replacements,",
            "\(writes.compactionCount) compactions, events",
            mirrors.map(\.mirror.eventCount))
    }
}
