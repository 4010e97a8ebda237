#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
package import GroupLogFile
public import GroupLogFormat

/// One commit of a store's history: what one write, or one transaction, changed.
public struct HistoryCommit: Sendable {
    /// The commit's number. Each commit has one more than the one before; those of cursors and other
    /// affairs of the store's own are in no history.
    public let sequence: UInt64
    /// What was changed, in the order in which it was written.
    public let changes: [Change]
    /// Whether this is what a compaction has left of the commit: only those of its changes that no
    /// later one has replaced.
    public let isCoalesced: Bool
    /// The place behind this commit, or, for a coalesced one whose checksum is not known any more,
    /// behind an earlier one.
    public let token: HistoryToken

    /// When it was committed, by the clock of the process that did.
    public var time: Date { changes.first?.time ?? .distantPast }
    /// The ``StoreOptions/author`` of the store that it was written through.
    public var author: String? { changes.first?.author }
}

/// A change of one record, or of one value by name.
public struct Change: Sendable {
    /// What happened to the record.
    public enum Kind: String, Hashable, Sendable {
        /// It was made. A blind capture (``ModelCollection``'s `append`) of an id that was there
        /// already is told as this, too.
        case insert
        /// It was changed.
        case update
        /// It was removed.
        case delete
        /// How far its upload has come was noted; the record is as it was.
        case syncState
    }

    /// What happened to the record.
    public let kind: Kind
    /// The names of the fields that an update changed, sorted; nil where that is not known, as after a
    /// compaction, and for other kinds.
    public let changedFields: [String]?
    package let record: StoredRecord

    /// The record's collection; for values by name ``KeyValues``' own, `$values`.
    public var collection: String { record.collection ?? "" }
    /// The record's key.
    public var key: RecordKey { record.key }
    /// The number of the commit that made the change.
    public var sequence: UInt64 { record.sequence }
    /// When that was, by the clock of the process that did.
    public var time: Date {
        Date(timeIntervalSince1970: Double(record.time) / 1_000_000)
    }
    /// The ``StoreOptions/author`` of the store that it was written through.
    public var author: String? { record.author }

    /// The record as it was from then on; nil for a delete, and for a record of another collection.
    ///
    /// - Throws: `DecodingError` where the record is not of this model.
    public func model<M: Model>(_ type: M.Type) throws -> M? {
        guard record.kind == .put, isChange(of: type) else { return nil }
        return try record.model(type)
    }

    /// The id of the record; nil for a record of another collection.
    ///
    /// - Throws: `DecodingError` where its key is no id of this model.
    public func id<M: Model>(_ type: M.Type) throws -> M.ID? {
        guard isChange(of: type) else { return nil }
        return try unsafe RecordDecoder().decodeValue(
            M.ID.self, from: record.key.encodedIdentifier.span.bytes)
    }

    private func isChange<M: Model>(of type: M.Type) -> Bool {
        record.collection.map(ByteString.init) == ByteString(M.collection)
    }
}

extension Change {
    /// The change that a record is.
    ///
    /// - Parameters:
    ///   - knownSequence: for what a compaction has left, up to which commit all is known.
    ///   - predecessor: gives the record that it replaced, where that is known.
    init(
        _ record: StoredRecord, knownSequence: UInt64? = nil,
        predecessor: (StoredRecord) throws -> StoredRecord?
    ) rethrows {
        self.record = record
        let isNew =
            knownSequence.map { record.creation > $0 } ?? (record.creation == record.sequence)
        switch record.kind {
        case .put where isNew:
            kind = .insert
            changedFields = nil
        case .put:
            kind = .update
            changedFields = try predecessor(record).flatMap { record.fieldNames(changedSince: $0) }
        case .delete:
            kind = .delete
            changedFields = nil
        default:
            kind = .syncState
            changedFields = nil
        }
    }
}

extension StoredRecord {
    /// The names of the fields that are other ones than in an older version, sorted; nil where that
    /// cannot be told.
    fileprivate func fieldNames(changedSince older: StoredRecord) -> [String]? {
        guard older.kind == .put else { return nil }
        do {
            let before = try Dictionary(
                older.fields().map { (ByteString($0.name), $0.value) }
            ) { $1 }
            let now = try Dictionary(fields().map { (ByteString($0.name), $0.value) }) { $1 }
            return Set(before.keys).union(now.keys).filter { before[$0] != now[$0] }
                .sorted().map(\.text)
        } catch {
            // A value that is not CBOR has no fields; reading it reports that.
            return nil
        }
    }
}
