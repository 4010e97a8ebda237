import GroupLogFormat
import GroupLogSystem
import TestSupport
import Testing

@testable import GroupLogFile

/// A log of 200 commits of all kinds, the same each time: transactions, independent frames, deletes,
/// long texts, sync states and cursors.
struct MixedLog {
    let volume = MemoryVolume()
    /// What the collection `items` holds behind each frame, and where that ends.
    private(set) var states: [(end: Int, texts: [String: String])] = [(4160, [:])]
    private var random = SeededGenerator(seed: 7)
    private var texts: [String: String] = [:]

    init() throws {
        let writer = volume.writer()
        for index in 0..<200 {
            let (_, commit) = try writer.withLock { try $0.append([next(index)]) }
            states.append((Int(try #require(commit).end), texts))
        }
    }

    /// The log up to the end of its last frame.
    func bytes() throws -> [UInt8] {
        try volume.open(.log, .read, .never).read(0..<UInt64(states[200].end))
    }

    private mutating func next(_ index: Int) throws -> FrameBuilder {
        let kind = Int(random.next() % 20)
        let isQuiet = kind >= 18
        var builder = FrameBuilder(
            author: ["test", "other", nil][index % 3],
            flags: kind < 6 ? .independent : isQuiet ? .quiet : [], leadingNames: ["items"])
        if isQuiet {
            try addQuietRecords(to: &builder, index)
            return builder
        }
        let most = kind == 0 ? 40 : kind < 9 ? 4 : 1
        for part in 0..<1 + Int(random.next() % UInt64(most)) {
            let isDelete = (kind == 9 || kind == 10) && !texts.isEmpty
            let key = isDelete ? texts.keys.sorted()[index % texts.count] : "\(index % 60).\(part)"
            let length = kind == 11 ? 3000 : Int(random.next() % 60)
            let text = "\(index) " + String(repeating: "é", count: length)
            try builder.append(
                kind: isDelete ? .delete : .put, collection: "items",
                key: #require(RecordKey(text: key)),
                content: .init(bytes: isDelete ? [] : Array(text.utf8), isIndexed: false),
                origin: index % 4 == 3 ? .createdAt(UInt64(index / 2)) : .new)
            texts[key] = isDelete ? nil : text
        }
        return builder
    }

    private func addQuietRecords(to builder: inout FrameBuilder, _ index: Int) throws {
        let cursor = CursorContent(
            sequence: UInt64(index), checksum: UInt32(index), updated: Int64(index))
        try builder.append(
            kind: .cursor, collection: nil,
            key: #require(RecordKey(text: "consumer \(index % 3)")),
            content: .init(bytes: cursor.encoded(), isIndexed: false))
        guard let key = texts.keys.min() else { return }
        let state = SyncStateContent(sentSequence: UInt64(index), state: .synced)
        try builder.append(
            kind: .syncState, collection: "items", key: #require(RecordKey(text: key)),
            content: .init(bytes: state.encoded(), isIndexed: false))
    }
}

/// A log of 1,000 records that one import left: independent frames of up to 64 KiB.
func importedLog() throws -> MemoryVolume {
    let volume = MemoryVolume()
    var frames = BulkFrames(author: "import")
    for number in 0..<1000 {
        try frames.add(RecordKey(integer: Int64(number)), in: "items") { frame in
            var writer = CBORWriter()
            writer.mapHead(2)
            let fields = [
                ("title", "record \(number)"),
                ("url", "https://example.com/articles/\(number)/as-of-today"),
            ]
            for (name, text) in fields {
                guard let index = frame.index(ofName: name) else { continue }
                writer.unsigned(UInt64(index))
                try writer.value(.text(text))
            }
            return .init(bytes: writer.bytes, isIndexed: true)
        }
    }
    let pieces = frames.take()
    _ = try volume.writer().withLock { try $0.append(pieces) }
    return volume
}

/// A compacted log of 1,000 records, among them deleted ones, sync states and a cursor.
func compactedLog() throws -> MemoryVolume {
    let volume = try importedLog()
    let writer = volume.writer()
    _ = try writer.withLock { log in
        for number in 0..<100 {
            let key = RecordKey(integer: Int64(number * 10))
            var builder = FrameBuilder(author: "app", flags: number % 2 == 0 ? .quiet : [])
            if number % 2 == 0 {
                let state = SyncStateContent(sentSequence: UInt64(number), state: .failed)
                try builder.append(
                    kind: .syncState, collection: "items", key: key,
                    content: .init(bytes: state.encoded(), isIndexed: false))
            } else {
                try builder.append(kind: .delete, collection: "items", key: key)
            }
            try log.append([builder])
        }
        var builder = FrameBuilder(author: nil, flags: .quiet)
        try builder.append(
            kind: .cursor, collection: nil, key: #require(RecordKey(text: "uploader")),
            content: .init(
                bytes: CursorContent(sequence: 90, checksum: 7, updated: 1).encoded(),
                isIndexed: false))
        try log.append([builder])
    }
    try volume.compact(writer)
    return volume
}
