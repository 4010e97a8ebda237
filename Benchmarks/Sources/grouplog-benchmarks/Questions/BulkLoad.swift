import CPeers
import GroupLog

/// How fast does a bulk load go, in batches of 1,000?
enum BulkLoad: Question {
    static let name = "bulk-load"
    static let summary = "a load in batches of 1,000"
    static let batchSize = 1_000

    static func ask(_ bench: inout Bench) throws {
        let records = Records(bench.plan.count(100_000))
        try bench.measure(
            "Bulk load in batches of 1,000, each durable", .perSecond,
            contenders(records, &bench, isSynced: true))
        bench.note("no batch is synced: what the processor has to do")
        try bench.measure(
            "Bulk load in batches of 1,000, not synced", .perSecond,
            contenders(records, &bench, isSynced: false))
    }

    private static func contenders(
        _ records: Records, _ bench: inout Bench, isSynced: Bool
    ) -> [Contender] {
        var contenders = [raw(records, flags: isSynced ? raw_synced : 0)]
        let blobs = records.samples.map(Blob.init)
        contenders.append(
            groupLog(
                "GroupLog, as bytes (a model of one Data)", blobs, isSynced,
                isSynced ? [] : [.atLeast(600_000)]))
        contenders.append(
            groupLog(
                "GroupLog, Codable models", records.bookmarks, isSynced,
                isSynced ? [] : [.atLeast(250_000)]))
        if bench.hasSQLite() {
            contenders.append(
                sqlite(records, synchronous: isSynced ? "FULL" : "NORMAL"))
        }
        if bench.hasLMDB() { contenders.append(lmdb(records, isSynced: isSynced)) }
        return contenders
    }

    private static func raw(_ records: Records, flags: Int) -> Contender {
        Contender(name: "raw: pwrite") { directory in
            let log = try opened { raw_open(directory, Int32(flags), $0) }
            defer { raw_close(log) }
            return try timed(records.samples.count, .perSecond) {
                try records.inBatches(of: batchSize) { try check(raw_append_all(log, $0, $1)) }
            }
        }
    }

    private static func groupLog<M: Model>(
        _ name: String, _ models: [M], _ isSynced: Bool, _ budgets: [Budget]
    ) -> Contender {
        Contender(name: name, isOurs: true, budgets: budgets) { directory in
            let store = try Store(path: directory + "/a.grouplog")
            return try timed(models.count, .perSecond) {
                for first in stride(from: 0, to: models.count, by: batchSize) {
                    try store[M.self].append(
                        contentsOf: models[first..<min(first + batchSize, models.count)],
                        durability: isSynced ? .full : .unsynced)
                }
            }
        }
    }

    private static func sqlite(_ records: Records, synchronous: String) -> Contender {
        Contender(name: "SQLite WAL, \(synchronous)") { directory in
            let peer = try opened { sqlite_peer_open(directory + "/a.sqlite", synchronous, $0) }
            defer { sqlite_peer_close(peer) }
            return try timed(records.samples.count, .perSecond) {
                try records.inBatches(of: batchSize) {
                    try check(sqlite_peer_append_all(peer, $0, $1))
                }
            }
        }
    }

    private static func lmdb(_ records: Records, isSynced: Bool) -> Contender {
        Contender(name: isSynced ? "LMDB" : "LMDB NOSYNC") { directory in
            let peer = try opened { lmdb_peer_open(directory + "/a.lmdb", isSynced, $0) }
            defer { lmdb_peer_close(peer) }
            return try timed(records.samples.count, .perSecond) {
                try records.inBatches(of: batchSize) {
                    try check(lmdb_peer_append_all(peer, $0, $1))
                }
            }
        }
    }
}
