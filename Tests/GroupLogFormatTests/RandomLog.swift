import TestSupport
import Testing

@testable import GroupLogFormat

/// A log of random frames, with what a reader must make of it.
struct RandomLog {
    /// A record as a reader should find it.
    struct Record: Hashable {
        var kind: UInt8
        var collection: [UInt8]?
        var key: RecordKey
        var value: [UInt8]
        var isIndexed: Bool
        var sequence: UInt64
        var time: Int64
        var creation: UInt64
        var author: [UInt8]?
    }

    static let names = ["items", "caf\u{E9}", "cafe\u{301}", "$values", "", "a\0b", "日本語"]

    let salt: UInt64
    private(set) var bytes: [UInt8]
    private(set) var records: [Record] = []
    /// Where each frame begins and ends.
    private(set) var frames: [Range<Int>] = []
    private var sequence: UInt64

    init(frames count: Int, using random: inout SeededGenerator) throws {
        salt = random.next()
        sequence = random.next() >> UInt64.random(in: 2..<60, using: &random)
        bytes = LogHeader(
            storeID: StoreID(
                bytes: (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }),
            generation: 1, salt: salt
        ).encodedPreamble()
        for _ in 0..<count { try append(using: &random) }
    }

    private mutating func append(using random: inout SeededGenerator) throws {
        let flags: FrameFlags =
            [[], [], .independent, [.independent, .compacted], .quiet]
            .randomElement(using: &random) ?? []
        let author = Bool.random(using: &random) ? Self.names.randomElement(using: &random) : nil
        var frame = FrameBuilder(author: author, flags: flags, leadingNames: ["title"])
        let time = Int64(bitPattern: random.next())
        for _ in 0..<Int.random(in: 0...12, using: &random) {
            var record = Record(
                kind: [1, 1, 1, 2, 3, 4, 5, 99].randomElement(using: &random) ?? 1,
                collection: nil, key: Self.key(using: &random),
                value: Self.bytes(upTo: 300, using: &random),
                isIndexed: Bool.random(using: &random), sequence: sequence, time: time,
                creation: sequence, author: author.map { Array($0.utf8) })
            var origin = FrameBuilder.Origin.new
            if flags.contains(.compacted) || Int.random(in: 0..<4, using: &random) == 0 {
                let name = Self.names.randomElement(using: &random) ?? ""
                record.sequence = sequence - random.next() % (sequence + 1)
                record.creation = record.sequence - random.next() % (record.sequence + 1)
                record.time = Int64(bitPattern: random.next())
                record.author = Array(name.utf8)
                origin = .copied(
                    Provenance(
                        sequence: record.sequence, time: record.time,
                        author: frame.index(ofName: name), creation: record.creation))
            }
            let collection =
                Bool.random(using: &random)
                ? Self.names.randomElement(using: &random) : nil
            record.collection = collection.map { Array($0.utf8) }
            try frame.append(
                kind: RecordKind(rawValue: record.kind), collection: collection, key: record.key,
                content: .init(bytes: record.value, isIndexed: record.isIndexed), origin: origin)
            records.append(record)
        }
        let start = bytes.count
        bytes += try frame.sealed(
            sequence: sequence, time: time, offset: UInt64(start), salt: salt)
        frames.append(start..<bytes.count)
        sequence += 1
    }

    static func bytes(upTo count: Int, using random: inout SeededGenerator) -> [UInt8] {
        (0..<Int.random(in: 0...count, using: &random)).map { _ in
            // Markers, ends and zeros, in which a reader could lose its way.
            Bool.random(using: &random)
                ? [0xF1, 0x47, 0xE7, 0].randomElement(using: &random) ?? 0
                : UInt8.random(in: 0...255, using: &random)
        }
    }

    private static func key(using random: inout SeededGenerator) -> RecordKey {
        let bytes = bytes(upTo: 40, using: &random)
        return RecordKey(kind: .bytes, bytes: bytes)
            ?? RecordKey(integer: Int64(bitPattern: random.next()))
    }
}

extension RandomLog {
    /// What a walk over some bytes of this log's salt finds. The walk itself is held to its rules:
    /// each step begins where the one before ended, and inside the bytes.
    static func read(_ bytes: [UInt8], salt: UInt64) throws -> (records: [Record], isWhole: Bool) {
        var walker = LogWalker(LogBytesInMemory(bytes), salt: salt)
        var records: [Record] = []
        var isWhole = true
        var position = LogLayout.firstFrameOffset
        while true {
            switch try walker.next() {
            case .frame(let content):
                try #require(content.offset == position && content.end <= UInt64(bytes.count))
                position = content.end
                let frame = Array(bytes[Int(content.offset)..<Int(content.end)])
                records += content.records.compactMap { record(of: $0, in: content, frame) }
                if !content.damage.isEmpty { isWhole = false }
            case .damage(let damage):
                try #require(damage.range.lowerBound == position && !damage.range.isEmpty)
                position = damage.range.upperBound
                try #require(position <= UInt64(bytes.count))
                isWhole = false
            case .unfinished(let range):
                try #require(range.lowerBound == position && !range.isEmpty)
                try #require(range.upperBound <= UInt64(bytes.count))
                return (records, false)
            case .end: return (records, isWhole)
            }
        }
    }

    private static func record(
        of header: RecordHeader, in content: FrameContent, _ frame: [UInt8]
    ) -> Record? {
        let bytes = unsafe frame.span.bytes
        guard let key = header.recordKey(bytes),
            let provenance = content.provenance(bytes, of: header)
        else { return nil }
        return Record(
            kind: header.kind.rawValue,
            collection: content.collection(of: header).map { Array($0.utf8) }, key: key,
            value: bytes.copy(header.value), isIndexed: header.flags.contains(.indexed),
            sequence: provenance.sequence, time: provenance.time, creation: provenance.creation,
            author: content.author(bytes, of: header).map { Array($0.utf8) })
    }
}
