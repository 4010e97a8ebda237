import CPeers
import GroupLog

/// What does a transaction of many records cost?
enum LargeTransaction: Question {
    static let name = "transaction"
    static let summary = "one durable transaction of 10,000 records"

    static func ask(_ bench: inout Bench) throws {
        let records = Records(bench.plan.count(10_000))
        let count = records.samples.count
        var contenders = [
            Contender(name: "raw: pwrite + fdatasync") { directory in
                let log = try opened { raw_open(directory, Int32(raw_synced), $0) }
                defer { raw_close(log) }
                return try records.withSamples { start in
                    try timed(count, .perSecond) { try check(raw_append_all(log, start, count)) }
                }
            },
            Contender(name: "GroupLog", isOurs: true) { directory in
                let store = try Store(path: directory + "/a.grouplog")
                return try timed(count, .perSecond) {
                    try store.transaction { transaction in
                        for bookmark in records.bookmarks {
                            try transaction[Bookmark.self].insert(bookmark)
                        }
                    }
                }
            },
        ]
        if bench.hasSQLite() {
            contenders.append(
                Contender(name: "SQLite WAL, FULL") { directory in
                    let path = directory + "/a.sqlite"
                    let peer = try opened { sqlite_peer_open(path, "FULL", $0) }
                    defer { sqlite_peer_close(peer) }
                    return try records.withSamples { start in
                        try timed(count, .perSecond) {
                            try check(sqlite_peer_append_all(peer, start, count))
                        }
                    }
                })
        }
        if bench.hasLMDB() {
            contenders.append(
                Contender(name: "LMDB") { directory in
                    let peer = try opened { lmdb_peer_open(directory + "/a.lmdb", true, $0) }
                    defer { lmdb_peer_close(peer) }
                    return try records.withSamples { start in
                        try timed(count, .perSecond) {
                            try check(lmdb_peer_append_all(peer, start, count))
                        }
                    }
                })
        }
        try bench.measure(
            "One durable transaction of \(count) records", .perSecond, contenders)
    }
}
