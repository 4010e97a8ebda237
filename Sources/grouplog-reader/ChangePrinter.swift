import GroupLog
import GroupLogFile
import GroupLogFormat
import GroupLogSystem
import StoreToolSupport
import ToolSupport

/// Prints the changes of a history, a line each, up to a limit.
///
/// Each line carries the token behind which to go on when it has been worked off. A commit is whole or
/// not at all, so only its last line carries its own token, and those before it that of the commit
/// before.
struct ChangePrinter {
    private let invocation: Invocation
    private let isJSON: Bool
    private var writer: JSONWriter
    private var rest: Int
    /// The place behind the last commit that was printed whole.
    private var token: HistoryToken

    init(_ invocation: Invocation, behind token: HistoryToken, limit: Int?) {
        self.invocation = invocation
        self.token = token
        writer = invocation.output.jsonWriter()
        isJSON = invocation[CommonOptions.json]
        rest = limit ?? .max
    }

    var isDone: Bool { rest == 0 }

    /// How a printed change is described where the lines are documented.
    static let lineDescription = """
        A line begins with a token: with '--since TOKEN' the next call goes on behind it. With --json \
        each line is an object with 'kind' (insert, update or delete), 'collection', 'key', \
        'sequence', 'time', 'author', 'changed' (the names of the fields that an update changed, or \
        null where that is not known), 'coalesced' (true for what a compaction has left: the last \
        change of a record, in place of all of them), 'token', and for what is not a delete 'record', \
        as list prints it but for 'syncStatus', or 'value' for the values of keys, whose collection \
        is '$values'.
        """

    /// Prints the changes of a commit that are wanted.
    mutating func print(_ commit: HistoryCommit, where isWanted: (Change) -> Bool) throws {
        let wanted = commit.changes.filter(isWanted)
        for (index, change) in wanted.enumerated() where !isDone && !Interrupt.isRequested {
            let isLast = index == wanted.count - 1
            try print(change, commit, behind: isLast ? commit.token : token)
            rest -= 1
        }
        token = commit.token
    }

    /// Tells that another log stands in the place of the one that was followed.
    mutating func print(replacedBy header: LogHeader) throws {
        token = .beginning(of: header.storeID)
        invocation.note("the log was replaced; what follows is all of the new one")
        guard isJSON else { return }
        writer.beginObject()
        writer.member("kind", "replaced")
        writer.member("store", "\(header.storeID)")
        writer.member("generation", header.generation)
        writer.member("token", token.description)
        writer.endObject()
        try invocation.output.line(json: &writer)
    }

    private mutating func print(
        _ change: Change, _ commit: HistoryCommit, behind token: HistoryToken
    ) throws {
        if isJSON {
            try printJSON(change, commit, behind: token)
        } else {
            try printLine(change, commit, behind: token)
        }
    }

    private func printLine(
        _ change: Change, _ commit: HistoryCommit, behind token: HistoryToken
    ) throws {
        let record = change.record
        var words = [token.shortText, change.kind.rawValue, change.collection]
        words.append(KeyText.text(change.key))
        if let names = change.changedFields { words.append("[\(names.joined(separator: " "))]") }
        if record.kind == .put, let fields = readable(record, { try $0.recordFields() }) {
            words.append(summary(of: fields))
        }
        if commit.isCoalesced { words.append("(coalesced)") }
        if let author = change.author { words.append("(\(author))") }
        try invocation.output.line(words.filter { !$0.isEmpty }.joined(separator: "  "))
    }

    private func summary(of fields: [RecordField]) -> String {
        let item = [fields.titleCell, fields.cell(ItemField.url)].filter { !$0.isEmpty }
        guard item.isEmpty else { return item.joined(separator: "  ") }
        return fields.map { "\($0.name)=\($0.value.cellBeginning)" }.joined(separator: "  ")
    }

    private mutating func printJSON(
        _ change: Change, _ commit: HistoryCommit, behind token: HistoryToken
    ) throws {
        writer.beginObject()
        writer.member("kind", change.kind.rawValue)
        writer.member("collection", change.collection)
        writer.key("key")
        writer.recordKey(change.key)
        writer.member("sequence", change.sequence)
        writer.key("time")
        writer.time(change.record.time)
        writer.member("author", change.author)
        writer.key("changed")
        if let names = change.changedFields {
            writer.beginArray()
            for name in names { writer.string(name) }
            writer.endArray()
        } else {
            writer.null()
        }
        writer.member("coalesced", commit.isCoalesced)
        writer.member("token", token.description)
        if change.record.kind == .put { writeContent(of: change.record) }
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

/// A token as it is given on the command line: whole, or without the store's id, which is then that
/// of the store.
enum GivenToken: Sendable {
    case whole(HistoryToken)
    case short(String)

    /// `--since`, the same for every command that has it.
    static let option = Option<GivenToken?>(
        "since", "token", "Begin behind the place of this token.", as: .token)

    /// The token, in a store.
    func token(in store: Store) throws -> HistoryToken {
        switch self {
        case .whole(let token): return token
        case .short(let text):
            let id = try store.historyToken().storeID
            guard let token = HistoryToken("\(text).\(id)") else {
                preconditionFailure("the text was read with another store's id before")
            }
            return token
        }
    }
}

extension ValueReader where Value == GivenToken {
    /// A token as `history` and `follow` print it.
    static var token: ValueReader {
        ValueReader(show: { "\($0)" }) { text throws(ValueProblem) in
            if let token = HistoryToken(text) { return .whole(token) }
            let anyStore = "00000000-0000-0000-0000-000000000000"
            guard HistoryToken("\(text).\(anyStore)") != nil else {
                throw ValueProblem("expected a token, as 'history' prints it")
            }
            return .short(text)
        }
    }
}
