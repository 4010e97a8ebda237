import CPeers

/// What does a durable append cost, one a commit?
enum DurableAppend: Question {
    static let name = "durable-append"
    static let summary = "durable appends, one a commit"

    static func ask(_ bench: inout Bench) throws {
        try bench.measure(
            "Durable append, one a commit", .perSecond,
            contenders(&bench, budgets: [.atLeast(1.2, .ratio)]))
    }

    /// SQLite as its users have it where writes must last: a write-ahead log, synced at each commit.
    static func contenders(_ bench: inout Bench, budgets: [Budget]) -> [Contender] {
        let records = Records(bench.plan.count(2_000))
        var contenders = [
            Appending.raw(
                "raw: append + fdatasync", records, flags: raw_synced, .perSecond),
            Appending.raw(
                "raw: into zeroed slack", records, flags: raw_slack | raw_synced, .perSecond),
            Appending.groupLog(
                "GroupLog .full", records, .full, .perSecond, budgets: budgets),
        ]
        if bench.hasSQLite() {
            contenders.append(
                Appending.sqlite("SQLite WAL, FULL", records, synchronous: "FULL", .perSecond))
        }
        if bench.hasLMDB() {
            contenders.append(Appending.lmdb("LMDB", records, isSynced: true, .perSecond))
        }
        return contenders
    }
}
