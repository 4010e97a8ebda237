/// Carries the records of one log over into a compacted one, frame by frame in their order, and
/// gathers on the way what the mark has to say.
///
/// It keeps nothing per record, so that it takes as little memory for a large log as for a small
/// one.
package struct LogCopy {
    package var target: CompactedLog
    private let salt: UInt64
    /// The last sequence of what is forgotten, so that the history before it is not whole.
    private var completeSince: UInt64
    /// Consumers that have not come so far are retired.
    private let forgottenSequence: UInt64
    private var isBehindDamage = false
    private var commits = CommitChecksums()
    private var cursors: [ByteString: CursorContent] = [:]
    private var translation = NameTranslation()

    /// - Parameters:
    ///   - salt: of the log that is copied.
    ///   - forgottenSequence: the last sequence of a tombstone that is left out; 0 where none is.
    package init(ofLogWith salt: UInt64, to target: CompactedLog, forgottenSequence: UInt64 = 0) {
        self.target = target
        self.forgottenSequence = forgottenSequence
        self.salt = salt
        completeSince = forgottenSequence
    }

    /// Carries over the records of a frame, but for those that are left out.
    package mutating func add(
        _ content: FrameContent, _ bytes: RawSpan,
        leavingOut isLeftOut: (CopiedRecord) throws -> Bool = { _ in false }
    ) throws {
        note(content)
        for record in content.records {
            let offset = content.offset + UInt64(record.range.lowerBound)
            if record.kind == .metadata {
                takeUp(record, bytes, of: content)
            } else if let copied = CopiedRecord(record, bytes, at: offset, of: content),
                try !isLeftOut(copied)
            {
                try add(copied, record, bytes, of: content)
            }
        }
    }

    /// Notes that something is missing before the next frame.
    package mutating func noteDamage() { isBehindDamage = true }

    /// Notes the frame as a commit, and that damage before or in it has cost what nobody knows.
    private mutating func note(_ content: FrameContent) {
        let sequence = content.header.sequence
        if isBehindDamage, sequence > 0 { completeSince = max(completeSince, sequence - 1) }
        isBehindDamage = false
        if content.damage.contains(where: { $0.lostRecords != 0 }) {
            completeSince = max(completeSince, sequence)
        }
        guard !content.header.flags.contains(.compacted) else { return }
        let isHeaderKnown = !content.damage.contains { $0.cause == .badHeader }
        commits.note(isHeaderKnown ? content.header.checksum : nil, ofCommit: sequence)
    }

    private mutating func takeUp(
        _ record: RecordHeader, _ bytes: RawSpan, of content: FrameContent
    ) {
        guard content.header.flags.contains(.mark), record.recordKey(bytes) == .mark else { return }
        do throws(FormatError) {
            let mark = try MarkContent.decode(bytes.extracting(record.value))
            guard mark.lastSequence <= content.header.sequence else {
                throw FormatError(.malformed, "the mark is ahead of its frame", offset: 0)
            }
            commits.takeUp(mark)
            completeSince = max(completeSince, mark.completeSince)
        } catch {
            // What it knew of earlier times is lost.
            completeSince = max(completeSince, content.header.sequence)
        }
    }

    private mutating func add(
        _ copied: CopiedRecord, _ record: RecordHeader, _ bytes: RawSpan, of content: FrameContent
    ) throws {
        let cursor = record.kind == .cursor ? retiring(copied.key, bytes, record) : nil
        try target.add(record.kind, copied.key, in: copied.collection) { builder, number in
            translation.begin(content, salt: salt, target: number, &builder)
            if let collection = copied.collection { _ = builder.index(ofName: collection) }
            var provenance = copied.provenance
            provenance.author = copied.author.flatMap { builder.index(ofName: $0) }
            // What it replaced is not copied, or stands elsewhere.
            provenance.predecessorDistance = 0
            let value =
                cursor.map { .init(bytes: $0.encoded(), isIndexed: false) }
                ?? translation.content(of: record, bytes, in: &builder)
            return (value, .copied(provenance))
        }
    }

    /// The cursor of a record, retired where it has not come as far as what is forgotten; nil for
    /// what is none, which is copied as it is.
    private mutating func retiring(
        _ key: RecordKey, _ bytes: RawSpan, _ record: RecordHeader
    ) -> CursorContent? {
        guard let name = key.textValue else { return nil }
        do throws(FormatError) {
            var cursor = try CursorContent.decode(bytes.extracting(record.value))
            if cursor.sequence < forgottenSequence { cursor.isRetired = true }
            cursors[ByteString(name)] = cursor
            return cursor
        } catch {
            return nil
        }
    }

    /// Ends the compacted log with its mark. Gives its end; the bytes have still to be taken.
    package mutating func finish(lastSequence: UInt64, time: Int64) throws -> LogTail {
        let (firstCommit, checksums) = commits.newest()
        // Rising sequences are the rule; a log that breaks it must not break its mark.
        let lastSequence = max(lastSequence, commits.last, target.sequence)
        if isBehindDamage { completeSince = lastSequence }
        let mark = MarkContent(
            lastSequence: lastSequence, completeSince: completeSince, firstCommit: firstCommit,
            checksums: checksums,
            cursors: cursors.sorted { $0.key < $1.key }.map {
                .init(name: $0.key.text, sequence: $0.value.sequence, checksum: $0.value.checksum)
            })
        return try target.finish(mark, time: time)
    }
}

/// A record that can be copied: with all that its frame says of it.
package struct CopiedRecord {
    package var kind: RecordKind
    package var offset: UInt64
    package var collection: String?
    package var key: RecordKey
    var provenance: Provenance
    var author: String?

    /// Nil for what a reader does not serve either: of another kind, or malformed.
    init?(_ record: RecordHeader, _ bytes: RawSpan, at offset: UInt64, of content: FrameContent) {
        guard [.put, .delete, .syncState, .cursor].contains(record.kind),
            let key = record.recordKey(bytes),
            let provenance = content.provenance(bytes, of: record)
        else { return nil }
        collection = content.collection(of: record)
        guard collection != nil || record.kind == .cursor else { return nil }
        kind = record.kind
        self.offset = offset
        self.key = key
        self.provenance = provenance
        author = content.author(bytes, of: record)
    }
}
