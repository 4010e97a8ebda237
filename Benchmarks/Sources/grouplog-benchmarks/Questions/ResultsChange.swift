import Dispatch
import GroupLog

/// What does it cost to bring a results list up to date when one record changed?
enum ResultsChange: Question {
    static let name = "results-change"
    static let summary = "one change of a results list of 10 and of 100,000"

    static func ask(_ bench: inout Bench) throws {
        let count = bench.plan.count(5_000)
        let records = Records(100_000).bookmarks
        let directory = try TemporaryDirectory(in: bench.plan.directory)
        let few = try store(directory.path + "/few.grouplog", records.prefix(10))
        let many = try store(directory.path + "/many.grouplog", records[...])
        func contender(
            _ name: String, _ changes: Changes, isOurs: Bool = true, isObserved: Bool = true
        ) -> Contender {
            Contender(name: name, isOurs: isOurs) { _ in
                try changes.measure(count, isObserved: isObserved)
            }
        }
        bench.note("each change is a commit that is not synced, of one record of those listed")
        try bench.measure(
            "One change of a results list", .microseconds,
            [
                contender("the commit alone", few, isObserved: false),
                contender("with a list of 10", few),
                contender("with a list of 100,000", many),
                contender("with the newest 50 of 100,000", many.limited(to: 50)),
                Contender(name: "fetching 100,000 anew", isOurs: true) { _ in
                    try timed(1, .microseconds) { _ = try many.store[Bookmark.self].newest() }
                },
            ])
    }

    private static func store(
        _ path: String, _ records: ArraySlice<Bookmark>
    ) throws -> Changes {
        let store = try Store(path: path, options: StoreOptions(durability: .unsynced))
        try store[Bookmark.self].append(contentsOf: records)
        return Changes(store: store, records: Array(records))
    }

    /// Changes of the records of a store, with a list of them that is kept up to date.
    private struct Changes: Sendable {
        let store: Store
        let records: [Bookmark]
        var limit = Int.max

        /// The same with a list of the newest, which are what is changed.
        func limited(to limit: Int) -> Changes {
            let newest = records.sorted { $0.createdAt > $1.createdAt }.prefix(limit)
            return Changes(store: store, records: Array(newest), limit: limit)
        }

        func measure(_ count: Int, isObserved: Bool) throws -> Sample {
            let done = DispatchSemaphore(value: 0)
            let outcome = Outcome()
            Task.detached {
                do {
                    outcome.sample = try await change(count, isObserved)
                } catch {
                    outcome.error = error
                }
                done.signal()
            }
            done.wait()
            if let error = outcome.error { throw error }
            guard let sample = outcome.sample else { throw PeerError(description: "no figure") }
            return sample
        }

        private func change(_ count: Int, _ isObserved: Bool) async throws -> Sample {
            var updates = store[Bookmark.self].updates(limit: limit).makeAsyncIterator()
            if isObserved { _ = await updates.next() }
            let watch = Stopwatch()
            for number in 0..<count {
                var record = records[number &* 7_919 % records.count]
                record.status = "changed \(UInt32.random(in: .min ... .max))"
                try append(record)
                if isObserved { _ = await updates.next() }
            }
            return watch.sample(count, .microseconds)
        }

        private func append(_ record: Bookmark) throws { try store[Bookmark.self].append(record) }
    }

    // Written before the semaphore is signalled, and read behind it.
    private final class Outcome: @unchecked Sendable {
        var sample: Sample?
        var error: (any Error)?
    }
}
