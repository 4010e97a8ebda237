import CPeers
import GroupLog

/// How long until a program that starts has the newest 50 records?
enum OpenAndNewest: Question {
    static let name = "open"
    static let summary = "opening, and the newest 50"

    static func ask(_ bench: inout Bench) throws {
        let stores = try LargeStores(bench.plan)
        let path = try stores.groupLog()
        let millions = Double(bench.plan.recordCount) / 1_000_000
        var contenders: [Contender] = []
        if bench.hasSQLite() {
            let database = try stores.sqlitePath()
            contenders.append(
                Contender(name: "SQLite") { _ in
                    var found = [sample](repeating: sample(), count: 50)
                    return try timed(1, .milliseconds) {
                        let peer = try opened { sqlite_peer_open(database, "NORMAL", $0) }
                        defer { sqlite_peer_close(peer) }
                        try check(sqlite_peer_newest(peer, &found, found.count))
                    }
                })
        }
        // 250 ms for a million; there is no persisted cache of offsets yet.
        contenders.append(
            Contender(
                name: "GroupLog, without offsets", isOurs: true, budgets: [.atMost(250 * millions)]
            ) { _ in
                try timed(1, .milliseconds) {
                    let options = StoreOptions(role: .readOnly)
                    let store = try Store(path: path, options: options)
                    guard try store[Bookmark.self].newest(limit: 50).count == 50 else {
                        throw PeerError(description: "GroupLog has too few records")
                    }
                }
            })
        try bench.measure(
            "Open and newest 50 of \(bench.plan.recordCount) records", .milliseconds, contenders)
    }
}
