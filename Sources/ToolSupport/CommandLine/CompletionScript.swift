extension Command {
    /// What `--generate-completion-script` prints.
    package func completionScript(for shell: Shell) -> String {
        let root = CommandPath(self)
        let places = ([root] + root.descendants).map(CompletionPlace.init)
        let lines =
            switch shell {
            case .bash: bashCompletion(places)
            case .zsh: zshCompletion(places)
            case .fish: fishCompletion(places)
            }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The tool's name as a part of a shell function's name.
    var shellIdentifier: String {
        String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    }
}

/// What may stand behind the words of one command.
///
/// A script walks the words before the cursor: one that names a subcommand leads on, an option with
/// a value takes the next word along. What it ends at is the place.
struct CompletionPlace {
    let path: CommandPath
    let options: [OptionSpec]
    let subcommands: [Command]
    /// What completes operands: the first one with a completion speaks for all.
    let operands: Completion

    init(_ path: CommandPath) {
        self.path = path
        subcommands = path.command.subcommands
        var options = path.options
        var arguments = path.command.arguments
        // A default subcommand may be left out, so what belongs to it is offered here as well.
        if let name = path.command.defaultSubcommand,
            let command = path.command.subcommand(named: name)
        {
            options += command.options.map(\.spec)
            arguments = command.arguments
        }
        self.options = options
        operands = arguments.map(\.spec.completion).first { $0 != .none } ?? .none
    }

    /// Options of which the next word is the value, by all names they have.
    var optionsWithValue: [(names: [String], spec: OptionSpec)] {
        options.filter { $0.placeholder != nil }.map { ($0.names, $0) }
    }

    /// The words that may be completed from the beginning, options aside.
    var firstWords: [String] {
        let names = subcommands.map(\.name)
        return names.isEmpty ? [] : names + [BuiltIn.helpWord]
    }
}

extension OptionSpec {
    /// As they are written: `--limit`, `-n`.
    var names: [String] { ["--" + long] + (short.map { ["-\($0)"] } ?? []) }
}

/// A word that a POSIX shell takes literally.
func shellQuoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
        + "'"
}
