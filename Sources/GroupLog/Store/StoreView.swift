package import GroupLogFile
package import GroupLogFormat

/// One state of a store: what was committed up to one sequence, whatever others write since.
///
/// It holds offsets into bytes that never change, so it stays readable for as long as it is kept, on
/// any thread, also when another log has been put in the place of this one. It takes no lock.
///
/// Costs nothing to make beyond a refresh of the store. While one is kept, the first refresh that
/// finds something new copies the store's table of offsets, about 16 bytes a record: keep views for
/// the work that needs one state, and not for good.
public struct StoreView: Sendable {
    /// The sequence of the last commit in the view; 0 for an empty store.
    public let sequence: UInt64
    /// Behind the last frame of the view, or the damage behind it.
    package let end: UInt64
    /// The last frame; nil for an empty store.
    let last: (offset: UInt64, header: FrameHeader)?
    package let header: LogHeader
    package let image: LogImage
    package let index: LogIndex
    package let log: LogReceipt
    package let path: String

    init(_ reader: LogReader, path: String) {
        sequence = reader.sequence
        end = reader.end
        last = reader.last
        header = reader.header
        image = reader.image
        index = reader.index
        log = reader.receipt
        self.path = path
    }

    /// Whether this is a later state of the same log: the last frame of the earlier one is in it, at
    /// its place. An older copy of a log that was put in its place has the same header.
    func continues(_ earlier: StoreView) throws -> Bool { try continues(earlier.position) }

    func continues(_ earlier: LogPosition) throws -> Bool {
        guard header == earlier.header else { return false }
        guard let last = earlier.last else { return true }
        return try image.frameHeader(at: last.offset, salt: header.salt) == last.header
    }

    /// What is enough to tell whether a later view continues this one. Whoever keeps that keeps no
    /// table of offsets.
    var position: LogPosition {
        LogPosition(
            header: header, last: last, end: end, damageCount: log.entries.count)
    }

    /// What the log remembers of the one that it was compacted from; nil where it was not, or where
    /// that cannot be read.
    func mark() throws -> MarkContent? {
        guard let offset = index.mark else { return nil }
        var contexts = contexts()
        do {
            let value = try record(at: offset, &contexts).value
            return try MarkContent.decode(unsafe value.span.bytes)
        } catch is FormatError {
            return nil
        }
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
        if let window = contexts.window {
            return try window.storedRecord(at: offset, salt: header.salt, contexts: &contexts)
        }
        return try image.storedRecord(at: offset, salt: header.salt, contexts: &contexts)
    }

    /// What reading many records one after another is quicker with.
    package func contexts() -> FrameContexts {
        var contexts = FrameContexts(image.isMapped ? nil : RecordWindow(image))
        contexts.rescued = index.rescuedFrames
        contexts.knownNames = index.knownNames
        return contexts
    }

    /// The collections that have records, sorted by their names' bytes.
    public var collections: [CollectionSummary] {
        counts.filter { !$0.name.utf8.starts(with: "$".utf8) }
            .map { CollectionSummary(name: $0.name, count: $0.count) }
    }

    /// The same, with those that have reserved names.
    package var counts: [(name: String, count: Int)] {
        index.collections.filter { $0.value.values.liveCount > 0 }
            .map { ($0.key.text, $0.value.values.liveCount) }
            .sorted { ByteString($0.name) < ByteString($1.name) }
    }

    /// What was not accepted of the log.
    public var receipt: StoreReceipt { StoreReceipt(log) }
}

/// How far a view reaches in its log.
struct LogPosition: Sendable, Equatable {
    var header: LogHeader
    /// The last frame; nil for an empty log.
    var last: (offset: UInt64, header: FrameHeader)?
    /// Behind the last frame, or the damage behind it.
    var end: UInt64
    /// How many places before it were not accepted.
    var damageCount: Int

    static func == (a: LogPosition, b: LogPosition) -> Bool {
        a.header == b.header && a.last?.offset == b.last?.offset
            && a.last?.header == b.last?.header && a.end == b.end
            && a.damageCount == b.damageCount
    }
}

/// A collection, and how much is in it.
public struct CollectionSummary: Hashable, Sendable {
    /// The collection's name.
    public var name: String
    /// How many records it has.
    public var count: Int
}
