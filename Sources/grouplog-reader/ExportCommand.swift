import GroupLog
import GroupLogFile
import GroupLogFormat
import GroupLogSystem
import StoreToolSupport
import ToolSupport

/// `export`: all records of a collection in a format that `grouplog-capture import` reads.
enum ExportCommand {
    static let format = Option<InterchangeFormat>(
        "format", "format", "The file's format.", as: .choice, default: .jsonl)
    static let output = Option<String>(
        "output", short: "o", "file", "Where to write; '-' is standard output.", as: .file,
        default: "-")

    static let command = Command(
        "export", abstract: "Writes out all records of a collection, oldest first.",
        discussion: """
            'jsonl' (one object a line) and 'json' (an array) keep every value exactly: what they \
            hold can be imported again without a change. 'csv' has a column for each field that \
            occurs, and 'netscape' is the bookmark file of browsers; both keep what they can.
            In 'csv' an empty text stands in quotes, and a cell without anything means that the \
            record does not have the field.
            A file given by --output appears under its name when it is whole; until then what had \
            the name is untouched. If records are missing because the log is damaged, the rest is \
            written and the exit status is 65.
            """,
        examples: [
            .init("To a file", "grouplog-reader export --output items.jsonl"),
            .init("For a spreadsheet", "grouplog-reader export --format csv > items.csv"),
            .init(
                "Into another store",
                "grouplog-reader export | grouplog-capture import --store OTHER -"),
        ],
        options: [format, output, ToolCollection.option]
    ) { invocation in
        let view = try invocation.readView()
        let export = try Export(invocation, view)
        let path = invocation[output]
        var unreadable = 0
        if path == "-" {
            unreadable = try export.write { try invocation.output.write($0) }
        } else {
            try NewFile.write(path) { file in
                unreadable = try export.write { try file.write($0) }
            }
        }
        let isDamaged = view.receipt.entries.contains(where: \.damage.mayLoseRecords)
        guard unreadable > 0 || isDamaged else { return .done }
        invocation.note("the log is damaged, so records may be missing in the export")
        return .badData
    }
}

/// The records of one collection on their way out.
private struct Export {
    let invocation: Invocation
    let view: StoreView
    let collection: ToolCollection
    let positions: [ListPosition]

    init(_ invocation: Invocation, _ view: StoreView) throws {
        self.invocation = invocation
        self.view = view
        let collection = invocation[ToolCollection.option]
        self.collection = collection
        positions = try StoreError.translating(view.path) {
            try view.newestFirst(in: collection.name)
        }
    }

    /// Writes record by record; gives how many could not be read.
    func write(to sink: @escaping PieceBuffer.Sink) throws -> Int {
        let format = invocation[ExportCommand.format]
        let columns = format == .csv ? try fieldNames() : []
        var writer = try ExportWriter(format, otherColumns: columns, to: sink)
        var progress = Progress(
            "exporting", total: positions.count, unit: "records",
            quiet: invocation[CommonOptions.quiet], on: invocation.messages)
        var done = 0
        let unreadable = try forEach { key, fields in
            try writer.record(key, fields)
            done += 1
            progress.update(done)
        }
        try writer.finish()
        return unreadable
    }

    /// The names of all fields that occur, in the order in which they come up: a table's head
    /// stands before its rows.
    private func fieldNames() throws -> [String] {
        var names: [String] = []
        var known: Set<ByteString> = []
        _ = try forEach { _, fields in
            for field in fields where known.insert(ByteString(field.name)).inserted {
                names.append(field.name)
            }
        }
        return names
    }

    private func forEach(_ body: (RecordKey, [RecordField]) throws -> Void) throws -> Int {
        try invocation.forEachRecord(at: positions.reversed(), of: view, in: collection) {
            // The state of the upload belongs to this store.
            try body($0, $1.filter { $0.name != ItemField.syncStatus })
        }
    }
}
