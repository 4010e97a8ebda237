import GroupLogFormat
import ToolSupport

/// `grouplog-dump verify`.
enum VerifyCommand {
    static let command = Command(
        "verify", abstract: "Checks every checksum of a log and all that can be checked beside.",
        discussion: """
            Each place where something is wrong has a line with its offset and the cause, and the \
            key of the record where that can be read: an older value of it may now be showing.
            Ends with 65 where there is damage. An unfinished write at the end is none, since \
            nobody was told that it is done; it is noted.
            JSON: offset, length, weight (damage or note), cause, detail, lostRecords, collection, \
            key; the last line sums up: size, frames, records, damageCount, noteCount.
            """,
        examples: [
            .init("In a script", "grouplog-dump verify --quiet ~/notes.grouplog || echo damaged")
        ],
        arguments: [DumpOptions.log]
    ) { invocation in
        let source = try LogSource(path: invocation[DumpOptions.log])
        var rows = Rows<Finding>(invocation)
        // What is found is printed at once; progress would run into it on the same terminal.
        let scan = LogScan(
            source, progress: invocation.output.isTerminal ? nil : invocation)
        let verification = try Verification(scan) { _ = try rows.add($0) }
        try rows.finish()
        try conclude(verification, source, invocation)
        return verification.damageCount == 0 ? .done : .badData
    }

    private static func conclude(
        _ verification: Verification, _ source: LogSource, _ invocation: Invocation
    ) throws {
        let damage = verification.damageCount
        if invocation[CommonOptions.json] {
            var writer = JSONWriter()
            writer.beginObject()
            writer.member("size", source.bytes.size)
            writer.member("frames", verification.frames)
            writer.member("records", verification.records)
            writer.member("damageCount", damage)
            writer.member("noteCount", verification.noteCount)
            writer.endObject()
            return try invocation.output.line(json: &writer)
        }
        let output = invocation.output
        let verdict =
            damage == 0
            ? output.style("no damage", .green)
            : output.style("\(counted(damage, "place")) damaged", .red)
        let notes =
            verification.noteCount == 0 ? "" : ", \(counted(verification.noteCount, "note"))"
        try output.write(
            "\(counted(source.bytes.size, "byte")), "
                + "\(counted(verification.frames, "frame")), "
                + "\(counted(verification.records, "record")): \(verdict)\(notes)\n")
    }
}
