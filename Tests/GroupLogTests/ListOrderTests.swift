import Foundation
import GroupLogFormat
import TestSupport
import Testing

@testable import GroupLog

@Suite struct ListOrderTests {
    /// What a list is sorted by, as the test knows it.
    private struct Expected {
        var date: Double?
        var commit: Int
        var key: RecordKey
        var number: UInt64
    }

    /// A store of commits with some records each, whose dates are the same more often than not.
    private func filled(
        _ path: String, seed: UInt64, _ mapping: StoreOptions.Mapping
    ) throws -> (store: Store, expected: [Expected]) {
        var random = SeededGenerator(seed: seed)
        let store = try Store(path: path, options: StoreOptions(mapping: mapping))
        var expected: [Expected] = []
        for commit in 0..<40 {
            try store.transaction { transaction in
                for _ in 0..<Int.random(in: 1...60, using: &random) {
                    let key = RecordKey(integer: .random(in: .min ... .max, using: &random))
                    let dates = [nil, 1.0, Double.random(in: 0...9, using: &random)]
                    let date = dates[Int.random(in: 0..<3, using: &random)]
                    let number = UInt64(expected.count)
                    var fields: RecordCollection.Fields = [("n", .unsigned(number))]
                    if let date { fields.append(("createdAt", .tagged(44225, .double(date)))) }
                    try transaction.put(key, in: "notes") {
                        try $0.content(of: fields, declaring: ["n"], in: "notes")
                    }
                    expected.append(
                        Expected(date: date, commit: commit, key: key, number: number))
                }
            }
        }
        let sorted = expected.sorted { a, b in
            let (first, second) = (a.date ?? -.infinity, b.date ?? -.infinity)
            if first != second { return first > second }
            return a.commit == b.commit ? a.key < b.key : a.commit > b.commit
        }
        return (store, sorted)
    }

    @Test(
        "lists are by date, commit and key, whole and in part, mapped and read",
        arguments: [StoreOptions.Mapping.automatic, .never])
    func order(_ mapping: StoreOptions.Mapping) throws {
        let seed = UInt64.random(in: .min ... .max)
        let directory = try TemporaryDirectory()
        let (store, expected) = try filled(directory.path("s.grouplog"), seed: seed, mapping)
        let view = try store.view()
        func listed(limit: Int, offset: Int) throws -> [CBORValue] {
            var contexts = view.contexts()
            return try view.newestFirst(in: "notes", limit: limit, offset: offset).map {
                try #require(try view.record(at: $0.offset, &contexts).fields().first).value
            }
        }
        let numbers = expected.map { CBORValue.unsigned($0.number) }
        #expect(try listed(limit: .max, offset: 0) == numbers, "seed \(seed)")
        #expect(try view.keys(in: "notes") == expected.map(\.key).sorted(), "seed \(seed)")
        for (limit, offset) in [(1, 0), (7, 3), (100, 50), (expected.count - 1, 0), (5, 10_000)] {
            let part = numbers.dropFirst(offset).prefix(limit)
            #expect(
                try listed(limit: limit, offset: offset) == Array(part),
                "seed \(seed), limit \(limit), offset \(offset)")
        }
    }
}
