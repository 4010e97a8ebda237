import GroupLog
import GroupLogFormat
import GroupLogSystem
import StoreToolSupport
import ToolSupport

/// `history`: what was changed, and by whom.
enum HistoryCommand {
    private static let id = Argument<[RecordKey]>(
        repeating: "id", "Only the changes of these records.", required: false, as: .key)
    private static let author = Option<String?>(
        "by", "author", "Only what this author changed.", as: .text)
    private static let limit = Option<Int?>(
        "limit", short: "n", "count", "Print at most so many changes.",
        as: .integer(in: 0...Int.max))
    private static let collection = Option<ToolCollection?>(
        "collection", "name",
        "Only the changes of this collection. (default: all, or 'items' where ids are given)",
        as: .collection)

    static let command = Command(
        "history", abstract: "Prints what was changed, by whom and when.",
        discussion: """
            Changes are printed in the order of the commits, from the first one that the log still \
            has, or behind a token, to the last one. A compaction leaves the last change of each \
            record.
            \(ChangePrinter.lineDescription)
            A token that does not lead to a whole answer is told, and the exit status is 3: too old \
            (compacted away in part), diverged (a backup was put back, or the end was lost), of a \
            commit that is yet to come, or of another store. Then read the records anew, and go on \
            with the token of now, which 'status --json' prints.
            """,
        examples: [
            .init("All of it", "grouplog-reader history"),
            .init("What became of a record", "grouplog-reader history ID"),
            .init(
                "What the extension did since", "grouplog-reader history --since TOKEN --by share"),
        ],
        arguments: [id], options: [GivenToken.option, author, limit, collection]
    ) { invocation in
        let store = try invocation.openStore(as: .readOnly)
        let token = try invocation[GivenToken.option]?.token(in: store)
        var follower = try CommitFollower(
            store, from: token.map { .after($0) } ?? .firstCommit)
        var printer = ChangePrinter(
            invocation, behind: follower.token, limit: invocation[limit])
        let isWanted = filter(invocation)
        while !printer.isDone, let event = try follower.next() {
            if Interrupt.isRequested { throw ToolError.interrupted }
            switch event {
            case .commit(let commit): try printer.print(commit, where: isWanted)
            case .damage(let damage): invocation.note(damage.sentence)
            case .replaced: preconditionFailure("one look follows one log")
            }
        }
        return .done
    }

    private static func filter(_ invocation: Invocation) -> (Change) -> Bool {
        let keys = Set(invocation[id])
        let author = invocation[author]
        let name =
            (invocation[collection] ?? (keys.isEmpty ? nil : .items)).map { ByteString($0.name) }
        return { change in
            (keys.isEmpty || keys.contains(change.key))
                && (author == nil || change.author == author)
                && (name == nil || ByteString(change.collection) == name)
        }
    }
}
