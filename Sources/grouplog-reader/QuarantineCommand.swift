import GroupLog
import GroupLogFile
import GroupLogFormat
import GroupLogSystem
import StoreToolSupport
import ToolSupport

/// `quarantine`: what writers took out of the log's way.
enum QuarantineCommand {
    static let command = Command(
        "quarantine", abstract: "Lists, shows and removes what writers took out of the log's way.",
        discussion: """
            A write that broke off leaves bytes behind the log's last commit. The next writer moves \
            them into the store's directory 'quarantine', one file a cut; nothing that was \
            committed is among them. At most 16 MiB are kept of a cut and 64 MiB in all, the oldest \
            go first. Each file is a log of its own, which 'grouplog-dump' reads.
            """,
        subcommands: [list, show, remove])

    private static let name = Argument<Quarantine.Entry>(
        "name", "The file's name, as 'list' prints it.", as: .quarantined)
    private static let names = Argument<[Quarantine.Entry]>(
        repeating: "name", "A file's name, as 'list' prints it.", required: false, as: .quarantined)
    private static let all = Flag("all", "Remove all of them.")

    private static let list = Command(
        "list", abstract: "Lists the cuts, oldest first.",
        discussion: """
            With --json each is an object with 'name', 'time' (when it was cut), 'generation' (of \
            the log), 'offset' (in the log) and 'length' (how many bytes are kept).
            """,
        examples: [.init("All of them", "grouplog-reader quarantine list")]
    ) { invocation in
        let entries = try invocation.openStore(as: .readOnly).quarantine.entries()
        let output = invocation.output
        if invocation[CommonOptions.json] {
            var writer = JSONWriter()
            for entry in entries {
                writer.entry(entry)
                try output.line(json: &writer)
            }
            return .done
        }
        var table = Table(
            [
                .init("name"), .init("cut"), .init("offset", alignsRight: true),
                .init("bytes", alignsRight: true),
            ], on: output)
        for entry in entries {
            try table.add([
                .init(entry.name),
                .init(Timestamp.text(microsecondsSince1970: entry.time)),
                .init("\(entry.offset)"), .init("\(entry.length)"),
            ])
        }
        try table.finish()
        return .done
    }

    private static let show = Command(
        "show", abstract: "Shows what can be read of a cut.",
        discussion: """
            Prints a line for each record, and whether it is whole. None of them was ever \
            committed. With --json each is an object with 'kind', 'collection', 'key', 'offset', \
            'whole' (true or false), and 'record' where it is whole and has fields.
            """,
        examples: [.init("One of them", "grouplog-reader quarantine show NAME")],
        arguments: [name]
    ) { invocation in
        let store = try invocation.openStore(as: .readOnly)
        let entry = invocation[name]
        try check([entry], in: store)
        let path = store.path + "/" + VolumeName.quarantined(entry.name).text
        let records = try StoreError.translating(path) {
            try QuarantinedRecord.all(of: entry, in: store.quarantine)
        }
        if records.isEmpty { invocation.note("no record can be read of it") }
        var writer = JSONWriter()
        for record in records {
            if invocation[CommonOptions.json] {
                record.write(to: &writer)
                try invocation.output.line(json: &writer)
            } else {
                try invocation.output.line(record.line)
            }
        }
        return .done
    }

    private static let remove = Command(
        "remove", abstract: "Removes cuts for good.",
        examples: [.init("All of them", "grouplog-reader quarantine remove --all")],
        arguments: [names], options: [all], outlivesReader: true
    ) { invocation in
        let store = try invocation.openStore(as: .app)
        var entries = invocation[names]
        if invocation[all] {
            guard entries.isEmpty else {
                throw ToolError(.usage, "--all removes all of them, so no name can be given")
            }
            entries = try store.quarantine.entries()
        } else if entries.isEmpty {
            throw ToolError(.usage, "no name given", hint: "--all removes all of them")
        }
        try check(entries, in: store)
        var failure: SystemError?
        for entry in entries {
            if Interrupt.isRequested { throw ToolError.interrupted }
            do throws(SystemError) {
                try store.quarantine.remove(entry)
            } catch {
                // The others go all the same.
                failure = failure ?? error
            }
        }
        if let failure { throw ToolError(failure) }
        return .done
    }

    private static func check(_ wanted: [Quarantine.Entry], in store: Store) throws {
        let entries = try store.quarantine.entries()
        for entry in wanted where !entries.contains(entry) {
            throw ToolError(
                .notFound, "there is no '\(entry.name)' in quarantine",
                hint: "'grouplog-reader quarantine list' has the names")
        }
    }
}

extension ValueReader where Value == Quarantine.Entry {
    fileprivate static var quarantined: ValueReader {
        ValueReader { text throws(ValueProblem) in
            guard let entry = Quarantine.Entry(name: text) else {
                throw ValueProblem(
                    "expected the name of a file in quarantine, as 'quarantine list' prints it")
            }
            return entry
        }
    }
}

extension JSONWriter {
    fileprivate mutating func entry(_ entry: Quarantine.Entry) {
        beginObject()
        key("name")
        string(entry.name)
        key("time")
        time(entry.time)
        key("generation")
        integer(entry.generation)
        key("offset")
        integer(entry.offset)
        key("length")
        integer(entry.length)
        endObject()
    }
}

/// A record in a cut, or what looks like one.
private struct QuarantinedRecord {
    var kind: RecordKind
    var collection: String?
    var key: RecordKey?
    var offset: UInt64
    var isWhole: Bool
    /// The fields of a put that is whole.
    var fields: [RecordField]?

    /// Takes apart a cut: one write that broke off, or several.
    static func all(
        of entry: Quarantine.Entry, in quarantine: Quarantine
    ) throws -> [QuarantinedRecord] {
        let (header, image) = try quarantine.log(of: entry)
        var records: [QuarantinedRecord] = []
        for frame in try FrameInspection.all(
            in: entry.offset..<max(entry.offset, image.size), of: image, salt: header.salt)
        {
            try image.withBytes(frame.offset..<frame.offset + frame.length) { bytes in
                records += frame.records.map { QuarantinedRecord($0, of: frame, bytes) }
            }
        }
        return records
    }

    private init(
        _ record: FrameInspection.Record, of frame: FrameInspection, _ bytes: RawSpan
    ) {
        kind = record.header.kind
        collection = frame.collection(of: record)
        key = record.header.recordKey(bytes)
        offset = frame.logRange(record.header.range).lowerBound
        isWhole = record.isIntact
        guard isWhole, kind == .put, let header = frame.header, let head = frame.head,
            let stored = StoredRecord(
                bytes, record.header, at: offset, context: .init(header: header, head: head))
        else { return }
        // A value that cannot be read has no fields to show.
        fields = try? stored.recordFields()
    }

    /// For people.
    var line: String {
        var words = ["\(kind)", collection ?? "", key.map { KeyText.text($0) } ?? "(no key)"]
        if !isWhole { words.append("(not whole)") }
        words += (fields ?? []).map { "\($0.name)=\($0.value.cellText)" }
        return words.filter { !$0.isEmpty }.joined(separator: "  ")
    }

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("kind", "\(kind)")
        writer.member("collection", collection)
        writer.key("key")
        if let key { writer.recordKey(key) } else { writer.null() }
        writer.member("offset", offset)
        writer.member("whole", isWhole)
        if let key, let fields {
            writer.key("record")
            writer.record(key, fields)
        }
        writer.endObject()
    }
}
