import Testing

@testable import GroupLogFormat

/// A log built from fixed facts: the same bytes each time.
struct FixtureLog {
    static let salt: UInt64 = 0x0123_4567_89AB_CDEF
    /// 2026-01-02T03:04:05.000006Z.
    static let time: Int64 = 1_767_323_045_000_006
    static let firstFrame = Int(LogLayout.firstFrameOffset)
    /// The key with which most of the fixtures' records begin.
    static let key = RecordKey(
        uuid: (
            0x6B, 0xA7, 0xB8, 0x10, 0x9D, 0xAD, 0x41, 0xD1,
            0x80, 0xB4, 0x00, 0xC0, 0x4F, 0xD4, 0x30, 0xC8
        ))

    var bytes: [UInt8]
    /// Where each frame begins.
    var frames: [Int] = []
    private let salt: UInt64
    private var sequence: UInt64
    private var commits = 0

    init(generation: UInt64 = 1, salt: UInt64 = salt, firstSequence: UInt64 = 1) {
        self.salt = salt
        sequence = firstSequence
        bytes = LogHeader(
            storeID: StoreID(bytes: Array(0x10..<0x20)), generation: generation, salt: salt
        ).encodedPreamble()
    }

    /// Seals a frame at the end of the log, a second after the one before.
    mutating func append(_ frame: FrameBuilder, sequence other: UInt64? = nil) throws {
        if let other { sequence = other }
        frames.append(bytes.count)
        bytes += try frame.sealed(
            sequence: sequence, time: Self.time + Int64(commits) * 1_000_000,
            offset: UInt64(bytes.count), salt: salt)
        commits += 1
        sequence += 1
    }

    func withSlack() -> [UInt8] { bytes + [UInt8](repeating: 0, count: 64) }

    func flipped(_ offset: Int, _ bit: UInt8 = 0) -> [UInt8] {
        var result = withSlack()
        result[offset] ^= 1 << bit
        return result
    }

    /// A frame of the author `app` whose fields are `title` and `createdAt`.
    static func frame(_ flags: FrameFlags = [], author: String? = "app") -> FrameBuilder {
        FrameBuilder(author: author, flags: flags, leadingNames: ["items", "title", "createdAt"])
    }

    /// `{1: title, 2: 2026-01-02T03:04:05Z}`.
    static func value(_ title: String) -> FrameBuilder.Content {
        var writer = CBORWriter()
        writer.mapHead(2)
        writer.unsigned(1)
        writer.text(title)
        writer.unsigned(2)
        writer.tag(44225)
        writer.double(789_015_845)
        return .init(bytes: writer.bytes, isIndexed: true)
    }

    static func key(_ text: String) throws -> RecordKey { try #require(RecordKey(text: text)) }
}

extension FixtureLog {
    /// All fixtures of the newest version, by the names of their files.
    static func all() throws -> [(name: String, bytes: [UInt8])] {
        let one = try oneRecord()
        let transaction = try transaction()
        let independent = try independent()
        var cut = transaction.withSlack()
        cut.replaceSubrange(
            transaction.frames[1] + 40..<cut.count, with: [UInt8](repeating: 0, count: 64))
        var hole = independent.withSlack()
        hole.replaceSubrange(
            independent.frames[0]..<independent.frames[1],
            with: repeatElement(0, count: independent.frames[1] - independent.frames[0]))
        var noFirst = one.withSlack()
        noFirst.replaceSubrange(0..<64, with: repeatElement(0, count: 64))
        return [
            ("empty", FixtureLog().withSlack()),
            ("one-record", one.withSlack()),
            ("transaction", transaction.withSlack()),
            ("independent", independent.withSlack()),
            ("compacted", try compacted().withSlack()),
            ("closed", try closed().withSlack()),
            ("unknown-kind", try unknownKind().withSlack()),
            ("torn-tail", cut),
            ("hole", hole),
            ("no-first-header", noFirst),
            ("damaged-transaction", transaction.flipped(transaction.frames[1] + 120)),
            ("damaged-record", independent.flipped(independent.frames[0] + 130, 3)),
            ("damaged-header", independent.flipped(independent.frames[0] + 9, 7)),
            ("damaged-trailer", independent.flipped(independent.frames[1] - 1, 5)),
            ("damaged-end", transaction.flipped(transaction.bytes.count - 3)),
        ]
    }

    private static func oneRecord() throws -> FixtureLog {
        var log = FixtureLog()
        var frame = frame()
        try frame.append(kind: .put, collection: "items", key: key, content: value("Café"))
        try log.append(frame)
        return log
    }

    /// A record, then a transaction that edits it, adds another and deletes a third.
    private static func transaction() throws -> FixtureLog {
        var log = try oneRecord()
        var frame = frame(author: "share-extension")
        try frame.append(
            kind: .put, collection: "items", key: key, content: value("Tea"), origin: .createdAt(1))
        try frame.append(
            kind: .put, collection: "$values", key: try key("theme"),
            content: .init(bytes: [0x64, 0x64, 0x61, 0x72, 0x6B], isIndexed: false))
        try frame.append(kind: .delete, collection: "items", key: RecordKey(integer: -7))
        try log.append(frame)
        return log
    }

    /// Two independent frames, the first of three records.
    private static func independent() throws -> FixtureLog {
        var log = FixtureLog()
        var frame = frame(.independent, author: nil)
        for title in ["a", "b", "c"] {
            try frame.append(
                kind: .put, collection: "items", key: try key(title), content: value(title))
        }
        try log.append(frame)
        var second = Self.frame(.independent)
        try second.append(
            kind: .put, collection: "items",
            key: try #require(RecordKey(kind: .bytes, bytes: [0, 0xFF])), content: value("d"))
        try log.append(second)
        return log
    }

    /// The log of a second generation: copied records, the mark, and two commits after it.
    private static func compacted() throws -> FixtureLog {
        var log = FixtureLog(generation: 2, salt: 0xFEDC_BA98_7654_3210)
        var copied = frame([.independent, .compacted], author: nil)
        let author = copied.index(ofName: "app")
        try copied.append(
            kind: .put, collection: "items", key: key, content: value("Tea"),
            origin: .copied(
                Provenance(sequence: 300, time: time - 90_000_000, author: author, creation: 1)))
        try copied.append(
            kind: .delete, collection: "items", key: try key("gone"),
            origin: .copied(
                Provenance(sequence: 299, time: time + 5, author: nil, creation: 299)))
        try log.append(copied, sequence: 300)
        var mark = FrameBuilder(author: nil, flags: [.compacted, .mark, .quiet])
        let content = MarkContent(
            lastSequence: 302, completeSince: 298, firstCommit: 300,
            checksums: [0x1122_3344, 0, 0xDEAD_BEEF],
            cursors: [.init(name: "uploader", sequence: 300, checksum: 0x1122_3344)])
        try mark.append(
            kind: .metadata, collection: nil, key: .mark,
            content: .init(bytes: content.encoded(), isIndexed: false))
        try log.append(mark, sequence: 302)
        var sync = frame(.quiet, author: "uploader")
        try sync.append(
            kind: .syncState, collection: "items", key: key,
            content: .init(
                bytes: SyncStateContent(
                    sentSequence: 300, state: .pending, attempts: 1, nextTry: time + 60_000_000,
                    claim: .init(owner: "app 17", until: time + 30_000_000), reason: "offline"
                ).encoded(), isIndexed: false))
        try sync.append(
            kind: .cursor, collection: nil, key: try key("uploader"),
            content: .init(
                bytes: CursorContent(sequence: 302, checksum: 0xDEAD_BEEF, updated: time)
                    .encoded(), isIndexed: false))
        try log.append(sync)
        var commit = frame()
        try commit.append(
            kind: .put, collection: "items", key: try key("new"), content: value("Milk"))
        try log.append(commit)
        return log
    }

    /// A log that another generation has replaced.
    private static func closed() throws -> FixtureLog {
        var log = try oneRecord()
        var closing = FrameBuilder(author: nil, flags: [.quiet, .closing])
        try closing.append(
            kind: .metadata, collection: nil, key: .replaced,
            content: .init(
                bytes: ReplacementContent(generation: 2).encoded(), isIndexed: false))
        try log.append(closing)
        return log
    }

    private static func unknownKind() throws -> FixtureLog {
        var log = FixtureLog()
        var frame = frame()
        try frame.append(kind: .put, collection: "items", key: try key("a"), content: value("a"))
        try frame.append(
            kind: RecordKind(rawValue: 200), collection: nil, key: try key("?"),
            content: .init(bytes: [1, 2, 3], isIndexed: false))
        try frame.append(kind: .put, collection: "items", key: try key("b"), content: value("b"))
        try log.append(frame)
        return log
    }
}
