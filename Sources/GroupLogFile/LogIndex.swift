package import GroupLogFormat

/// The offset cache: where the newest record of each key stands, for each collection.
///
/// A pure function of the log's frames in their order; thrown away and built anew at any doubt.
package struct LogIndex: Sendable {
    /// The records of one collection.
    package struct Collection: Sendable {
        package var values = KeyTable()
        package var syncStates = KeyTable()
        /// The sequence of the last commit that changed a value.
        package var lastChange: UInt64 = 0
    }

    package private(set) var collections: [ByteString: Collection] = [:]
    /// The newest cursor record of each name.
    package private(set) var cursors: [ByteString: UInt64] = [:]
    /// Independent frames that are damaged, and may have to be served by their spare.
    package private(set) var rescuedFrames: [UInt64: Int] = [:]
    package private(set) var frameCount = 0
    package private(set) var recordCount = 0
    /// Records that are good and yet not served: of kinds or with key types that this program does
    /// not know, or of no collection where they need one.
    package private(set) var unserved: [LogReceipt.Entry] = []

    package init() {}

    /// Takes up one frame.
    mutating func apply(
        _ content: FrameContent, _ bytes: RawSpan, log: some LogBytes, salt: UInt64
    ) throws {
        frameCount += 1
        // Its header or its head may be gone: whoever reads one of its records needs the spare.
        if content.header.flags.contains(.independent), !content.damage.isEmpty {
            rescuedFrames[content.offset] = Int(content.header.length)
        }
        for record in content.records {
            recordCount += 1
            try apply(record, of: content, bytes, log: log, salt: salt)
        }
    }

    private mutating func apply(
        _ record: RecordHeader, of content: FrameContent, _ bytes: RawSpan,
        log: some LogBytes, salt: UInt64
    ) throws {
        let offset = content.offset + UInt64(record.range.lowerBound)
        guard RecordKey.Kind(rawValue: record.keyKind) != nil else {
            return noteUnserved(record, at: offset)
        }
        switch record.kind {
        case .put, .delete, .syncState:
            guard let name = content.collection(of: record) else {
                return noteUnserved(record, at: offset)
            }
            let hash = KeyTable.hash(kind: record.keyKind, bytes.extracting(record.key))
            let sequence = content.header.sequence
            try collections[ByteString(name), default: Collection()].note(
                record, hash: hash, offset: offset, sequence: sequence
            ) { other in
                try Self.isKey(
                    of: record, bytes, equalToRecordAt: other, frame: content.offset, log: log)
            }
        case .cursor:
            if let key = record.recordKey(bytes), let name = key.textValue {
                cursors[ByteString(name)] = offset
            }
        case .metadata: break
        default: noteUnserved(record, at: offset)
        }
    }

    private mutating func noteUnserved(_ record: RecordHeader, at offset: UInt64) {
        let range = offset..<offset + UInt64(record.range.count)
        unserved.append(
            LogReceipt.Entry(
                damage: Damage(range: range, cause: .unknownKind), framesBefore: frameCount))
    }

    /// Compares keys where they stand. The other record was verified when it was taken up.
    private static func isKey(
        of record: RecordHeader, _ bytes: RawSpan, equalToRecordAt other: UInt64, frame: UInt64,
        log: some LogBytes
    ) throws -> Bool {
        let length = UInt64(LogLayout.recordHeaderSize + 255 + record.key.count)
        let end = min(other + length, log.size)
        return try log.withBytes(other..<end) { otherBytes in
            RecordHeader.key(in: otherBytes).map { key in
                key.kind == record.keyKind
                    && otherBytes.extracting(key.range).isEqual(to: bytes.extracting(record.key))
            } ?? false
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
    fileprivate mutating func note(
        _ record: RecordHeader, hash: UInt32, offset: UInt64, sequence: UInt64,
        matches: (UInt64) throws -> Bool
    ) throws {
        if record.kind == .syncState {
            try syncStates.set(hash: hash, offset: offset, isDeleted: false, matches: matches)
        } else {
            lastChange = sequence
            try values.set(
                hash: hash, offset: offset, isDeleted: record.kind == .delete, matches: matches)
        }
    }
}
