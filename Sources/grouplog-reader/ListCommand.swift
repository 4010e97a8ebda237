import GroupLog
import GroupLogFormat
import StoreToolSupport
import ToolSupport

/// `list`: records, newest first.
enum ListCommand {
    static let limit = Option<Int?>(
        "limit", short: "n", "count", "Print at most this many. (default: all)",
        as: .integer(in: 0...Int.max))
    static let offset = Option<Int>(
        "offset", "count", "Pass over this many first.", as: .integer(in: 0...Int.max), default: 0)
    private static let sequence = Option<UInt64?>(
        "at", "sequence", "List what there was right after this commit.",
        as: .integer(in: 0...UInt64.max))

    static let command = Command(
        "list", abstract: "Lists records, newest first.",
        discussion: """
            Newest first means: by createdAt, the latest first, then by when they were captured, \
            then by key; records without a date come last. In the table a record is one line, \
            instants are in UTC, a record without a title shows how its text begins, and of a cell \
            of more than 4 KiB only the beginning is shown.
            With --at, the list is as it was right after a commit, whose sequence 'history' prints; \
            earlier than the last compaction there is nothing to go back to, and the exit status is 3.
            """,
        examples: [
            .init("The newest ten", "grouplog-reader list --limit 10"),
            .init("The next ten", "grouplog-reader list --limit 10 --offset 10"),
            .init("All titles", "grouplog-reader list --json | jq -r .title"),
            .init("The state after commit 100", "grouplog-reader list --at 100"),
        ],
        options: [limit, offset, sequence, ToolCollection.option]
    ) { invocation in
        let collection = invocation[ToolCollection.option]
        let view = try invocation.readView(at: invocation[sequence])
        let positions = try StoreError.translating(view.path) {
            try view.newestFirst(
                in: collection.name, limit: invocation[limit] ?? .max, offset: invocation[offset])
        }
        let output = invocation.output
        if invocation[CommonOptions.json] {
            var writer = output.jsonWriter()
            _ = try invocation.forEachRecord(at: positions, of: view, in: collection) {
                writer.record($0, $1)
                try output.line(json: &writer)
            }
        } else {
            var table = RecordTable(of: collection, on: output)
            _ = try invocation.forEachRecord(at: positions, of: view, in: collection) {
                try table.add($0, $1)
            }
            try table.finish()
        }
        return .done
    }
}
