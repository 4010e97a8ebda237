import Testing
import ToolSupport

@Suite("Help")
struct HelpTests {
    private func help(_ words: [String], of command: Command, width: Int = 80) throws -> String {
        guard case .help(let path) = try command.parse(words) else { return "" }
        return path.help(width: width)
    }

    @Test("help of a tool")
    func ofTool() throws {
        #expect(
            try help(["--help"], of: Sample.command) == """
                OVERVIEW: Shows what a tool can be.

                A tool for tests, with a discussion that is long enough to be broken twice,
                since lines of help are at most as wide as the terminal.

                USAGE: sample [<options>] <subcommand>

                EXAMPLES:
                  List all:
                    sample list
                  Get help:
                    sample help list

                OPTIONS:
                  --store <dir>           The store's directory. (default: $GROUPLOG_STORE, else
                                          one of your own)
                  --json                  Print JSON, one object a line.
                  --color <when>          Use colors. (values: auto, always, never; default:
                                          auto)
                  --generate-completion-script <shell>
                                          Print a completion script for bash, zsh or fish.
                                          (values: bash, zsh, fish)
                  --generate-man-page     Print the manual page: environment, exit statuses.
                  --version               Show the version.
                  -h, --help              Show this help.

                SUBCOMMANDS:
                  list                    Lists records.
                  edit                    Changes a record.
                  cursor                  Looks after cursors.

                  See 'sample help <subcommand>' for details.

                """)
    }

    @Test("help of a subcommand")
    func ofSubcommand() throws {
        #expect(
            try help(["list", "--help"], of: Sample.command) == """
                OVERVIEW: Lists records.

                Newest first.

                It's \\ a 'test' of texts - with signs.

                USAGE: sample list [--limit <count>] [--sort <field> ...] [--format <format>]
                                   [--reverse] [<word>]

                EXAMPLES:
                  The newest five:
                    sample list --limit 5

                ARGUMENTS:
                  <word>                  A word.

                OPTIONS:
                  -n, --limit <count>     Print at most this many. (default: 50)
                  --sort <field>          Sort by this field; may be given again.
                  --format <format>       The file's format. (values: jsonl, csv)
                  -r, --reverse           Oldest first.

                COMMON OPTIONS:
                  --store <dir>           The store's directory. (default: $GROUPLOG_STORE, else
                                          one of your own)
                  --json                  Print JSON, one object a line.
                  --color <when>          Use colors. (values: auto, always, never; default:
                                          auto)
                  --version               Show the version.
                  -h, --help              Show this help.

                """)
    }

    @Test("help of a subcommand's subcommand")
    func ofNested() throws {
        let text = try help(["help", "cursor"], of: Sample.command)
        #expect(
            text.hasPrefix("OVERVIEW: Looks after cursors.\n\nUSAGE: sample cursor <subcommand>"))
        #expect(text.hasSuffix("\n  See 'sample help cursor <subcommand>' for details.\n"))
        let leaf = try help(["cursor", "set", "-h"], of: Sample.command)
        #expect(leaf.contains("\nUSAGE: sample cursor set <id>\n"))
    }

    @Test("a default subcommand is marked, and its usage comes first")
    func ofDefault() throws {
        let text = try help(["--help"], of: Sample.dump)
        #expect(
            text.contains(
                """
                USAGE: dump [<options>] [summary] [--limit <count>] <log>
                       dump [<options>] <subcommand>

                """))
        #expect(text.contains("\n  summary (default)       Tells what is in it.\n"))
    }

    @Test("usage shows what must be given and what may be repeated")
    func usage() throws {
        #expect(
            try help(["help", "salvage"], of: Sample.dump)
                .contains("USAGE: dump salvage --output <file> <log>\n"))
        #expect(
            try help(["help", "edit"], of: Sample.command)
                .contains("USAGE: sample edit <id> <field=value> ...\n"))
    }

    @Test("no line is wider than asked for", arguments: [40, 60, 80, 100])
    func width(_ width: Int) throws {
        // The example is given as it is to be typed, and is short enough.
        for words in [["-h"], ["list", "-h"], ["edit", "-h"]] {
            for line in try help(words, of: Sample.command, width: width).split(separator: "\n") {
                #expect(line.count <= max(width, 46), "\(line)")
            }
        }
    }
}
