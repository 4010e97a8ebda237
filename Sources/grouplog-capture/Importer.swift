import GroupLog
import GroupLogFormat
import GroupLogSystem
import StoreToolSupport
import ToolSupport

/// Brings the entries of files into a store, batch by batch, and keeps account of them.
///
/// A batch is durable when it is counted, so an import that ends early has told the truth, and can
/// be run again for the rest.
struct Importer: ~Copyable {
    /// Adds a batch, and gives an outcome for each of its entries.
    typealias Adding = ([ImportTarget.Candidate]) throws -> [RecordCollection.ImportOutcome]
    /// Opens what a batch is added to.
    typealias Opening = () throws -> Adding

    private static let batchCount = 500
    private static let batchSize = 1 << 20

    private let collection: ToolCollection
    private let invocation: Invocation
    private let isQuiet: Bool
    private let openTarget: Opening
    private var add: Adding?
    private var pending: [(file: String, candidate: ImportTarget.Candidate)] = []
    private var pendingSize = 0
    private var progress: Progress
    private var entryCount = 0
    private(set) var summary = ImportSummary()

    init(
        _ collection: ToolCollection, _ invocation: Invocation, opening: @escaping Opening
    ) {
        self.collection = collection
        self.invocation = invocation
        openTarget = opening
        isQuiet = invocation[CommonOptions.quiet]
        progress = Progress(
            "importing", unit: "entries", quiet: isQuiet, on: invocation.messages)
    }

    /// A reader of a file that has been found to be what can be imported; nil where it is told and
    /// counted that it is not.
    mutating func reader(
        of input: ByteSource, named file: String, as format: InterchangeFormat?
    ) throws(InterchangeError) -> ImportReader? {
        do throws(InterchangeError) {
            return try ImportReader(
                input, format: format, collection: collection.kind, importTime: .now)
        } catch {
            guard error.cause == nil else { throw error }
            refuse(error, of: file)
            return nil
        }
    }

    /// Opens the store, now that there is something to read: an import that comes to nothing
    /// should not make one.
    mutating func open() throws {
        if add == nil { add = try openTarget() }
    }

    /// Reads a file to its end. Entries that cannot be used are told and counted; so is one that
    /// ends the file.
    mutating func take(_ entries: consuming ImportReader, named file: String) throws {
        var reader = entries
        do {
            while let item = try reader.next() {
                if Interrupt.isRequested { throw ToolError.interrupted }
                entryCount += 1
                progress.update(entryCount)
                switch item {
                case .entry(let entry): try take(entry, of: file)
                case .rejected(let line, let reason): refuse(reason, at: line, of: file)
                }
            }
        } catch let error as InterchangeError where error.cause == nil {
            refuse(error, of: file)
        }
    }

    private mutating func refuse(_ error: InterchangeError, of file: String) {
        let column = error.column.map { "column \($0): " } ?? ""
        refuse(column + error.message, at: error.line, of: file)
    }

    private mutating func take(_ entry: ImportEntry, of file: String) throws {
        var entry = entry
        if collection.isItems {
            // It is told of an item and not kept in it; our own lists have it.
            entry.fields.removeAll { $0.name == ItemField.syncStatus }
        }
        pending.append((file, ImportTarget.Candidate(entry, of: collection)))
        pendingSize += entry.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.roughSize }
        if pending.count >= Self.batchCount || pendingSize >= Self.batchSize { try finish() }
    }

    /// Adds what was read and has not been added yet.
    mutating func finish() throws {
        guard !pending.isEmpty, let add else { return }
        let outcomes = try add(pending.map(\.candidate))
        for ((file, candidate), outcome) in zip(pending, outcomes) {
            summary.count(candidate.entry, outcome)
            if case .refused(let reason) = outcome {
                tell(reason, at: candidate.entry.line, of: file)
            }
            if outcome == .added && !isQuiet { tellWarnings(of: candidate.entry, file) }
        }
        pending.removeAll(keepingCapacity: true)
        pendingSize = 0
    }

    private mutating func refuse(_ reason: String, at line: Int?, of file: String) {
        summary.refused += 1
        tell(reason, at: line, of: file)
    }

    /// What was changed in an entry. That there was no date is told by the number of such entries.
    private mutating func tellWarnings(of entry: ImportEntry, _ file: String) {
        for warning in entry.warnings where warning.kind != .withoutDate {
            tell("note: " + warning.message, at: warning.line, of: file)
        }
    }

    private mutating func tell(_ text: String, at line: Int?, of file: String) {
        progress.clear()
        let place = line.map { "\(file):\($0)" } ?? file
        // Where messages cannot be written the status still tells.
        try? invocation.messages.line("\(place): \(text)")
    }

    /// Tells of a file that could not be read.
    mutating func report(_ error: ToolError) {
        progress.clear()
        invocation.note(error.message)
    }

    /// Takes the progress away and prints the account.
    mutating func printSummary(isRehearsal: Bool) throws {
        progress.clear()
        try summary.print(
            on: invocation.output, asJSON: invocation[CommonOptions.json],
            isRehearsal: isRehearsal)
    }
}

extension CBORValue {
    /// About how many bytes it takes, to know when a batch is large.
    fileprivate var roughSize: Int {
        switch self {
        case .text(let text): text.utf8.count + 3
        case .bytes(let bytes): bytes.count + 3
        case .array(let items): items.reduce(3) { $0 + $1.roughSize }
        case .map(let pairs): pairs.reduce(3) { $0 + $1.key.roughSize + $1.value.roughSize }
        case .tagged(_, let content): content.roughSize + 3
        case .unsigned, .negative, .simple, .float: 9
        }
    }
}
