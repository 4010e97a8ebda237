import CPeers
import GroupLog

/// One of several that append durably to one store until their time is up.
final class Writer {
    enum Kind: String {
        case raw, groupLog, sqlite, lmdb

        var title: String {
            switch self {
            case .raw: "raw: flock, released before the sync"
            case .groupLog: "GroupLog .full"
            case .sqlite: "SQLite WAL, FULL"
            case .lmdb: "LMDB"
            }
        }
    }

    private enum Target {
        case raw(OpaquePointer)
        case groupLog(Store)
        case sqlite(OpaquePointer)
        case lmdb(OpaquePointer)
    }

    struct Report {
        var count: UInt64 = 0
        var worstNanoseconds: Int64 = 0
        var milliseconds: Int = 0

        init(milliseconds: Int) { self.milliseconds = milliseconds }

        init(parsing text: [CChar]) throws {
            let bytes = text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
            let words = String(decoding: bytes, as: UTF8.self).split { $0 == " " || $0 == "\n" }
            guard words.count == 3, let count = UInt64(words[0]), let worst = Int64(words[1]),
                let milliseconds = Int(words[2])
            else { throw PeerError(description: "a writer gave no report") }
            self.count = count
            worstNanoseconds = worst
            self.milliseconds = milliseconds
        }

        var text: String { "\(count) \(worstNanoseconds) \(milliseconds)" }
    }

    private let target: Target
    /// The number of its first record: no two writers have the same.
    private let first: UInt64

    private init(_ target: Target, first: Int) {
        self.target = target
        self.first = UInt64(first) << 32
    }

    convenience init(_ kind: Kind, _ directory: String, first: Int) throws {
        let target: Target
        switch kind {
        case .raw:
            let flags = raw_slack | raw_locked | raw_synced
            target = .raw(try opened { raw_open(directory, Int32(flags), $0) })
        case .groupLog:
            // Others wait a second and more.
            let options = StoreOptions(lockTimeout: .seconds(60))
            target = .groupLog(try Store(path: directory + "/a.grouplog", options: options))
        case .sqlite:
            try check(sqlite_peer_load())
            target = .sqlite(
                try opened { sqlite_peer_open(directory + "/a.sqlite", "FULL", $0) })
        case .lmdb:
            try check(lmdb_peer_load())
            target = .lmdb(try opened { lmdb_peer_open(directory + "/a.lmdb", true, $0) })
        }
        self.init(target, first: first)
    }

    /// Another writer to what this one has open.
    func sharing(_ first: Int) -> Writer { Writer(target, first: first) }

    func close() {
        switch target {
        case .raw(let log): raw_close(log)
        case .groupLog: break
        case .sqlite(let peer): sqlite_peer_close(peer)
        case .lmdb(let peer): lmdb_peer_close(peer)
        }
    }

    /// Appends for so long, beginning at a moment.
    func write(from start: Int64, _ milliseconds: Int) throws -> Report {
        var report = Report(milliseconds: milliseconds)
        var record = sample()
        sleep_until(start)
        let end = start + Int64(milliseconds) * 1_000_000
        var before = wall_nanoseconds()
        while before < end {
            sample_make(first + report.count, &record)
            try append(&record)
            let now = wall_nanoseconds()
            report.count += 1
            report.worstNanoseconds = max(report.worstNanoseconds, now - before)
            before = now
        }
        return report
    }

    private func append(_ record: inout sample) throws {
        switch target {
        case .raw(let log): try check(raw_append(log, &record))
        case .groupLog(let store): try store[Bookmark.self].append(Bookmark(record))
        case .sqlite(let peer): try check(sqlite_peer_append(peer, &record))
        case .lmdb(let peer): try check(lmdb_peer_append_all(peer, &record, 1))
        }
    }

    private func storedCount() throws -> UInt64 {
        var count: UInt64 = 0
        switch target {
        case .raw(let log): count = raw_size(log) / UInt64(Records.size)
        case .groupLog(let store): count = UInt64(try store[Bookmark.self].count())
        case .sqlite(let peer): try check(sqlite_peer_count(peer, &count))
        case .lmdb(let peer): try check(lmdb_peer_count(peer, &count))
        }
        return count
    }

    /// What several writers did together; fails where a record is lost.
    static func summary(
        _ reports: [Report], of kind: Kind, in directory: String
    ) throws -> Sample {
        let written = reports.reduce(0) { $0 + $1.count }
        let reader = try Writer(kind, directory, first: 0)
        defer { reader.close() }
        let stored = try reader.storedCount()
        guard stored == written else {
            throw PeerError(
                description: "\(kind.title): \(written) records were written, \(stored) are there")
        }
        let seconds = Double(reports.first?.milliseconds ?? 1) / 1_000
        let worst = reports.map(\.worstNanoseconds).max() ?? 0
        return Sample(
            value: Double(written) / seconds, worstMilliseconds: Double(worst) / 1e6)
    }
}
