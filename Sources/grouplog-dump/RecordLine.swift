import GroupLogFormat
import ToolSupport

extension RecordsCommand {
    /// What one line tells: of a record, or of bytes in which none can be read.
    struct Line {
        var range: Range<UInt64>
        /// "good", or why nobody is served it.
        var state: String
        /// Where the record's frame begins.
        var frame: UInt64?
        var kind: RecordKind?
        var flags: RecordFlags = []
        var collection: String?
        var keyKind: UInt8?
        var keyBytes: [UInt8] = []
        /// The key as people read it.
        var key: String?
        var recordKey: RecordKey?
        var provenance: Provenance?
        var author: String?
        var value: RecordValue?
    }
}

extension RecordsCommand.Line {
    /// Bytes in which no record can be read.
    init(_ range: Range<UInt64>, state: String) {
        self.range = range
        self.state = state
    }

    /// A damaged record of a frame that is served; what can be read of it is a hint.
    init(_ damage: Damage, of content: FrameContent, _ bytes: RawSpan) {
        self.init(damage.range, state: damage.cause.rawValue)
        guard damage.cause == .badRecord else { return }
        let start = Int(damage.range.lowerBound - content.offset)
        let end = min(bytes.byteCount, start + damage.range.count)
        self.frame = content.offset
        guard let record = RecordHeader.decode(bytes, in: start..<end) else { return }
        take(record, bytes, head: content.head, frame: content.header)
    }

    /// A record that is served.
    init(_ record: RecordHeader, of content: FrameContent, _ bytes: RawSpan) {
        let start = content.offset + UInt64(record.range.lowerBound)
        self.init(start..<start + UInt64(record.range.count), state: "good")
        frame = content.offset
        take(record, bytes, head: content.head, frame: content.header)
    }

    /// A record of a frame that is not served.
    init(_ record: FrameInspection.Record, of frame: FrameInspection, _ bytes: RawSpan) {
        self.init(
            frame.logRange(record.header.range),
            state: record.isIntact ? "not served" : Damage.Cause.badRecord.rawValue)
        self.frame = frame.offset
        take(record.header, bytes, head: frame.head, frame: frame.header)
    }

    private mutating func take(
        _ record: RecordHeader, _ bytes: RawSpan, head: PayloadHead?, frame: FrameHeader?
    ) {
        let names = head?.names ?? []
        func name(_ index: UInt16?) -> String? {
            index.flatMap { Int($0) < names.count ? names[Int($0)] : nil }
        }
        kind = record.kind
        flags = record.flags
        collection = name(record.collection)
        keyKind = record.keyKind
        keyBytes = bytes.copy(record.key)
        key = Naming.key(kind: record.keyKind, bytes.extracting(record.key))
        recordKey = record.recordKey(bytes)
        provenance = frame.flatMap { Provenance.of(record, bytes, frame: $0) }
        author = record.provenance.isEmpty ? head?.author : name(provenance?.author)
        value = RecordValue(record, bytes, names: names)
    }
}

extension RecordsCommand.Line: Row {
    static var columns: [Table.Column] {
        [
            .init("offset", alignsRight: true), .init("frame", alignsRight: true),
            .init("sequence", alignsRight: true), .init("kind"), .init("collection"),
            .init("key"), .init("size", alignsRight: true), .init("state"),
            .init("value", shrinks: true),
        ]
    }

    var cells: [Table.Cell] {
        [
            .init("\(range.lowerBound)"), .init(frame.map { "\($0)" } ?? ""),
            .init(provenance.map { "\($0.sequence)" } ?? ""), .init(kind?.description ?? ""),
            .init(collection ?? ""), .init(key ?? ""),
            .init("\(range.upperBound - range.lowerBound)"),
            .init(state, state == "good" ? .green : .red), .init(value?.notation ?? ""),
        ]
    }

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.members(of: range)
        writer.member("state", state)
        writer.member("frame", frame)
        writer.member("kind", kind?.description)
        writer.member("flags", flags.rawValue)
        writer.member("collection", collection)
        writer.member("keyType", keyKind.map { Naming.keyKind($0) })
        writer.member("key", key: recordKey)
        writer.member("sequence", provenance?.sequence)
        writer.member("creation", provenance?.creation)
        writer.member("time", provenance?.time)
        writer.member("date", provenance.map { Naming.date($0.time) })
        writer.member("author", author)
        if let value {
            value.write(to: &writer)
        } else {
            writer.member("value", nil as String?)
        }
        writer.endObject()
    }
}
