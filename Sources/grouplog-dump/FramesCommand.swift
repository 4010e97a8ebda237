import GroupLogFormat
import ToolSupport

/// `grouplog-dump frames`.
enum FramesCommand {
    static let command = Command(
        "frames", abstract: "Lists the frames of a log, a line each, and all that is between them.",
        discussion: """
            Damage, an unfinished write and the zeros at the end have lines too, so that the lines \
            account for every byte behind the log's header.
            JSON: part (frame, damage, unfinished or slack), offset, length, sequence, time, date, \
            flags, recordCount, author, findings (as 'verify' prints them).
            """,
        examples: [
            .init(
                "The frames of the first MiB", "grouplog-dump frames --to 0x100000 notes.grouplog")
        ],
        arguments: [DumpOptions.log],
        options: [DumpOptions.from, DumpOptions.to, DumpOptions.limit]
    ) { invocation in
        let source = try LogSource(path: invocation[DumpOptions.log])
        var rows = Rows<Line>(invocation, limit: invocation[DumpOptions.limit])
        var scan = LogScan(source)
        scan.range = DumpOptions.range(invocation)
        try scan.forEach { part in
            guard let line = try line(part, of: source) else { return true }
            return try rows.add(line)
        }
        try rows.finish()
        return .done
    }

    /// What one line tells. What it leaves out is not known, or has no meaning.
    struct Line {
        enum Part: String { case frame, damage, unfinished, slack }

        var part: Part
        var range: Range<UInt64>
        var header: FrameHeader?
        var recordCount: Int?
        var author: String?
        var findings: [Finding] = []
    }

    private static func line(_ part: LogPart, of source: LogSource) throws -> Line? {
        switch part {
        case .header, .gap: return nil
        case .frame(let content):
            return Line(
                part: .frame, range: part.range, header: content.header,
                recordCount: content.head.recordCount, author: content.head.author,
                findings: content.damage.map { Finding($0) })
        case .damage(let damage):
            var line = Line(part: .damage, range: damage.range, findings: [Finding(damage)])
            guard damage.cause == .badPayload else { return line }
            let inspection = try FrameInspection(damage.range, of: source)
            line.header = inspection.header
            line.recordCount = inspection.head?.recordCount
            line.author = inspection.head?.author
            return line
        case .unfinished(let range):
            return Line(part: .unfinished, range: range, findings: [Finding(unfinished: range)])
        case .slack(let range): return Line(part: .slack, range: range)
        }
    }
}

extension FramesCommand.Line: Row {
    static var columns: [Table.Column] {
        [
            .init("offset", alignsRight: true), .init("length", alignsRight: true),
            .init("sequence", alignsRight: true), .init("time"), .init("flags"),
            .init("records", alignsRight: true), .init("author"), .init("state", shrinks: true),
        ]
    }

    var cells: [Table.Cell] {
        [
            .init("\(range.lowerBound)"), .init("\(range.upperBound - range.lowerBound)"),
            .init(header.map { "\($0.sequence)" } ?? ""),
            .init(header.map { Naming.date($0.time) } ?? ""),
            .init(header?.flags.names.joined(separator: ",") ?? ""),
            .init(recordCount.map { "\($0)" } ?? ""), .init(author ?? ""),
            .init(state, colour),
        ]
    }

    private var state: String {
        if part == .slack { return "slack" }
        return findings.isEmpty ? "good" : findings.map(\.text).joined(separator: "; ")
    }

    private var colour: Style.Colour {
        switch part {
        case .slack: .dim
        case .unfinished: .yellow
        case .frame, .damage: findings.isEmpty ? .green : .red
        }
    }

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("part", part.rawValue)
        writer.members(of: range)
        writer.member("sequence", header?.sequence)
        writer.member("time", header?.time)
        writer.member("date", header.map { Naming.date($0.time) })
        writer.key("flags")
        writer.beginArray()
        for name in header?.flags.names ?? [] { writer.string(name) }
        writer.endArray()
        writer.member("recordCount", recordCount)
        writer.member("author", author)
        writer.key("findings")
        writer.beginArray()
        for finding in findings { finding.write(to: &writer) }
        writer.endArray()
        writer.endObject()
    }
}
