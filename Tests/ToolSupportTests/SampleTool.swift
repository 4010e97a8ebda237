import GroupLogSystem
import Synchronization
import ToolSupport

/// A small tool with everything that a description can hold.
enum Sample {
    enum Format: String, CaseIterable, Sendable { case jsonl, csv }

    static let limit = Option<Int>(
        "limit", short: "n", "count", "Print at most this many.", as: .integer(in: 0...1_000),
        default: 50)
    static let sort = Option<[String]>(
        repeating: "sort", "field", "Sort by this field; may be given again.", as: .name)
    static let format = Option<Format?>("format", "format", "The file's format.", as: .choice)
    static let reverse = Flag("reverse", short: "r", "Oldest first.")
    static let output = Option<String>(
        required: "output", short: "o", "file", "Where to write.", as: .file)
    static let log = Argument<String>("log", "The log, or its store's directory.", as: .file)
    static let id = Argument<String>("id", "The record.", as: .name)
    static let fields = Argument<[String]>(
        repeating: "field=value", "What to change.", required: true, as: .text)
    static let word = Argument<String?>(optional: "word", "A word.", as: .text)

    /// Prints the values that it was run with.
    static let list = Command(
        "list", abstract: "Lists records.",
        discussion: "Newest first.\nIt's \\ a 'test' of texts - with signs.",
        examples: [.init("The newest five", "sample list --limit 5")],
        arguments: [word], options: [limit, sort, format, reverse]
    ) { invocation in
        let values = "\(invocation[limit]) \(invocation[sort]) \(invocation[word] ?? "-")"
        try invocation.output.line(values)
        return .done
    }

    static let edit = Command("edit", abstract: "Changes a record.", arguments: [id, fields]) {
        _ in .done
    }

    static let cursor = Command(
        "cursor", abstract: "Looks after cursors.",
        subcommands: [
            Command("set", abstract: "Moves a cursor.", arguments: [id]) { _ in .done },
            Command("retire", abstract: "Retires a cursor.", arguments: [id]) { _ in .done },
        ])

    static let command = Command(
        "sample", abstract: "Shows what a tool can be.",
        discussion: "A tool for tests, with a discussion that is long enough to be broken twice, "
            + "since lines of help are at most as wide as the terminal.",
        examples: [.init("List all", "sample list"), .init("Get help", "sample help list")],
        options: [CommonOptions.store, CommonOptions.json, CommonOptions.color],
        environment: CommonOptions.environment, subcommands: [list, edit, cursor])

    /// A tool whose first subcommand may be left out.
    static let dump = Command(
        "dump", abstract: "Inspects a log.", options: [CommonOptions.json],
        defaultSubcommand: "summary",
        subcommands: [
            Command(
                "summary", abstract: "Tells what is in it.", arguments: [log], options: [limit]
            ) { _ in .done },
            Command("verify", abstract: "Checks it.", arguments: [log]) { _ in .done },
            Command(
                "salvage", abstract: "Rescues it.", arguments: [log], options: [output]
            ) { _ in .done },
        ])
}

/// A stream whose bytes a test can look at, and that can fail.
final class MemorySink: ByteSink {
    let isTerminal: Bool
    let terminalWidth: Int?
    private let failure: StandardStream.Failure?
    private let written = Mutex<[UInt8]>([])

    init(width: Int? = nil, failing failure: StandardStream.Failure? = nil) {
        isTerminal = width != nil
        terminalWidth = width
        self.failure = failure
    }

    var text: String { written.withLock { String(decoding: $0, as: UTF8.self) } }

    func write(_ text: String) throws(StandardStream.Failure) { try write(Array(text.utf8)) }

    func write(_ bytes: [UInt8]) throws(StandardStream.Failure) {
        if let failure { throw failure }
        written.withLock { $0 += bytes }
    }

    var isReaderGone: Bool { failure == .brokenPipe }

    func flush() throws(StandardStream.Failure) { if let failure { throw failure } }
}
