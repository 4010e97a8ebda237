import GroupLogFormat
import ToolSupport

/// `grouplog-dump map`.
enum MapCommand {
    static let command = Command(
        "map", abstract: "Draws a log, so that one sees at a glance what is live, dead or damaged.",
        discussion: """
            Each sign stands for a block of the log; the offset of a line's first block stands \
            before it.
            JSON, a line for each run of blocks of one use: offset, length, blockSize, use (damage, \
            unfinished, header, live, dead, overhead or slack).
            """,
        examples: [.init("Where the damage is", "grouplog-dump map notes.grouplog")],
        arguments: [DumpOptions.log]
    ) { invocation in
        let source = try LogSource(path: invocation[DumpOptions.log])
        let scan = LogScan(source, progress: invocation)
        let labelWidth = "\(source.bytes.size)".utf8.count
        let width = columns(invocation.output.width ?? 80, besides: labelWidth + 2)
        let map = try LogMap(scan, cellLimit: width * lines)
        if invocation[CommonOptions.json] {
            try printJSON(map, size: source.bytes.size, invocation.output)
        } else {
            try draw(map, labelWidth: labelWidth, width: width, invocation.output)
        }
        return .done
    }

    /// As many lines as a terminal shows, with the legend.
    private static let lines = 16

    /// A multiple of eight, so that offsets at the beginning of lines are round.
    private static func columns(_ width: Int, besides label: Int) -> Int {
        max(8, (width - label) / 8 * 8)
    }

    private static func draw(
        _ map: LogMap, labelWidth: Int, width: Int, _ output: Output
    ) throws {
        let uses = map.uses
        for start in stride(from: 0, to: uses.count, by: width) {
            let label = "\(UInt64(start) * map.blockSize)"
            var line = String(repeating: " ", count: labelWidth - label.utf8.count) + label + "  "
            var rest = uses[start..<min(start + width, uses.count)]
            while let use = rest.first {
                let run = rest.prefix { $0 == use }
                line += output.style(String(repeating: use.letter, count: run.count), use.colour)
                rest = rest.dropFirst(run.count)
            }
            try output.write(line + "\n")
        }
        try output.write("\n")
        for use in LogMap.Use.allCases where uses.contains(use) {
            try output.write("\(output.style(String(use.letter), use.colour))  \(use.meaning)\n")
        }
        try output.write("Each sign is \(counted(map.blockSize, "byte")).\n")
    }

    private static func printJSON(_ map: LogMap, size: UInt64, _ output: Output) throws {
        var writer = JSONWriter()
        var rest = map.uses[...]
        while let use = rest.first {
            let run = rest.prefix { $0 == use }
            let start = UInt64(run.startIndex) * map.blockSize
            writer.beginObject()
            writer.members(of: start..<min(size, UInt64(run.endIndex) * map.blockSize))
            writer.member("blockSize", map.blockSize)
            writer.member("use", "\(use)")
            writer.endObject()
            try output.line(json: &writer)
            rest = rest.dropFirst(run.count)
        }
    }
}
