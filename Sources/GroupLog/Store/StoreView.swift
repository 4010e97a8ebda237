package import GroupLogFile
public import GroupLogFormat

/// One state of a store: what was committed up to one sequence, whatever others write since.
///
/// It holds offsets into bytes that never change, so it stays readable for as long as it is kept,
/// also when the log has been compacted.
public struct StoreView: Sendable {
    /// The sequence of the last commit in the view; 0 for an empty store.
    public let sequence: UInt64
    /// Behind the last frame of the view, or the damage behind it.
    package let end: UInt64
    package let header: LogHeader
    package let image: LogImage
    package let index: LogIndex
    package let log: LogReceipt
    package let path: String

    init(_ reader: LogReader, path: String) {
        sequence = reader.sequence
        end = reader.end
        header = reader.header
        image = reader.image
        index = reader.index
        log = reader.receipt
        self.path = path
    }

    /// What the log says of a key.
    package func find(_ key: RecordKey, in collection: String) throws -> KeyTable.Lookup {
        try index.find(key, in: collection, log: image)
    }

    /// The record of a key, if it has a value.
    package func record(_ key: RecordKey, in collection: String) throws -> StoredRecord? {
        guard case .live(let offset) = try find(key, in: collection) else { return nil }
        var contexts = contexts()
        return try record(at: offset, &contexts)
    }

    /// The record at an offset.
    package func record(
        at offset: UInt64, _ contexts: inout FrameContexts
    ) throws -> StoredRecord {
        try image.storedRecord(at: offset, salt: header.salt, contexts: &contexts)
    }

    /// What reading many records one after another is quicker with.
    package func contexts() -> FrameContexts {
        var contexts = FrameContexts()
        contexts.rescued = index.rescuedFrames
        return contexts
    }

    /// The names of the collections that have records, sorted, and how many.
    package var counts: [(name: String, count: Int)] {
        index.collections.filter { $0.value.values.liveCount > 0 }
            .map { ($0.key.text, $0.value.values.liveCount) }
            .sorted { ByteString($0.name) < ByteString($1.name) }
    }

    /// What was not accepted of the log.
    public var receipt: StoreReceipt { StoreReceipt(log, unknown: index.unknownKinds) }
}

/// What was not accepted of a log when it was read, and what stands behind it.
public struct StoreReceipt: Sendable {
    /// One byte range that was not accepted.
    public struct Entry: Sendable {
        /// Where, why, and the key where it can be read.
        public var damage: Damage
        /// How many whole frames lie behind it.
        public var framesBehind: Int
    }

    /// The ranges, in the order in which they stand.
    public var entries: [Entry]
    /// Bytes at the log's end that are not, or not yet, a whole frame. Not damage: the next writer
    /// takes a write that broke off out of the way.
    public var unfinished: Range<UInt64>?
    /// How many whole frames were read.
    public var frameCount: Int

    init(_ receipt: LogReceipt, unknown: [Damage]) {
        entries = receipt.entries.map {
            Entry(damage: $0.damage, framesBehind: receipt.framesBehind($0))
        }
        entries += unknown.map { Entry(damage: $0, framesBehind: 0) }
        unfinished = receipt.unfinished
        frameCount = receipt.frameCount
    }

    /// Whether everything was accepted.
    public var isClean: Bool { entries.isEmpty }
}
