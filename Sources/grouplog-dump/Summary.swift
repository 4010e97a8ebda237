import GroupLogFormat
import ToolSupport

/// What a whole log comes to.
struct Summary {
    private(set) var frames = 0
    private(set) var records = 0
    private(set) var kinds: [RecordKind: Int] = [:]
    private(set) var authors: [ByteString?: Int] = [:]
    private(set) var replay = Replay()
    private(set) var frameRange: Range<UInt64>?
    private(set) var sequences: ClosedRange<UInt64>?
    private(set) var times: ClosedRange<Int64>?
    private(set) var findings: [Finding] = []
    private(set) var damageCount = 0
    private(set) var damagedBytes: UInt64 = 0
    private(set) var slack: Range<UInt64>?

    /// A log that is damaged all over must not fill the memory and the screen.
    private static let findingLimit = 20

    init(_ scan: LogScan) throws {
        let headers = scan.source.headers
        for copy in headers.copies {
            if let fault = copy.fault { note(Finding(fault, copy.range)) }
        }
        try scan.forEach { part in
            switch part {
            case .header, .gap: break
            case .frame(let content):
                for damage in content.damage { note(Finding(damage)) }
                try scan.source.bytes.withBytes(part.range) { count(content, $0) }
            case .damage(let damage): note(Finding(damage))
            case .unfinished(let range): note(Finding(unfinished: range))
            case .slack(let range): slack = range
            }
            return true
        }
    }

    private mutating func note(_ finding: Finding) {
        if finding.weight == .damage {
            damageCount += 1
            damagedBytes += UInt64(finding.range.count)
        }
        if findings.count < Self.findingLimit || finding.weight == .note {
            findings.append(finding)
        }
    }

    private mutating func count(_ content: FrameContent, _ bytes: RawSpan) {
        frames += 1
        let header = content.header
        frameRange = (frameRange?.lowerBound ?? content.offset)..<content.end
        sequences = .widening(sequences, by: header.sequence)
        times = .widening(times, by: header.time)
        for record in content.records {
            records += 1
            kinds[record.kind, default: 0] += 1
            let author = content.author(bytes, of: record)
            authors[author.map { ByteString($0) }, default: 0] += 1
            _ = replay.apply(record, of: content, bytes)
        }
    }

    /// The kinds that occur, by number.
    var sortedKinds: [(kind: RecordKind, count: Int)] {
        kinds.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key, $0.value) }
    }

    /// The authors, the busiest first.
    var sortedAuthors: [(name: String?, records: Int)] {
        authors.sorted { a, b in
            if a.value != b.value { return a.value > b.value }
            guard let first = a.key, let second = b.key else { return a.key == nil }
            return first < second
        }.map { ($0.key?.text, $0.value) }
    }
}

extension ClosedRange {
    /// The range with the value inside.
    fileprivate static func widening(_ range: Self?, by value: Bound) -> Self {
        guard let range else { return value...value }
        return Swift.min(range.lowerBound, value)...Swift.max(range.upperBound, value)
    }
}
