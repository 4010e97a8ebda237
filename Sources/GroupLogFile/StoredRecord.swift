package import GroupLogFormat

/// A record found by its offset: verified, with what its frame says of it.
package struct StoredRecord: Sendable {
    /// Where it stands in the log.
    package var offset: UInt64
    package var kind: RecordKind
    package var collection: String?
    package var key: RecordKey
    package var sequence: UInt64
    /// The sequence of the commit since which the key has had a value without a break.
    package var creation: UInt64
    /// Where the newest record of its key until then stands, as its writer knew it; nil where it
    /// did not. See `LogBytes.predecessor(of:salt:contexts:)`.
    package var predecessor: UInt64?
    /// When it was committed, in microseconds since 1970.
    package var time: Int64
    package var author: String?
    /// The frame's names, to which the top keys of an indexed value refer.
    package var names: [String]
    package var isIndexed: Bool
    package var value: [UInt8]

    package init(
        offset: UInt64, kind: RecordKind, collection: String?, key: RecordKey, sequence: UInt64,
        creation: UInt64, time: Int64, author: String?, names: [String], isIndexed: Bool,
        value: [UInt8]
    ) {
        self.offset = offset
        self.kind = kind
        self.collection = collection
        self.key = key
        self.sequence = sequence
        self.creation = creation
        self.time = time
        self.author = author
        self.names = names
        self.isIndexed = isIndexed
        self.value = value
    }
}

/// What frames say of their records, with the last one remembered: records that stand together
/// are mostly read together.
package struct FrameContexts {
    /// A class, since it is handed on for each record.
    package final class Context: Sendable {
        package let header: FrameHeader
        package let head: PayloadHead

        package init(header: FrameHeader, head: PayloadHead) {
            self.header = header
            self.head = head
        }
    }

    private var offset: UInt64 = .max
    private var last: Context?
    /// Frames whose header is gone and that are served by their spare: offset to length.
    package var rescued: [UInt64: Int] = [:]
    /// The name tables that were read before.
    package var knownNames = KnownNames()
    /// The log, read in large pieces.
    package let window: RecordWindow?

    package init(_ window: RecordWindow? = nil) { self.window = window }

    package mutating func context(
        ofFrameAt frame: UInt64, in log: some LogBytes, salt: UInt64
    ) throws -> Context {
        if frame == offset, let last { return last }
        let context = try read(frame, in: log, salt: salt)
        offset = frame
        last = context
        return context
    }

    private mutating func read(
        _ frame: UInt64, in log: some LogBytes, salt: UInt64
    ) throws -> Context {
        if let header = try log.frameHeader(at: frame, salt: salt),
            let head = try log.payloadHead(
                of: header, at: frame, salt: salt, knowing: &knownNames)
        {
            return Context(header: header, head: head)
        }
        guard let length = rescued[frame], frame + UInt64(length) <= log.size,
            let content = try log.withBytes(
                frame..<frame + UInt64(length),
                { FrameContent.rescue($0, length: length, offset: frame, salt: salt) })
        else {
            throw FormatError(
                .badChecksum, "the frame that holds the record is damaged", offset: frame)
        }
        return Context(header: content.header, head: content.head)
    }
}

extension LogBytes {
    /// The head of a frame's payload; nil where it does not verify.
    func payloadHead(
        of header: FrameHeader, at frame: UInt64, salt: UInt64, knowing names: inout KnownNames
    ) throws -> PayloadHead? {
        let start = frame + UInt64(LogLayout.frameHeaderSize)
        let end = frame + UInt64(header.length)
        guard end <= size else { return nil }
        guard let length = try withBytes(start..<start + 16, { PayloadHead.size($0, at: 0) }),
            UInt64(length) <= end - start
        else { return nil }
        return try withBytes(start..<start + UInt64(length)) {
            PayloadHead.verified($0, frameOffset: frame, salt: salt, knowing: &names)
        }
    }

    /// Reads the record at an offset whole.
    package func storedRecord(
        at offset: UInt64, salt: UInt64, contexts: inout FrameContexts
    ) throws -> StoredRecord {
        try withFramedRecord(at: offset, salt: salt, &contexts) { bytes, header, context in
            guard let record = StoredRecord(bytes, header, at: offset, context: context) else {
                throw FormatError(
                    .malformed, "the record's key or provenance is malformed", offset: offset)
            }
            return record
        }
    }

    /// The record that another one replaced or ended, if its writer named it, it is whole, and it is
    /// one of the same key.
    package func predecessor(
        of record: StoredRecord, salt: UInt64, contexts: inout FrameContexts
    ) throws -> StoredRecord? {
        guard let offset = record.predecessor else { return nil }
        do {
            let older = try storedRecord(at: offset, salt: salt, contexts: &contexts)
            let isSameKey =
                older.key == record.key
                && older.collection.map(ByteString.init) == record.collection.map(ByteString.init)
            return isSameKey && [.put, .delete].contains(older.kind) ? older : nil
        } catch is FormatError {
            return nil
        }
    }
}

extension StoredRecord {
    /// Puts together a record and its frame; nil where the key or the provenance is malformed.
    package init?(
        _ bytes: RawSpan, _ header: RecordHeader, at offset: UInt64,
        context: FrameContexts.Context
    ) {
        guard let key = header.recordKey(bytes) else { return nil }
        let names = context.head.names
        func name(_ index: UInt16) -> String? {
            Int(index) < names.count ? names[Int(index)] : nil
        }
        guard let provenance = Provenance.of(header, bytes, frame: context.header) else {
            return nil
        }
        self.offset = offset
        kind = header.kind
        collection = header.collection.flatMap(name)
        self.key = key
        sequence = provenance.sequence
        creation = provenance.creation
        time = provenance.time
        let distance = provenance.predecessorDistance
        predecessor =
            distance > 0 && offset >= LogLayout.firstFrameOffset + distance
            ? offset - distance : nil
        author = header.provenance.isEmpty ? context.head.author : provenance.author.flatMap(name)
        self.names = names
        isIndexed = header.flags.contains(.indexed)
        value = bytes.copy(header.value)
    }
}
