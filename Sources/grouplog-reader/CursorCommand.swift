import GroupLog
import GroupLogFormat
import StoreToolSupport
import ToolSupport

/// `cursor`: how far named consumers of the history have come.
enum CursorCommand {
    static let command = Command(
        "cursor", abstract: "Lists, sets and retires the cursors of the history's consumers.",
        discussion: """
            A cursor is the place up to which a named consumer has worked off the history. A \
            compaction keeps the deletions that a cursor has not seen, up to a number; one that is \
            forgotten beyond that is retired, and its consumer has to read the records anew.
            """,
        subcommands: [list, set, retire])

    private static let name = Argument<String>("name", "The cursor's name.", as: .name)
    private static let token = Argument<GivenToken>(
        "token", "The place, as 'history' prints it.", as: .token)

    private static let list = Command(
        "list", abstract: "Lists the cursors.",
        discussion: """
            The lag is the number of commits by which the last one that changed a record is ahead. \
            With --json each is an object with 'name', 'sequence', 'lag', 'retired', 'updated' and \
            'token'.
            """,
        examples: [.init("All of them", "grouplog-reader cursor list")]
    ) { invocation in
        let cursors = try invocation.openStore(as: .readOnly).cursors()
        let output = invocation.output
        if invocation[CommonOptions.json] {
            var writer = JSONWriter()
            for cursor in cursors {
                writer.cursor(cursor)
                try output.line(json: &writer)
            }
            return .done
        }
        var table = Table(
            [
                .init("name", shrinks: true), .init("lag", alignsRight: true), .init("updated"),
                .init("state"), .init("token"),
            ], on: output)
        for cursor in cursors {
            try table.add([
                .init(cursor.name), .init("\(cursor.lag)"), .init(cursor.updatedText),
                .init(cursor.isRetired ? "retired" : "active"), .init(cursor.token.shortText),
            ])
        }
        try table.finish()
        return .done
    }

    private static let set = Command(
        "set", abstract: "Makes a cursor stand at a place.",
        discussion: "Makes the cursor where it is new, and brings back one that was retired.",
        examples: [.init("Where a consumer has come to", "grouplog-reader cursor set NAME TOKEN")],
        arguments: [name, token], options: [CommonOptions.timeout, CommonOptions.author],
        outlivesReader: true
    ) { invocation in
        let store = try invocation.openStore(as: .app)
        let place = try invocation[token].token(in: store)
        // A place that the history does not have is of no use to anybody.
        _ = try CommitFollower(store, from: .after(place))
        try store.moveCursor(invocation[name], to: place)
        return .done
    }

    private static let retire = Command(
        "retire", abstract: "Gives a cursor up: nothing is kept for it any more.",
        discussion: "The exit status is 1 where there is none of this name that is not retired.",
        examples: [.init("One that nobody needs", "grouplog-reader cursor retire NAME")],
        arguments: [name], options: [CommonOptions.timeout, CommonOptions.author],
        outlivesReader: true
    ) { invocation in
        let store = try invocation.openStore(as: .app)
        let isRetired = try store.retireCursor(invocation[name])
        if !isRetired { invocation.note("there is no active cursor '\(invocation[name])'") }
        return isRetired ? .done : .notFound
    }
}

extension StoreCursor {
    var updatedText: String {
        Timestamp.text(microsecondsSince1970: updatedMicroseconds)
    }
}

extension JSONWriter {
    mutating func cursor(_ cursor: StoreCursor) {
        beginObject()
        member("name", cursor.name)
        member("sequence", cursor.token.sequence)
        member("lag", cursor.lag)
        member("retired", cursor.isRetired)
        key("updated")
        time(cursor.updatedMicroseconds)
        member("token", cursor.token.description)
        endObject()
    }
}
