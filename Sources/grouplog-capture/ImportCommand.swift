import GroupLog
import GroupLogFormat
import GroupLogSystem
import StoreToolSupport
import ToolSupport

/// `import`: the records of files, each once.
enum ImportCommand {
    private static let format = Option<InterchangeFormat?>(
        "format", "format", "The files' format. (default: told by their content)", as: .choice)
    private static let isRevived = Flag(
        "revive", "Also add records that were deleted here; they are left out otherwise.")
    private static let isRehearsal = Flag(
        "dry-run", "Tell what would be added, and write nothing.")
    private static let files = Argument<[String]>(
        repeating: "file", "A file to read; '-' is standard input.", required: true, as: .file)

    static let command = Command(
        "import", abstract: "Adds the records of files that are not there yet.",
        discussion: """
            It reads JSON Lines, JSON, CSV and bookmark files, those that grouplog-reader exports \
            and those of several services. An entry with an id is there already if the store has \
            this id; one without if the collection 'items' has its address, or an entry of the \
            same content was imported before. So importing twice adds nothing, and an import that \
            was interrupted can be run again.
            Entries that cannot be used are named on standard error by file and line, and the rest \
            is added; the status is 65 then. Where 'items' lack a date, they get the time of the \
            import.
            With --json the sum is an object with 'added', 'alreadyThere', 'deletedHere', 'refused', \
            'withoutDate' and 'dryRun'.
            """,
        examples: [
            .init("The bookmarks of a browser", "grouplog-capture import bookmarks.html"),
            .init("What it would do", "grouplog-capture import --dry-run export.csv"),
            .init(
                "From one store to another",
                "grouplog-reader export | grouplog-capture import --store b.grouplog -"),
        ],
        arguments: [files],
        options: [format, ToolCollection.option, isRevived, isRehearsal]
    ) { invocation in
        let collection = invocation[ToolCollection.option]
        let isRehearsal = invocation[isRehearsal]
        let importer: Importer
        if isRehearsal {
            var rehearsal = ImportRehearsal(
                try existingStore(invocation), collection, isRevived: invocation[isRevived])
            importer = Importer(collection, invocation) { try rehearsal.add($0) }
        } else {
            let store = try invocation.openStore(as: .extension, isCreated: true)
            var target = ImportTarget(
                collection.records(in: store), isRevived: invocation[isRevived])
            importer = Importer(collection, invocation) { try target.add($0) }
        }
        return try run(importer, invocation, isRehearsal)
    }

    private static func run(
        _ importer: consuming Importer, _ invocation: Invocation, _ isRehearsal: Bool
    ) throws -> ExitStatus {
        var failure: ToolError?
        do {
            for file in invocation[files] {
                do {
                    try read(file, into: &importer, as: invocation[format])
                } catch let error as ToolError where error != .interrupted {
                    // The other files have nothing to do with it.
                    importer.report(error)
                    failure = failure ?? error
                }
            }
            try importer.finish()
        } catch {
            // What was added stays, whatever ended the import.
            try importer.printSummary(isRehearsal: isRehearsal)
            throw error
        }
        try importer.printSummary(isRehearsal: isRehearsal)
        return failure?.status ?? (importer.summary.refused > 0 ? .badData : .done)
    }

    /// Reads one file. Errors of the file are tool errors, those of the store are not.
    private static func read(
        _ file: String, into importer: inout Importer, as format: InterchangeFormat?
    ) throws {
        do {
            let isStandard = file == "-"
            let input = isStandard ? ByteInput.standard() : try ByteInput.open(file)
            let name = isStandard ? "standard input" : file
            try importer.take(ByteSource { try input.next() }, named: name, as: format)
        } catch let error as InterchangeError {
            throw ToolError(error)
        } catch let error as SystemError {
            throw ToolError(error)
        }
    }

    /// The store for a dry run, which makes none.
    private static func existingStore(_ invocation: Invocation) throws -> Store? {
        do {
            return try invocation.openStore(as: .readOnly)
        } catch let error as StoreError where error.code == .noStore {
            return nil
        }
    }
}
