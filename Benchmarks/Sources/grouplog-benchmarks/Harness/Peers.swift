import CPeers
import GroupLog

/// Contenders that several questions have, with one append at a time.
enum Appending {
    /// The bare loop in C.
    static func raw(_ name: String, _ records: Records, flags: Int, _ unit: Unit) -> Contender {
        Contender(name: name) { directory in
            let log = try opened { raw_open(directory, Int32(flags), $0) }
            defer { raw_close(log) }
            return try records.withSamples { start in
                try timed(records.samples.count, unit) {
                    for index in records.samples.indices {
                        try check(raw_append(log, start + index))
                    }
                }
            }
        }
    }

    static func groupLog(
        _ name: String, _ records: Records, _ durability: StoreOptions.Durability, _ unit: Unit,
        budgets: [Budget]
    ) -> Contender {
        Contender(name: name, isOurs: true, budgets: budgets) { directory in
            let store = try Store(path: directory + "/a.grouplog")
            let items = store[Bookmark.self]
            return try timed(records.bookmarks.count, unit) {
                for bookmark in records.bookmarks {
                    try items.append(bookmark, durability: durability)
                }
            }
        }
    }

    static func sqlite(
        _ name: String, _ records: Records, synchronous: String, _ unit: Unit
    ) -> Contender {
        Contender(name: name) { directory in
            let peer = try opened { sqlite_peer_open(directory + "/a.sqlite", synchronous, $0) }
            defer { sqlite_peer_close(peer) }
            return try records.withSamples { start in
                try timed(records.samples.count, unit) {
                    for index in records.samples.indices {
                        try check(sqlite_peer_append(peer, start + index))
                    }
                }
            }
        }
    }

    static func lmdb(
        _ name: String, _ records: Records, isSynced: Bool, _ unit: Unit
    ) -> Contender {
        Contender(name: name) { directory in
            let peer = try opened { lmdb_peer_open(directory + "/a.lmdb", isSynced, $0) }
            defer { lmdb_peer_close(peer) }
            return try records.withSamples { start in
                try timed(records.samples.count, unit) {
                    for index in records.samples.indices {
                        try check(lmdb_peer_append_all(peer, start + index, 1))
                    }
                }
            }
        }
    }
}
