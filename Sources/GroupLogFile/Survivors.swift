import GroupLogFormat

/// Which records of a log a compaction copies: the newest of each key, each key's sync state, and
/// each cursor.
///
/// Tombstones are kept by number and not by time, the newest ones: an old export or a late edit does
/// not bring back what was deleted, and a consumer that has not come so far yet hears of it.
struct Survivors {
    /// The newest records of all keys, in the order in which they stand.
    private let offsets: [UInt64]
    private var next = 0
    /// Tombstones that stand before this offset are forgotten.
    private let firstTombstone: UInt64
    /// The last sequence of a tombstone that is forgotten; 0 where none is.
    let forgottenSequence: UInt64

    /// - Parameter count: so many tombstones are kept in any case; more, as long as they take no more
    ///   than a tenth of what is live.
    init(of reader: LogReader, tombstones count: Int) throws {
        let index = reader.index
        var offsets = Array(index.cursors.values)
        var tombstones: [UInt64] = []
        for collection in index.collections.values {
            collection.values.forEachLiveOffset { offsets.append($0) }
            collection.syncStates.forEachLiveOffset { offsets.append($0) }
            collection.values.forEachDeletedOffset { tombstones.append($0) }
        }
        offsets += tombstones
        offsets.sort()
        self.offsets = offsets
        tombstones.sort()
        let excess = tombstones.count - max(count, Self.room(for: tombstones.count, in: index))
        guard excess > 0 else {
            firstTombstone = 0
            forgottenSequence = 0
            return
        }
        firstTombstone = tombstones[excess - 1] + 1
        var contexts = FrameContexts()
        contexts.rescued = index.rescuedFrames
        // Of all that are forgotten the last one has the highest sequence.
        forgottenSequence = try reader.image.storedRecord(
            at: tombstones[excess - 1], salt: reader.header.salt, contexts: &contexts
        ).sequence
    }

    /// How many of the tombstones take a tenth of what is live.
    private static func room(for count: Int, in index: LogIndex) -> Int {
        guard count > 0 else { return 0 }
        let bytes = index.collections.values.reduce(UInt64(0)) { $0 + $1.tombstones.bytes }
        let live = index.collections.values.reduce(UInt64(0)) { $0 + $1.liveBytes }
        let mean = max(bytes / UInt64(count), UInt64(LogLayout.recordHeaderSize))
        return Int(clamping: live / 10 / mean)
    }

    /// Whether the record at an offset is copied: it is its key's newest, and no tombstone of a key
    /// that is forgotten. To be asked for rising offsets.
    mutating func keeps(_ kind: RecordKind, at offset: UInt64) -> Bool {
        while next < offsets.count, offsets[next] < offset { next += 1 }
        guard next < offsets.count, offsets[next] == offset else { return false }
        return kind != .delete || offset >= firstTombstone
    }

    /// Whether a key's sync state goes with its key: it has a value, or a tombstone that is kept.
    func keepsSyncState(of lookup: KeyTable.Lookup) -> Bool {
        switch lookup {
        case .live: true
        case .deleted(let offset): offset >= firstTombstone
        case .absent: false
        }
    }
}
