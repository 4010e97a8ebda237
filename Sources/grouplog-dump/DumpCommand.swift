import GroupLogFormat
import ToolSupport

/// The tool and its subcommands.
enum DumpCommand {
    static let command = Command(
        "grouplog-dump", abstract: "Looks into a GroupLog log, also a damaged one.",
        discussion: """
            It never locks and never writes, but for 'salvage', which writes to a new file; it \
            reads past damage, and shows where everything stands. A log may be looked at while \
            others write to it.
            """,
        examples: [
            .init("What is in a store", "grouplog-dump ~/notes.grouplog"),
            .init("Whether all of it is whole", "grouplog-dump verify ~/notes.grouplog"),
            .init(
                "All versions of a record",
                "grouplog-dump records --collection items --key 5 ~/notes.grouplog"),
            .init("The bytes of the first frame", "grouplog-dump hex ~/notes.grouplog 4160"),
        ],
        options: [CommonOptions.json, CommonOptions.color, CommonOptions.quiet],
        environment: CommonOptions.environment.filter { ["NO_COLOR", "TERM"].contains($0.name) },
        defaultSubcommand: "summary",
        subcommands: [
            SummaryCommand.command, FramesCommand.command, RecordsCommand.command,
            VerifyCommand.command, StatsCommand.command, MapCommand.command, HexCommand.command,
            DiffCommand.command, SalvageCommand.command,
        ])
}
