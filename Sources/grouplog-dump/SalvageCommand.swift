import GroupLogFormat
import ToolSupport

/// `grouplog-dump salvage`.
enum SalvageCommand {
    private static let output = Option<String?>(
        "output", short: "o", "file", "The new log's file, which must not exist.", as: .file)
    private static let headerFrom = Option<String?>(
        "header-from", "file",
        "A file that has the log's header, where the log itself has lost it: an older copy, a file "
            + "in 'quarantine', or the file 'lock'.", as: .file)
    private static let isServedOnly = Flag(
        "served-only", "Leave out records of transactions that are not whole.")

    static let command = Command(
        "salvage", abstract: "Writes what can still be read of a log to a new one.",
        discussion: """
            Every record whose checksum fits goes to the new log, in its place, with its sequence, \
            time and author, also out of transactions that are damaged or were never finished, \
            unless --served-only is given. The old log is not touched. To use the new one, make a \
            directory NAME.grouplog and move it there under the name 'log'.
            Ends with 65 where bytes are left of which no record could be made.
            JSON: records, lostPlaces, bytes (of the new log).
            """,
        examples: [
            .init("From a store", "grouplog-dump salvage -o rescued.log ~/notes.grouplog"),
            .init(
                "Without a header",
                "grouplog-dump salvage -o new.log --header-from backup.log damaged.log"),
        ],
        arguments: [DumpOptions.log], options: [output, headerFrom, isServedOnly]
    ) { invocation in
        guard let path = invocation[output] else {
            throw ToolError(.usage, "no file to write to", hint: "name one with --output FILE")
        }
        guard path != "-" else {
            throw ToolError(.usage, "a log is not written to standard output", hint: "name a file")
        }
        let source = try LogSource(
            path: invocation[DumpOptions.log], headerFrom: invocation[headerFrom])
        var salvage = try Salvage(of: source, isServedOnly: invocation[isServedOnly])
        var bytes = 0
        // As a store makes its files: for their owner alone.
        try NewFile.write(path, isReplacing: false, mode: 0o600) { file in
            func write() throws {
                let piece = try salvage.take()
                bytes += piece.count
                try file.write(piece)
            }
            try LogScan(source, progress: invocation).forEach { part in
                try salvage.add(part)
                if salvage.size >= 1 << 20 { try write() }
                return true
            }
            try salvage.finish()
            try write()
        }
        try conclude(salvage, bytes, invocation)
        return salvage.lostPlaces == 0 ? .done : .badData
    }

    private static func conclude(
        _ salvage: Salvage, _ bytes: Int, _ invocation: Invocation
    ) throws {
        guard invocation[CommonOptions.json] else {
            let lost =
                salvage.lostPlaces == 0
                ? "" : ", \(counted(salvage.lostPlaces, "place")) could not be read"
            return try invocation.output.line(
                "rescued \(counted(salvage.recordCount, "record"))\(lost)")
        }
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("records", salvage.recordCount)
        writer.member("lostPlaces", salvage.lostPlaces)
        writer.member("bytes", bytes)
        writer.endObject()
        try invocation.output.line(json: &writer)
    }
}
