import ToolSupport

/// The whole tool.
enum ReaderCommand {
    static let command = Command(
        "grouplog-reader", abstract: "Reads a GroupLog store and looks after its records.",
        discussion: """
            All commands but 'edit', 'delete', 'restore', 'compact', 'cursor set', 'cursor retire' \
            and 'quarantine remove' only read: they take no lock, need no permission to write, and \
            make no file. They see what other processes have written until they begin.
            What is damaged in the log is told on standard error, with its offset and, where it \
            can be read, the key that was hit. The rest is served, and the exit status is that of \
            an undamaged log, but for 'export'.
            A key on the command line is a UUID in any spelling, a whole number, or a text; \
            'uuid:', 'int:', 'text:' and 'bytes:' (hexadecimal) in front say which is meant.
            With --json, records have the keys 'id', 'url', 'title', 'text', 'tags', 'createdAt' \
            and 'syncStatus' in the collection 'items', and whatever they were given in others. \
            The status is 'pending' until the record has been sent to a server, then 'synced', or \
            'failed' where that refused it; where nothing sends records, it stays 'pending'.
            """,
        examples: [
            .init("List the newest ten records", "grouplog-reader list --limit 10"),
            .init("Print what comes from now on", "grouplog-reader follow"),
            .init("Save all records to a file", "grouplog-reader export --output items.jsonl"),
        ],
        options: [
            CommonOptions.store, CommonOptions.json, CommonOptions.color, CommonOptions.quiet,
        ],
        environment: CommonOptions.environment,
        subcommands: [
            ListCommand.command, GetCommand.command, ValueCommand.command, CountCommand.command,
            CollectionsCommand.command, EditCommand.command, DeleteCommand.command,
            RestoreCommand.command, ExportCommand.command, FollowCommand.command,
            HistoryCommand.command, CursorCommand.command, StatusCommand.command,
            CompactCommand.command, QuarantineCommand.command,
        ])
}
