import GroupLog
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
            with what comes next. If another log is put in the place of the one that is followed, \
            that is told, and its changes are printed from the first one on; with --json by an \
            object of the kind 'replaced' with 'store', 'generation' and 'token'. An interruption \
            (Ctrl-C) ends it with the exit status 130.
            \(ChangePrinter.lineDescription)
            A token that leads nowhere ends it with the exit status 3: see 'history'.
            """,
        examples: [
            .init("What comes from now on", "grouplog-reader follow"),
            .init("The next change", "grouplog-reader follow --json --limit 1"),
            .init("Go on after a break", "grouplog-reader follow --json --since \"$TOKEN\""),
        ],
        options: [interval, limit, all, GivenToken.option]
    ) { invocation in
        let store = try invocation.openStore(as: .readOnly)
        var follower = try CommitFollower(store, from: try start(invocation, store))
        if !invocation[all] { invocation.tell(try store.receipt()) }
        var printer = ChangePrinter(
            invocation, behind: follower.token, limit: invocation[limit])
        return try invocation.keepLooking(at: store, milliseconds: invocation[interval]) {
            try follower.poll { event in
                switch event {
                case .commit(let commit): try printer.print(commit) { _ in true }
                case .damage(let damage): invocation.note(damage.sentence)
                case .replaced(let header): try printer.print(replacedBy: header)
                }
            }
            return !printer.isDone
        }
    }

    private static func start(
        _ invocation: Invocation, _ store: Store
    ) throws -> CommitFollower.Start {
        guard let token = invocation[GivenToken.option] else {
            return invocation[all] ? .firstCommit : .now
        }
        if invocation[all] { throw ToolError(.usage, "--all and --since exclude each other") }
        return .after(try token.token(in: store))
    }
}
