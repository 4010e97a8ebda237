/// A command line that cannot be understood.
package struct UsageError: Error, Sendable {
    package let problem: Problem
    /// The command that was being read.
    package let path: CommandPath
    /// What may have been meant, best first.
    package let suggestions: [String]

    package enum Problem: Hashable, Sendable {
        case unknownOption(String)
        case unknownSubcommand(String)
        case missingSubcommand
        case missingValue(option: String)
        case needlessValue(option: String)
        case repeatedOption(String)
        case missingOption(String)
        case missingArgument(String)
        case unexpectedArgument(String)
        case invalidValue(String, parameter: String, reason: String)
    }

    init(_ problem: Problem, _ path: CommandPath, suggestions: [String] = []) {
        self.problem = problem
        self.path = path
        self.suggestions = suggestions
    }

    /// In lower case, to stand behind the tool's name.
    package var message: String {
        switch problem {
        case .unknownOption(let option): "unknown option '\(visible(option))'"
        case .unknownSubcommand(let word): "unknown subcommand '\(visible(word))'"
        case .missingSubcommand: "missing subcommand"
        case .missingValue(let option): "missing value for '\(option)'"
        case .needlessValue(let option): "option '\(option)' takes no value"
        case .repeatedOption(let option): "option '\(option)' is given more than once"
        case .missingOption(let option): "missing option '\(option)'"
        case .missingArgument(let name): "missing argument '\(name)'"
        case .unexpectedArgument(let text): "unexpected argument '\(visible(text))'"
        case .invalidValue(let text, let parameter, let reason):
            "invalid value '\(visible(text))' for '\(parameter)': \(visible(reason))"
        }
    }

    package var hint: String {
        let help = "see '\(path.words) --help'"
        if suggestions.isEmpty { return help }
        return "did you mean \(alternatives(suggestions.map { "'\(visible($0))'" }))? \(help)"
    }
}
