import CPeers
import GroupLog

/// Stores with many records, filled once for all rounds of a question, and peers with the same.
final class LargeStores {
    let directory: TemporaryDirectory
    let records: Records

    init(_ plan: Plan) throws {
        directory = try TemporaryDirectory(in: plan.directory)
        records = Records(plan.recordCount)
    }

    /// The path of the store.
    func groupLog() throws -> String {
        let path = directory.path + "/a.grouplog"
        try Store(path: path)[Bookmark.self].append(contentsOf: records.bookmarks)
        return path
    }

    func rawTable() throws -> OpaquePointer {
        let log = try opened { raw_open(directory.path, 0, $0) }
        defer { raw_close(log) }
        try records.withSamples { try check(raw_append_all(log, $0, records.samples.count)) }
        return try opened { raw_table_open(directory.path, $0) }
    }

    func sqlitePath() throws -> String {
        let path = directory.path + "/a.sqlite"
        let peer = try opened { sqlite_peer_open(path, "OFF", $0) }
        defer { sqlite_peer_close(peer) }
        try records.inBatches(of: 10_000) { try check(sqlite_peer_append_all(peer, $0, $1)) }
        return path
    }

    func lmdb() throws -> OpaquePointer {
        let peer = try opened { lmdb_peer_open(directory.path + "/a.lmdb", false, $0) }
        try records.inBatches(of: 10_000) { try check(lmdb_peer_append_all(peer, $0, $1)) }
        try check(lmdb_peer_begin_reading(peer))
        return peer
    }

    /// Numbers of records in an order that looks random, the same in each run.
    func randomOrder(_ count: Int) -> [Int] {
        var state: UInt64 = 1
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % records.samples.count
        }
    }
}
