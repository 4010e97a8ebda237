package import GroupLogFormat

/// The offset cache: where the newest record of each key stands, for each collection.
///
/// A pure function of the log's frames in their order; thrown away and built anew at any doubt.
package struct LogIndex: Sendable {
    /// The records of one collection.
    package struct Collection: Sendable {
        package var values = KeyTable()
        package var syncStates = KeyTable()
        /// The bytes of the newest records of keys that have a value, sync states included.
        package fileprivate(set) var liveBytes: UInt64 = 0
        /// The keys that were deleted, and the bytes of their newest records.
        package fileprivate(set) var tombstones = (count: 0, bytes: UInt64(0))
        /// The sequence of the last commit that changed a value.
        package var lastChange: UInt64 = 0
    }

    package private(set) var collections: [ByteString: Collection] = [:]
    /// The newest cursor record of each name.
    package private(set) var cursors: [ByteString: UInt64] = [:]
    /// Independent frames that are damaged, and may have to be served by their spare.
    package private(set) var rescuedFrames: [UInt64: Int] = [:]
    /// The record of the mark, where the log was compacted.
    package private(set) var mark: UInt64?
    package private(set) var recordCount = 0
    /// The name tables of the log's frames, or the last of them.
    package internal(set) var knownNames = KnownNames()
    private var recordBytes: UInt64 = 0

    package init() {}

    /// The bytes of the records that a compaction would leave out, or of some more: cursors are few
    /// and not counted as needed.
    package var deadBytes: UInt64 {
        let needed = collections.values.reduce(0) { $0 + $1.liveBytes + $1.tombstones.bytes }
        return recordBytes - min(recordBytes, needed)
    }

    /// The sequence of the last commit that changed a value.
    package var lastChange: UInt64 { collections.values.reduce(0) { max($0, $1.lastChange) } }

    /// Takes up one frame.
    ///
    /// Gives the records that are good and yet not served: of kinds or with key types that this
    /// program does not know, or of no collection where they need one.
    mutating func apply(
        _ content: FrameContent, _ bytes: RawSpan, log: some LogBytes
    ) throws -> [Damage] {
        var unserved: [Damage] = []
        // Its header or its head may be gone: whoever reads one of its records needs the spare.
        if content.header.flags.contains(.independent), !content.damage.isEmpty {
            rescuedFrames[content.offset] = Int(content.header.length)
        }
        let hashes = hashes(of: content, bytes)
        var place: CollectionPlace?
        for (record, hash) in zip(content.records, hashes) {
            recordCount += 1
            recordBytes += UInt64(record.range.count)
            if try !apply(record, hash, of: content, bytes, log: log, &place) {
                let start = content.offset + UInt64(record.range.lowerBound)
                let range = start..<start + UInt64(record.range.count)
                unserved.append(Damage(range: range, cause: .unknownKind))
            }
        }
        return unserved
    }

    /// Of more, the first would be gone from the processor's caches when they are needed.
    private static let mostPrefetched = 4096

    /// The hashes of the records' keys. They are made before the first is taken up, so that the places
    /// that they lead to can be fetched together.
    private func hashes(of content: FrameContent, _ bytes: RawSpan) -> [UInt32] {
        var hashes: [UInt32] = []
        hashes.reserveCapacity(content.records.count)
        for record in content.records {
            hashes.append(KeyTable.hash(kind: record.keyKind, bytes.extracting(record.key)))
        }
        if (2...Self.mostPrefetched).contains(hashes.count),
            let name = content.collection(of: content.records[0])
        {
            collections[ByteString(name)]?.values.prefetchSlots(of: hashes)
        }
        return hashes
    }

    /// Takes up one record; gives false for one that cannot be served.
    private mutating func apply(
        _ record: RecordHeader, _ hash: UInt32, of content: FrameContent, _ bytes: RawSpan,
        log: some LogBytes, _ place: inout CollectionPlace?
    ) throws -> Bool {
        let offset = content.offset + UInt64(record.range.lowerBound)
        guard RecordKey.Kind(rawValue: record.keyKind) != nil else { return false }
        switch record.kind {
        case .put, .delete, .syncState:
            guard let name = record.collection,
                let collection = index(of: name, in: content, &place)
            else { return false }
            // A copied record tells its own; its frame's may be that of a cursor.
            let sequence =
                content.provenance(bytes, of: record)?.sequence ?? content.header.sequence
            try collections.values[collection].note(
                record, hash: hash, offset: offset, sequence: sequence
            ) { other in
                try Self.lengthOfRecord(at: other, ifKeyIsOf: record, bytes, log: log)
            }
        case .cursor:
            if let key = record.recordKey(bytes), let name = key.textValue {
                cursors[ByteString(name)] = offset
            }
        case .metadata:
            if content.header.flags.contains(.mark), record.recordKey(bytes) == .mark {
                mark = offset
            }
        default: return false
        }
        return true
    }

    /// Where a collection is in the dictionary, by the index of its name in the frame at hand. Records
    /// that stand together are mostly of one collection, and finding it costs more than the rest.
    private typealias CollectionPlace = (name: UInt16, index: [ByteString: Collection].Index)

    /// Where the collection of a name in a frame's table is; nil where the table has no such name.
    private mutating func index(
        of name: UInt16, in content: FrameContent, _ last: inout CollectionPlace?
    ) -> [ByteString: Collection].Index? {
        if let last, last.name == name { return last.index }
        guard let text = content.name(name) else { return nil }
        let key = ByteString(text)
        if collections[key] == nil { collections[key] = Collection() }
        last = collections.index(forKey: key).map { (name, $0) }
        return last?.index
    }

    /// Compares keys where they stand; gives the other record's length where they are equal. That
    /// record was verified when it was taken up.
    private static func lengthOfRecord(
        at other: UInt64, ifKeyIsOf record: RecordHeader, _ bytes: RawSpan, log: some LogBytes
    ) throws -> Int? {
        let length = UInt64(LogLayout.recordHeaderSize + 255 + record.key.count)
        let end = min(other + length, log.size)
        return try log.withBytes(other..<end) { otherBytes in
            guard let key = RecordHeader.key(in: otherBytes), key.kind == record.keyKind,
                otherBytes.extracting(key.range).isEqual(to: bytes.extracting(record.key))
            else { return nil }
            return RecordHeader.length(otherBytes, at: 0)
        }
    }

    /// The newest record of a key.
    package func find(
        _ key: RecordKey, in collection: String, log: some LogBytes
    ) throws -> KeyTable.Lookup {
        guard let collection = collections[ByteString(collection)] else { return .absent }
        return try Self.find(key, in: collection.values, log: log)
    }

    /// The newest sync state of a key.
    package func findSyncState(
        _ key: RecordKey, in collection: String, log: some LogBytes
    ) throws -> UInt64? {
        guard let collection = collections[ByteString(collection)],
            case .live(let offset) = try Self.find(key, in: collection.syncStates, log: log)
        else { return nil }
        return offset
    }

    private static func find(
        _ key: RecordKey, in table: KeyTable, log: some LogBytes
    ) throws -> KeyTable.Lookup {
        let hash = unsafe KeyTable.hash(kind: key.kind.rawValue, key.bytes.span.bytes)
        return try table.find(hash: hash) { offset in
            let length = UInt64(LogLayout.recordHeaderSize + 255 + key.bytes.count)
            return try log.withBytes(offset..<min(offset + length, log.size)) { bytes in
                RecordHeader.key(in: bytes).map {
                    $0.kind == key.kind.rawValue && bytes.equals($0.range, key.bytes)
                } ?? false
            }
        }
    }
}

extension LogIndex.Collection {
    /// Takes up a record. `lengthIfSame` gives the length of the record at an offset if it has the
    /// same key.
    fileprivate mutating func note(
        _ record: RecordHeader, hash: UInt32, offset: UInt64, sequence: UInt64,
        lengthIfSame: (UInt64) throws -> Int?
    ) throws {
        let length = UInt64(record.range.count)
        var lengthBefore: UInt64 = 0
        let matches = { (other: UInt64) throws -> Bool in
            guard let length = try lengthIfSame(other) else { return false }
            lengthBefore = UInt64(length)
            return true
        }
        if record.kind == .syncState {
            try syncStates.set(hash: hash, offset: offset, isDeleted: false, matches: matches)
            liveBytes.subtract(lengthBefore)
            liveBytes += length
            return
        }
        lastChange = max(lastChange, sequence)
        let isDeleted = record.kind == .delete
        switch try values.set(
            hash: hash, offset: offset, isDeleted: isDeleted, matches: matches)
        {
        case .absent: break
        case .live: liveBytes.subtract(lengthBefore)
        case .deleted:
            tombstones.count -= 1
            tombstones.bytes.subtract(lengthBefore)
        }
        if isDeleted {
            tombstones.count += 1
            tombstones.bytes += length
        } else {
            liveBytes += length
        }
    }
}

extension UInt64 {
    /// Takes off what was added before: lengths are read in the log once more, where others may
    /// have changed them.
    fileprivate mutating func subtract(_ length: UInt64) { self -= Swift.min(self, length) }
}
