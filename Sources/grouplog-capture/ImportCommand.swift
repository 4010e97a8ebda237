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
            What stands further down in a file counts as newer, as if the entries had been added \
            one by one: of entries without a date, or with the same one, a list shows the last one \
            first, and an export has them in the order of the file.
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
        let isRevived = invocation[isRevived]
        let importer = Importer(collection, invocation) {
            if isRehearsal {
                var rehearsal = ImportRehearsal(
                    try existingStore(invocation), collection, isRevived: isRevived)
                return { try rehearsal.add($0) }
            }
            let store = try invocation.openStore(as: .extension, isCreated: true)
            var target = ImportTarget(collection.records(in: store), isRevived: isRevived)
            return { try target.add($0) }
        }
        return try run(importer, invocation, isRehearsal)
    }

    private static func run(
        _ importer: consuming Importer, _ invocation: Invocation, _ isRehearsal: Bool
    ) throws -> ExitStatus {
        var failure: ToolError?
        do {
            for file in invocation[files] {
                // The other files have nothing to do with what is wrong with one.
                if let error = try read(file, into: &importer, as: invocation[format]) {
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

    /// Reads one file; gives what is wrong with it as a whole. What is wrong with the store throws,
    /// and is not even looked at while no file can be read.
    private static func read(
        _ file: String, into importer: inout Importer, as format: InterchangeFormat?
    ) throws -> ToolError? {
        do {
            let isStandard = file == "-"
            let input = isStandard ? ByteInput.standard() : try ByteInput.open(file)
            let name = isStandard ? "standard input" : file
            let source = ByteSource { try input.next() }
            guard let reader = try importer.reader(of: source, named: name, as: format) else {
                return nil
            }
            do {
                try importer.open()
            } catch {
                throw StoreFailure(cause: error)
            }
            try importer.take(reader, named: name)
            return nil
        } catch let error as StoreFailure {
            throw error.cause
        } catch let error as InterchangeError {
            return try ToolError(error).unlessInterrupted
        } catch let error as SystemError {
            return try ToolError(error).unlessInterrupted
        }
    }

    /// Keeps what is wrong with the store apart from what is wrong with a file.
    private struct StoreFailure: Error {
        let cause: any Error
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

extension ToolError {
    fileprivate var unlessInterrupted: ToolError {
        get throws {
            if self == .interrupted { throw self }
            return self
        }
    }
}
