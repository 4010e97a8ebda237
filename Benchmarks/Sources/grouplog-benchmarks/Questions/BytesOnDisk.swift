import CPeers
import GroupLog

/// How many bytes does the disk give for a raw one?
enum BytesOnDisk: Question {
    static let name = "bytes"
    static let summary = "bytes on the disk over raw bytes"

    static func ask(_ bench: inout Bench) throws {
        let records = Records(bench.plan.count(100_000))
        let raw = Double(records.samples.count * Records.size)
        var measured: [(Contender, [Sample])] = []
        func measure(
            _ name: String, isOurs: Bool = false, budgets: [Budget] = [],
            _ fill: (String) throws -> Void
        ) throws {
            let place = try TemporaryDirectory(in: bench.plan.directory)
            try fill(place.path)
            let bytes = Double(allocatedBytes(below: place.path))
            let contender = Contender(name: name, isOurs: isOurs, budgets: budgets) { _ in
                Sample(value: bytes / raw)
            }
            measured.append((contender, [Sample(value: bytes / raw)]))
        }
        try measure("raw") { directory in
            let log = try opened { raw_open(directory, 0, $0) }
            defer { raw_close(log) }
            try records.withSamples { try check(raw_append_all(log, $0, records.samples.count)) }
        }
        try measure("GroupLog, bulk", isOurs: true, budgets: [.atMost(1.3)]) { directory in
            let store = try Store(path: directory + "/a.grouplog")
            try store[Bookmark.self].append(contentsOf: records.bookmarks)
        }
        try measure("GroupLog, compacted", isOurs: true, budgets: [.atMost(1.3)]) { directory in
            let store = try Store(path: directory + "/a.grouplog")
            try store[Bookmark.self].append(contentsOf: records.bookmarks)
            try store.compact()
        }
        try measure("GroupLog, single adds", isOurs: true, budgets: [.atMost(2.2)]) {
            directory in
            let store = try Store(path: directory + "/a.grouplog")
            for bookmark in records.bookmarks {
                try store[Bookmark.self].append(bookmark, durability: .unsynced)
            }
        }
        if bench.hasSQLite() {
            try measure("SQLite, closed") { directory in
                let path = directory + "/a.sqlite"
                let peer = try opened { sqlite_peer_open(path, "NORMAL", $0) }
                defer { sqlite_peer_close(peer) }
                try records.inBatches(of: BulkLoad.batchSize) {
                    try check(sqlite_peer_append_all(peer, $0, $1))
                }
            }
        }
        if bench.hasLMDB() {
            try measure("LMDB") { directory in
                let peer = try opened { lmdb_peer_open(directory + "/a.lmdb", false, $0) }
                defer { lmdb_peer_close(peer) }
                try records.inBatches(of: BulkLoad.batchSize) {
                    try check(lmdb_peer_append_all(peer, $0, $1))
                }
            }
        }
        bench.answer("Bytes on the disk over raw bytes", .factor, measured)
    }
}
