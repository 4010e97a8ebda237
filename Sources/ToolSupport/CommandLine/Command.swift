/// A command as data: from it come the parser, the help, the completion scripts and the manual
/// page, which therefore cannot disagree.
package struct Command: Sendable {
    package var name: String
    /// One sentence.
    package var abstract: String
    /// Further paragraphs, each on a line of its own.
    package var discussion: String
    package var examples: [Example]
    package var arguments: [any CommandArgument]
    /// Options and flags, in the order in which help lists them. Subcommands take them too.
    package var options: [any CommandOption]
    package var subcommands: [Command]
    /// The subcommand that is meant where the first word names none.
    package var defaultSubcommand: String?
    /// What the environment changes, for the manual page.
    package var environment: [EnvironmentVariable]
    /// Whether the command goes on when nobody reads its output any more. Right for one that
    /// changes data: `| head` must not leave its work half done.
    package var outlivesReader = false
    package var run: (@Sendable (Invocation) throws -> ExitStatus)?

    /// A command line with what it is good for.
    package struct Example: Sendable {
        package let purpose: String
        package let line: String
        package init(_ purpose: String, _ line: String) {
            self.purpose = purpose
            self.line = line
        }
    }

    package struct EnvironmentVariable: Sendable {
        package let name: String
        package let meaning: String
        package init(_ name: String, _ meaning: String) {
            self.name = name
            self.meaning = meaning
        }
    }

    /// A command that does something.
    package init(
        _ name: String, abstract: String, discussion: String = "", examples: [Example] = [],
        arguments: [any CommandArgument] = [], options: [any CommandOption] = [],
        outlivesReader: Bool = false,
        run: @escaping @Sendable (Invocation) throws -> ExitStatus
    ) {
        self.name = name
        self.abstract = abstract
        self.discussion = discussion
        self.examples = examples
        self.arguments = arguments
        self.options = options
        self.subcommands = []
        self.environment = []
        self.outlivesReader = outlivesReader
        self.run = run
    }

    /// A command that has others.
    package init(
        _ name: String, abstract: String, discussion: String = "", examples: [Example] = [],
        options: [any CommandOption] = [], environment: [EnvironmentVariable] = [],
        defaultSubcommand: String? = nil, subcommands: [Command]
    ) {
        self.name = name
        self.abstract = abstract
        self.discussion = discussion
        self.examples = examples
        self.arguments = []
        self.options = options
        self.subcommands = subcommands
        self.defaultSubcommand = defaultSubcommand
        self.environment = environment
    }

    func subcommand(named name: String) -> Command? {
        subcommands.first { $0.name == name }
    }
}

/// A command with those above it, outermost first. What a command line says up to some word.
package struct CommandPath: Sendable {
    private(set) package var commands: [Command]

    package init(_ root: Command) { commands = [root] }

    package var root: Command { commands[0] }
    package var command: Command { commands[commands.count - 1] }
    /// The words that lead to it: `grouplog-reader cursor set`.
    package var words: String { commands.map(\.name).joined(separator: " ") }

    func appending(_ command: Command) -> CommandPath {
        var path = self
        path.commands.append(command)
        return path
    }

    /// The command's own options.
    var ownOptions: [OptionSpec] { command.options.map(\.spec) }

    /// Options of the commands above it.
    var inheritedOptions: [OptionSpec] {
        commands.dropLast().flatMap { $0.options.map(\.spec) }
    }

    /// The options that every tool has at this place.
    var builtInOptions: [OptionSpec] {
        commands.count == 1 ? BuiltIn.ofRoot : BuiltIn.everywhere
    }

    /// All options that may stand at this place.
    var options: [OptionSpec] { ownOptions + inheritedOptions + builtInOptions }
}

/// The options that no tool has to declare.
enum BuiltIn {
    static let help = Flag("help", short: "h", "Show this help.")
    static let version = Flag("version", "Show the version.")
    static let completionScript = Option<Shell?>(
        "generate-completion-script", "shell",
        "Print a completion script for \(alternatives(Shell.allCases.map(\.rawValue))).",
        as: .choice)
    static let manualPage = Flag(
        "generate-man-page", "Print the manual page: environment, exit statuses.")

    static let everywhere = [version.spec, help.spec]
    static let ofRoot = [completionScript.spec, manualPage.spec] + everywhere
    /// The word that asks for help as a command would: `tool help list`.
    static let helpWord = "help"
}

package enum Shell: String, CaseIterable, Sendable {
    case bash, zsh, fish
}
