import CPeers

/// What does an append cost that only survives a crash of the process?
enum UnsyncedAppend: Question {
    static let name = "unsynced-append"
    static let summary = "appends that are not synced"

    static func ask(_ bench: inout Bench) throws {
        let records = Records(bench.plan.count(20_000))
        var contenders = [
            Appending.raw(
                "raw: flock, checks, write", records, flags: raw_slack | raw_locked, .microseconds),
            Appending.groupLog(
                "GroupLog .unsynced", records, .unsynced, .microseconds,
                budgets: [.atMost(10)]),
        ]
        if bench.hasSQLite() {
            contenders.append(
                Appending.sqlite(
                    "SQLite WAL, NORMAL", records, synchronous: "NORMAL", .microseconds))
        }
        if bench.hasLMDB() {
            contenders.append(
                Appending.lmdb("LMDB NOSYNC", records, isSynced: false, .microseconds))
        }
        try bench.measure("Append without sync", .microseconds, contenders)
    }
}
