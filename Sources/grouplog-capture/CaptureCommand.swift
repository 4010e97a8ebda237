import ToolSupport

/// The tool and its subcommands.
enum CaptureCommand {
    static let command = Command(
        "grouplog-capture", abstract: "Adds records and values to a GroupLog store.",
        discussion: """
            It makes the store where there is none yet, and works while others read and write it. \
            What it says is done survives power loss.
            """,
        examples: [
            .init("Keep an address", "grouplog-capture add --url https://example.com --tag later"),
            .init("Keep what a program prints", "date | grouplog-capture add --text -"),
            .init("Take over bookmarks", "grouplog-capture import bookmarks.html"),
            .init("Set a value", "grouplog-capture set theme dark"),
        ],
        options: [
            CommonOptions.store, CommonOptions.json, CommonOptions.timeout, CommonOptions.author,
            CommonOptions.quiet,
        ],
        environment: CommonOptions.environment,
        subcommands: [
            AddCommand.command, ImportCommand.command, SetCommand.command, UnsetCommand.command,
        ])
}
