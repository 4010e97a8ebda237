import GroupLogFormat
import ToolSupport

/// `grouplog-dump stats`.
enum StatsCommand {
    static let command = Command(
        "stats", abstract: "Shows what the bytes of a log are used for.",
        discussion: """
            The uses add up to the size of the log. A value is dead when a later record has taken \
            its place; a compaction would leave it out. Then how long the records are, and how the \
            collections compare.
            JSON: size, bytes (by use), records, recordLengths (upTo, records), collections (name, \
            records, live, liveValueBytes, deadValueBytes).
            """,
        examples: [
            .init("How much of a log is dead", "grouplog-dump stats ~/notes.grouplog")
        ],
        arguments: [DumpOptions.log]
    ) { invocation in
        let source = try LogSource(path: invocation[DumpOptions.log])
        let stats = try Stats(LogScan(source, progress: invocation))
        if invocation[CommonOptions.json] {
            try printJSON(stats, source, invocation.output)
        } else {
            try printTables(stats, source, invocation.output)
        }
        return .done
    }

    private static func printTables(
        _ stats: Stats, _ source: LogSource, _ output: Output
    ) throws {
        let size = source.bytes.size
        var uses = Table(
            [.init("use"), .init("bytes", alignsRight: true), .init("share", alignsRight: true)],
            on: output)
        for use in Stats.Use.allCases {
            let count = stats.bytes[use] ?? 0
            try uses.add([.init(use.rawValue), .init("\(count)"), .init(share(count, of: size))])
        }
        try uses.add([.init("all", .bold), .init("\(size)", .bold), .init("")])
        try uses.finish()

        if stats.records > 0 { try output.write("\n") }
        var lengths = Table(
            [
                .init("record length"), .init("records", alignsRight: true),
                .init("share", alignsRight: true),
            ], on: output)
        for (bound, count) in stats.lengths.sorted(by: { $0.key < $1.key }) {
            let range = bound == 16 ? "up to 16" : "\(bound / 2 + 1) to \(bound)"
            try lengths.add([
                .init(range), .init("\(count)"),
                .init(share(UInt64(count), of: UInt64(stats.records))),
            ])
        }
        try lengths.finish()

        if !stats.replay.tallies.isEmpty { try output.write("\n") }
        var collections = Table(
            [
                .init("collection", shrinks: true), .init("records", alignsRight: true),
                .init("live", alignsRight: true), .init("live value bytes", alignsRight: true),
                .init("dead value bytes", alignsRight: true),
            ], on: output)
        for tally in stats.replay.tallies {
            try collections.add([
                .init(tally.name ?? "(none)", tally.name == nil ? .dim : nil),
                .init("\(tally.records)"), .init("\(tally.live)"),
                .init("\(tally.liveValueBytes)"), .init("\(tally.deadValueBytes)"),
            ])
        }
        try collections.finish()
    }

    /// In percent, with one digit behind the point.
    private static func share(_ part: UInt64, of whole: UInt64) -> String {
        guard whole > 0 else { return "" }
        let tenths = Int((Double(part) / Double(whole) * 1000).rounded())
        return "\(tenths / 10).\(tenths % 10)%"
    }

    private static func printJSON(_ stats: Stats, _ source: LogSource, _ output: Output) throws {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("size", source.bytes.size)
        writer.key("bytes")
        writer.beginObject()
        for use in Stats.Use.allCases { writer.member("\(use)", stats.bytes[use] ?? 0) }
        writer.endObject()
        writer.member("records", stats.records)
        writer.key("recordLengths")
        writer.beginArray()
        for (bound, count) in stats.lengths.sorted(by: { $0.key < $1.key }) {
            writer.beginObject()
            writer.member("upTo", bound)
            writer.member("records", count)
            writer.endObject()
        }
        writer.endArray()
        writer.key("collections")
        writer.beginArray()
        for tally in stats.replay.tallies {
            writer.beginObject()
            writer.member("name", tally.name)
            writer.member("records", tally.records)
            writer.member("live", tally.live)
            writer.member("liveValueBytes", tally.liveValueBytes)
            writer.member("deadValueBytes", tally.deadValueBytes)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        try output.line(json: &writer)
    }
}
