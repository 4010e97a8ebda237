import GroupLogFormat
import ToolSupport

/// `grouplog-dump diff`.
enum DiffCommand {
    private static let other = Argument<String>(
        "other", "The log that it is compared with.", as: .file)

    static let command = Command(
        "diff",
        abstract: "Compares what two logs say: which values only one has, or both differently.",
        discussion: """
            Compared are the newest values of all keys, by their fields, and not the bytes: a log \
            and its compacted form do not differ. Only what can be read is compared; 'verify' tells \
            what cannot. Keys and values are told apart by hashes of 64 bits.
            Ends with 0 where there is no difference, and with 1 where there is one.
            JSON: change (first, second or both), collection, keyType, key, offset and sequence in \
            the first log, otherOffset and otherSequence in the second.
            """,
        examples: [
            .init("With a backup", "grouplog-dump diff ~/backup.grouplog ~/notes.grouplog")
        ],
        arguments: [DumpOptions.log, other]
    ) { invocation in
        let first = try LogSource(path: invocation[DumpOptions.log])
        let second = try LogSource(path: invocation[other])
        let firstRecords = try LiveRecords(of: first, invocation)
        let secondRecords = try LiveRecords(of: second, invocation)
        var rows = Rows<Difference>(invocation)
        var count = 0
        try forEachLive(firstRecords, in: first) { hash, holder, key in
            let there = secondRecords.holders[hash]
            guard there?.valueHash != holder.valueHash else { return }
            count += 1
            _ = try rows.add(
                Difference(change: there == nil ? .first : .both, key, holder, there))
        }
        try forEachLive(secondRecords, in: second) { hash, holder, key in
            guard firstRecords.holders[hash] == nil else { return }
            count += 1
            _ = try rows.add(Difference(change: .second, key, nil, holder))
        }
        try rows.finish()
        return count == 0 ? .done : .notFound
    }

    /// Visits the values that a log has, in the order in which they stand.
    private static func forEachLive(
        _ live: LiveRecords, in source: LogSource,
        _ visit: (UInt64, LiveRecords.Holder, Difference.Key) throws -> Void
    ) throws {
        try LogScan(source).forEach { part in
            guard case .frame(let content) = part else { return true }
            try source.bytes.withBytes(part.range) { bytes in
                for record in content.records where record.kind == .put {
                    let offset = content.offset + UInt64(record.range.lowerBound)
                    guard let hash = LiveRecords.hash(record, of: content, bytes),
                        let holder = live.holders[hash], holder.offset == offset
                    else { continue }
                    try visit(hash, holder, Difference.Key(record, of: content, bytes))
                }
            }
            return true
        }
    }
}

/// A value that only one of two logs has, or both differently.
private struct Difference: Row {
    enum Change: String {
        case first, second, both
    }

    struct Key {
        var collection: String
        var kind: UInt8
        var text: String
        var key: RecordKey?

        init(_ record: RecordHeader, of content: FrameContent, _ bytes: RawSpan) {
            collection = content.collection(of: record) ?? ""
            kind = record.keyKind
            text = Naming.key(kind: record.keyKind, bytes.extracting(record.key))
            key = record.recordKey(bytes)
        }
    }

    private let change: Change
    private let key: Key
    private let first: LiveRecords.Holder?
    private let second: LiveRecords.Holder?

    init(
        change: Change, _ key: Key, _ first: LiveRecords.Holder?, _ second: LiveRecords.Holder?
    ) {
        self.change = change
        self.key = key
        self.first = first
        self.second = second
    }

    static var columns: [Table.Column] {
        [
            .init("in"), .init("collection"), .init("key"), .init("offset", alignsRight: true),
            .init("sequence", alignsRight: true), .init("other offset", alignsRight: true),
            .init("other sequence", alignsRight: true),
        ]
    }

    var cells: [Table.Cell] {
        [
            .init(change.rawValue), .init(key.collection), .init(key.text),
            .init(first.map { "\($0.offset)" } ?? ""), .init(first.map { "\($0.sequence)" } ?? ""),
            .init(second.map { "\($0.offset)" } ?? ""),
            .init(second.map { "\($0.sequence)" } ?? ""),
        ]
    }

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("change", change.rawValue)
        writer.member("collection", key.collection)
        writer.member("keyType", Naming.keyKind(key.kind))
        writer.member("key", key: key.key)
        writer.member("offset", first?.offset)
        writer.member("sequence", first?.sequence)
        writer.member("otherOffset", second?.offset)
        writer.member("otherSequence", second?.sequence)
        writer.endObject()
    }
}
