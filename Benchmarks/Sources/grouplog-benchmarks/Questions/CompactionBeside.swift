import CPeers
import GroupLog
import Synchronization

/// How long does a writer wait at worst while the store is compacted, and how long does that take?
enum CompactionBeside: Question {
    static let name = "compaction"
    static let summary =
        "the worst wait of a writer beside a compaction, and the time that it takes"

    static func ask(_ bench: inout Bench) throws {
        let stores = try LargeStores(bench.plan)
        let path = try stores.groupLog()
        let database = bench.hasSQLite() ? try stores.sqlitePath() : nil
        var times: [(Contender, [Sample])] = []
        var waits: [(Contender, [Sample])] = []
        func measure(
            _ name: String, isOurs: Bool = false, budgets: [Budget] = [],
            _ round: (Int) throws -> Beside
        ) throws {
            let samples = try (0..<bench.plan.rounds).map { try round($0) }
            // The rounds are over: what is left is to sum them up.
            func contender(_ budgets: [Budget]) -> Contender {
                Contender(name: name, isOurs: isOurs, budgets: budgets) { _ in Sample(value: 0) }
            }
            times.append((contender([]), samples.map { Sample(value: $0.milliseconds) }))
            waits.append((contender(budgets), samples.map { Sample(value: $0.worstMilliseconds) }))
        }
        if let database {
            try measure("SQLite, VACUUM") { round in
                let writer = try opened { sqlite_peer_open(database, "NORMAL", $0) }
                let compactor = try opened { sqlite_peer_open(database, "NORMAL", $0) }
                defer {
                    sqlite_peer_close(writer)
                    sqlite_peer_close(compactor)
                }
                return try Beside.run(round) {
                    var record = $0
                    try check(sqlite_peer_append(writer, &record))
                } compacting: {
                    try check(sqlite_peer_execute(compactor, "VACUUM"))
                }
            }
        }
        let store = try Store(path: path)
        let other = try Store(path: path, options: StoreOptions(lockTimeout: .seconds(60)))
        try measure("GroupLog", isOurs: true, budgets: [.atMost(20)]) { round in
            try Beside.run(round) {
                try other[Bookmark.self].append(Bookmark($0), durability: .unsynced)
            } compacting: {
                try store.compact()
            }
        }
        let count = bench.plan.recordCount
        bench.answer(
            "Worst wait of a writer beside a compaction of \(count) records", .milliseconds, waits)
        bench.answer("A compaction of \(count) records beside a writer", .milliseconds, times)
    }
}

/// One thread that compacts, and one that appends meanwhile.
private final class Beside {
    private(set) var milliseconds = 0.0
    private(set) var worstMilliseconds = 0.0
    private let isDone = Atomic<Bool>(false)
    private let first: UInt64
    private let append: (sample) throws -> Void
    private let compact: () throws -> Void
    private var failures: [(any Error)?] = [nil, nil]

    private init(
        _ first: UInt64, _ append: @escaping (sample) throws -> Void,
        _ compact: @escaping () throws -> Void
    ) {
        self.first = first
        self.append = append
        self.compact = compact
    }

    static func run(
        _ round: Int, appending append: @escaping (sample) throws -> Void,
        compacting compact: @escaping () throws -> Void
    ) throws -> Beside {
        // No two rounds append the same records.
        let beside = Beside(UInt64(round + 1) << 32, append, compact)
        threads_run(
            2,
            { index, context in
                guard let context else { return }
                Unmanaged<Beside>.fromOpaque(context).takeUnretainedValue().work(index)
            }, Unmanaged.passUnretained(beside).toOpaque())
        for failure in beside.failures { if let failure { throw failure } }
        return beside
    }

    /// Each thread has its own fields.
    private func work(_ index: Int32) {
        do {
            try index == 0 ? compactOnce() : appendUntilDone()
        } catch {
            failures[Int(index)] = error
        }
    }

    private func compactOnce() throws {
        defer { isDone.store(true, ordering: .releasing) }
        let start = wall_nanoseconds()
        try compact()
        milliseconds = Double(wall_nanoseconds() - start) / 1e6
    }

    private func appendUntilDone() throws {
        var record = sample()
        var number = first
        while !isDone.load(ordering: .acquiring) {
            sample_make(number, &record)
            let before = wall_nanoseconds()
            try append(record)
            worstMilliseconds = max(worstMilliseconds, Double(wall_nanoseconds() - before) / 1e6)
            number += 1
        }
    }
}
