import GroupLog
import GroupLogFile
import GroupLogFormat
import GroupLogSystem
import StoreToolSupport
import ToolSupport

/// `follow`: changes as they are committed.
enum FollowCommand {
    static let interval = Option<Int>(
        "interval", "milliseconds",
        "Look for changes after so long at the latest; the system tells of most at once.",
        as: .integer(in: 10...60_000), default: 1_000)
    static let limit = Option<Int?>(
        "limit", short: "n", "count", "End after so many changes.", as: .integer(in: 0...Int.max))
    static let all = Flag("all", "Begin with the first change that the log still has.")

    static let command = Command(
        "follow", abstract: "Prints changes as they are committed, by whatever process.",
        discussion: """
            Each change of each collection is printed once, in the order of the commits, beginning \
            with what comes next. Where the log was compacted twice between two looks, what was \
            committed between the two is printed as the last change of each record. If another log is put in the place of the one that is followed, \
            that is told, and its changes are printed from the first one on. An interruption \
            (Ctrl-C) ends it with the exit status 130.
            With --json each line is an object with 'kind' (put or delete), 'collection', 'key', \
            'sequence', 'time', 'author', and for a put 'record', as list prints it but for \
            'syncStatus', or 'value' for the values of keys, whose collection is '$values'. \
            Another log is told by an object of the kind 'replaced' with 'store' and 'generation'.
            """,
        examples: [
            .init("What comes from now on", "grouplog-reader follow"),
            .init("The next change", "grouplog-reader follow --json --limit 1"),
        ],
        options: [interval, limit, all]
    ) { invocation in
        let store = try invocation.openStore(as: .readOnly)
        let watch = store.engine.watch()
        let start: CommitFollower.Start = invocation[all] ? .firstCommit : .now
        var follower = try CommitFollower(store, from: start)
        if start == .now { invocation.tell(try store.receipt()) }
        var printer = ChangePrinter(invocation, limit: invocation[limit])
        var patience = Patience()
        while !printer.isDone {
            do {
                try follower.poll { try printer.print($0) }
                patience.restore()
            } catch let error as StoreError where error.code == .corrupt || error.code == .noStore {
                // A log that is being replaced in place cannot be read for a moment.
                guard patience.isLeft else { throw error }
            }
            try invocation.output.flush()
            if Interrupt.isRequested { return .interrupted }
            if invocation.output.isReaderGone { throw StandardStream.Failure.brokenPipe }
            if !printer.isDone { pause(invocation, watch) }
        }
        return .done
    }

    /// Waits until there may be something to do. In steps, since a signal that comes just before a
    /// wait does not end it, and nobody tells of a reader that is gone.
    private static func pause(_ invocation: Invocation, _ watch: any VolumeWatch) {
        let step = 200
        var rest = invocation[interval]
        while rest > 0, !Interrupt.isRequested, !invocation.output.isReaderGone {
            guard watch.wait(milliseconds: min(rest, step)) == .timedOut else { return }
            rest -= step
        }
    }
}

/// How long a failure may last before it counts.
private struct Patience {
    private static let seconds = 5.0
    private var end: Deadline?

    mutating func restore() { end = nil }

    var isLeft: Bool {
        mutating get {
            let end = end ?? Deadline(secondsFromNow: Self.seconds)
            self.end = end
            return !end.hasPassed
        }
    }
}

/// Prints what a follower hands out, up to a limit.
private struct ChangePrinter {
    private let invocation: Invocation
    private let isJSON: Bool
    private var writer: JSONWriter
    private var rest: Int

    init(_ invocation: Invocation, limit: Int?) {
        self.invocation = invocation
        writer = invocation.output.jsonWriter()
        isJSON = invocation[CommonOptions.json]
        rest = limit ?? .max
    }

    var isDone: Bool { rest == 0 }

    mutating func print(_ event: CommitFollower.Event) throws {
        guard !isDone else { return }
        switch event {
        case .records(let records):
            for record in records where !isDone && !Interrupt.isRequested {
                try isJSON ? printJSON(record) : printLine(record)
                rest -= 1
            }
        case .damage(let damage): invocation.note(damage.sentence)
        case .replaced(let header):
            invocation.note("the log was replaced; what follows is all of the new one")
            if isJSON { try printJSON(replacedBy: header) }
        }
    }

    private func printLine(_ record: StoredRecord) throws {
        let collection = record.collection ?? ""
        var words = ["\(record.sequence)", "\(record.kind)", collection, KeyText.text(record.key)]
        if record.kind == .put, let fields = readable(record, { try $0.recordFields() }) {
            words.append(summary(of: fields))
        }
        if let author = record.author { words.append("(\(author))") }
        try invocation.output.line(words.filter { !$0.isEmpty }.joined(separator: "  "))
    }

    private func summary(of fields: [RecordField]) -> String {
        let item = [fields.titleCell, fields.cell(ItemField.url)].filter { !$0.isEmpty }
        guard item.isEmpty else { return item.joined(separator: "  ") }
        return fields.map { "\($0.name)=\($0.value.cellBeginning)" }.joined(separator: "  ")
    }

    private mutating func printJSON(_ record: StoredRecord) throws {
        writer.beginObject()
        writer.member("kind", "\(record.kind)")
        writer.member("collection", record.collection)
        writer.key("key")
        writer.recordKey(record.key)
        writer.member("sequence", record.sequence)
        writer.key("time")
        writer.time(record.time)
        writer.member("author", record.author)
        if record.kind == .put { writeContent(of: record) }
        writer.endObject()
        try invocation.output.line(json: &writer)
    }

    private mutating func writeContent(of record: StoredRecord) {
        if record.collection == KeyValues.collection {
            guard let value = readable(record, { try CBORValue.decode($0.value) }) else { return }
            writer.key("value")
            writer.value(value)
        } else {
            guard let fields = readable(record, { try $0.recordFields() }) else { return }
            writer.key("record")
            writer.record(record.key, fields)
        }
    }

    private mutating func printJSON(replacedBy header: LogHeader) throws {
        writer.beginObject()
        writer.member("kind", "replaced")
        writer.member("store", "\(header.storeID)")
        writer.member("generation", header.generation)
        writer.endObject()
        try invocation.output.line(json: &writer)
    }

    /// What a put holds. If that cannot be read, it is told, and the change is printed without.
    private func readable<Content>(
        _ record: StoredRecord, _ read: (StoredRecord) throws -> Content
    ) -> Content? {
        do {
            return try read(record)
        } catch {
            invocation.note("cannot read the record \(KeyText.text(record.key)): \(error)")
            return nil
        }
    }
}
