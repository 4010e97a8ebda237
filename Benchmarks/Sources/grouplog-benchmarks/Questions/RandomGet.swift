import CPeers
import GroupLog

/// What does it cost to get a record by its id?
enum RandomGet: Question {
    static let name = "random-get"
    static let summary = "gets by id, of a pinned view and refreshing first"

    static func ask(_ bench: inout Bench) throws {
        let stores = try LargeStores(bench.plan)
        let order = stores.randomOrder(bench.plan.count(100_000))
        func contender(
            _ name: String, isOurs: Bool = false, budgets: [Budget] = [],
            _ get: @escaping (Int) throws -> Void
        ) -> Contender {
            Contender(name: name, isOurs: isOurs, budgets: budgets) { _ in
                try timed(order.count, .microseconds) {
                    for index in order { try get(index) }
                }
            }
        }
        let table = try stores.rawTable()
        defer { raw_table_close(table) }
        let store = try Store(path: try stores.groupLog())
        let view = try store.view()
        let bookmarks = stores.records.bookmarks
        var contenders = [
            contender("raw: hash table over a mapped file") { index in
                var found = sample()
                let isThere = stores.withID(index) { raw_table_get(table, $0, &found) }
                guard isThere else { throw PeerError(description: "raw: no such record") }
            },
            contender("GroupLog, pinned view", isOurs: true, budgets: [.atMost(1.4)]) { index in
                guard try view[Bookmark.self].get(bookmarks[index].id) != nil else {
                    throw PeerError(description: "GroupLog: no such record")
                }
            },
            contender("GroupLog, refreshing first", isOurs: true, budgets: [.atMost(3.3)]) {
                index in
                guard try store[Bookmark.self].get(bookmarks[index].id) != nil else {
                    throw PeerError(description: "GroupLog: no such record")
                }
            },
        ]
        bench.note("GroupLog gives a Swift model, the peers give the fields in a struct of C")
        if bench.hasSQLite() {
            let path = try stores.sqlitePath()
            let pinned = try opened { sqlite_peer_open(path, "NORMAL", $0) }
            let other = try opened { sqlite_peer_open(path, "NORMAL", $0) }
            try check(sqlite_peer_execute(pinned, "BEGIN"))
            for (name, peer) in [("SQLite, in a transaction", pinned), ("SQLite", other)] {
                contenders.append(
                    contender(name) { index in
                        var found = sample()
                        try check(stores.withID(index) { sqlite_peer_get(peer, $0, &found) })
                    })
            }
        }
        if bench.hasLMDB() {
            let peer = try stores.lmdb()
            for (name, isRenewing) in [
                ("LMDB, in a transaction", false), ("LMDB, renewed first", true),
            ] {
                contenders.append(
                    contender(name) { index in
                        var found = sample()
                        try check(
                            stores.withID(index) { lmdb_peer_get(peer, $0, isRenewing, &found) })
                    })
            }
        }
        try bench.measure(
            "Random get of \(bench.plan.recordCount) records", .microseconds, contenders)
    }
}

extension LargeStores {
    /// Lends the id of a record to C.
    fileprivate func withID<R>(_ index: Int, _ body: (UnsafePointer<UInt8>) throws -> R) rethrows
        -> R
    {
        try withUnsafeBytes(of: records.samples[index].id) { id in
            guard let start = id.assumingMemoryBound(to: UInt8.self).baseAddress else {
                preconditionFailure("an id has 16 bytes")
            }
            return try body(start)
        }
    }
}
