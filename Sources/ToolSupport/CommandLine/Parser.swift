/// What a command line asks for.
package enum Request: Sendable {
    case run(CommandPath, ParsedValues)
    case help(CommandPath)
    case version
    case completionScript(Shell)
    case manualPage
}

extension Command {
    /// Reads the words behind the tool's name.
    ///
    /// The syntax is GNU's. Options may stand anywhere among the operands, up to `--`. An option
    /// that has a value takes the next word whatever it begins with, so that a script can store
    /// `--title "$title"`; only where that word is an option of the command by its long name, the
    /// value was most likely forgotten, and has to be written `--title=--url` if it was not. An
    /// option that does not repeat is given once. A word that begins with a dash and a digit is an
    /// operand, unless a command has that digit as a letter. Names are never abbreviated: scripts
    /// would break when an option is added.
    package func parse(_ words: [String]) throws(UsageError) -> Request {
        var parser = Parser(path: CommandPath(self))
        return try parser.parse(words)
    }
}

private struct Parser {
    var path: CommandPath
    /// The texts given for each option, by its long name. A flag's are empty.
    private var given: [String: [String]] = [:]
    private var operands: [String] = []
    private var words = ArraySlice<String>()
    /// What the command line asks for instead of running the command.
    private var detour: Request?
    /// The word in whose stead the default subcommand was taken.
    private var notASubcommand: String?

    init(path: CommandPath) { self.path = path }

    mutating func parse(_ all: [String]) throws(UsageError) -> Request {
        words = all[...]
        while detour == nil, let word = words.popFirst() {
            // Bytes, not characters: a combining mark behind a dash or an equals sign would make
            // another character of it.
            let bytes = word.utf8
            if word == "--" {
                while let operand = words.popFirst() { try take(operand: operand) }
            } else if bytes.starts(with: "--".utf8) {
                try take(longOption: word)
            } else if bytes.first == UInt8(ascii: "-"), bytes.count > 1, !isNegativeNumber(word) {
                try take(shortOptions: word)
            } else {
                try take(operand: word)
            }
        }
        if let detour { return detour }
        if let name = path.command.defaultSubcommand { enter(name) }
        guard path.command.subcommands.isEmpty else {
            throw UsageError(.missingSubcommand, path)
        }
        return .run(path, try resolve())
    }

    private func isNegativeNumber(_ word: String) -> Bool {
        var rest = word.utf8.dropFirst()
        if rest.first == UInt8(ascii: ".") { rest = rest.dropFirst() }
        guard let digit = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit)
        else { return false }
        return !path.options.contains { $0.short?.asciiValue == digit }
    }

    // MARK: Options

    private mutating func take(longOption word: String) throws(UsageError) {
        let name: String
        var value: String?
        if let equals = word.utf8.firstIndex(of: UInt8(ascii: "=")) {
            name = String(word.unicodeScalars[..<equals])
            value = String(word.unicodeScalars[word.utf8.index(after: equals)...])
        } else {
            name = word
        }
        let option = try find(name) { "--" + $0.long == name }
        if option.placeholder == nil {
            guard value == nil else { throw UsageError(.needlessValue(option: name), path) }
            try note(option, "")
        } else {
            let text =
                if let value { value } else {
                    try nextWord(for: option, spelled: name + "=")
                }
            try note(option, text)
        }
    }

    /// The word behind an option, as its value.
    private mutating func nextWord(
        for option: OptionSpec, spelled spelling: String
    ) throws(UsageError) -> String {
        guard let word = words.popFirst() else {
            throw UsageError(.missingValue(option: option.usage), path)
        }
        let isOption = path.options.contains { other in
            let name = Array("--\(other.long)".utf8)
            return word.utf8.starts(with: name)
                && [nil, UInt8(ascii: "=")].contains(word.utf8.dropFirst(name.count).first)
        }
        guard !isOption else {
            throw UsageError(
                .missingValue(option: option.usage), path, suggestions: [spelling + word])
        }
        return word
    }

    /// A dash and letters: flags, of which the last may be an option with a value, which is the
    /// rest of the word or else the next word.
    private mutating func take(shortOptions word: String) throws(UsageError) {
        var letters = word.unicodeScalars.dropFirst()
        while let letter = letters.popFirst() {
            let name = "-\(letter)"
            let option = try find(name) { $0.short == Character(letter) }
            guard option.placeholder != nil else {
                try note(option, "")
                continue
            }
            let text = letters.isEmpty ? try nextWord(for: option, spelled: name) : String(letters)
            return try note(option, text)
        }
    }

    private mutating func find(
        _ name: String, where matches: (OptionSpec) -> Bool
    ) throws(UsageError) -> OptionSpec {
        if let option = path.options.first(where: matches) { return option }
        if let word = path.command.defaultSubcommand,
            let subcommand = path.command.subcommand(named: word),
            let option = subcommand.options.map(\.spec).first(where: matches)
        {
            enter(word)
            return option
        }
        // An option of a subcommand, written before it.
        let owners = path.command.subcommands.filter {
            $0.options.map(\.spec).contains(where: matches)
        }
        var meant = owners.prefix(3).map { "\(path.words) \($0.name) \(name)" }
        if meant.isEmpty { meant = misspeltSubcommand }
        throw UsageError(
            .unknownOption(name), path,
            suggestions: meant.isEmpty
                ? suggestions(for: name, among: path.options.map { "--" + $0.long }) : meant)
    }

    /// The subcommands that may have been meant where a word was taken for an operand of the default
    /// one.
    private var misspeltSubcommand: [String] {
        let names = path.root.subcommands.map(\.name)
        return notASubcommand.map { suggestions(for: $0, among: names) } ?? []
    }

    private mutating func note(_ option: OptionSpec, _ text: String) throws(UsageError) {
        guard option.repeats || option.placeholder == nil || given[option.long] == nil else {
            throw UsageError(.repeatedOption(option.usage), path)
        }
        given[option.long, default: []].append(text)
        switch option.long {
        case BuiltIn.help.spec.long: detour = .help(path)
        case BuiltIn.version.spec.long: detour = .version
        case BuiltIn.manualPage.spec.long: detour = .manualPage
        case BuiltIn.completionScript.spec.long:
            if let shell = try value(of: option, [text]) as? Shell {
                detour = .completionScript(shell)
            }
        default: break
        }
    }

    // MARK: Operands

    private mutating func take(operand word: String) throws(UsageError) {
        guard !path.command.subcommands.isEmpty else { return operands.append(word) }
        if path.command.subcommand(named: word) != nil {
            enter(word)
        } else if word == BuiltIn.helpWord {
            detour = .help(try helpPath())
            words = []
        } else if let name = path.command.defaultSubcommand {
            notASubcommand = word
            enter(name)
            try take(operand: word)
        } else {
            throw unknownSubcommand(word, of: path)
        }
    }

    /// The command that the words behind `help` name.
    private mutating func helpPath() throws(UsageError) -> CommandPath {
        var path = path
        while let word = words.popFirst() {
            guard let command = path.command.subcommand(named: word) else {
                throw unknownSubcommand(word, of: path)
            }
            path = path.appending(command)
        }
        return path
    }

    private func unknownSubcommand(_ word: String, of path: CommandPath) -> UsageError {
        UsageError(
            .unknownSubcommand(word), path,
            suggestions: suggestions(for: word, among: path.command.subcommands.map(\.name)))
    }

    private mutating func enter(_ name: String) {
        guard let command = path.command.subcommand(named: name) else {
            preconditionFailure("'\(path.words)' has no subcommand '\(name)'")
        }
        path = path.appending(command)
    }

    // MARK: Values

    private func resolve() throws(UsageError) -> ParsedValues {
        var values = ParsedValues()
        for option in path.ownOptions + path.inheritedOptions {
            let texts = given[option.long] ?? []
            if texts.isEmpty {
                if option.isRequired { throw UsageError(.missingOption(option.usage), path) }
                if option.placeholder == nil { continue }
            }
            try reporting(option.usage) { () throws(InvalidValue) in
                try values.set(option, to: texts)
            }
        }
        var rest = operands[...]
        for argument in path.command.arguments.map(\.spec) {
            if argument.isRequired, rest.isEmpty {
                throw UsageError(.missingArgument("<\(argument.name)>"), path)
            }
            let texts = Array(argument.repeats ? rest : rest.prefix(1))
            rest = rest.dropFirst(texts.count)
            try reporting("<\(argument.name)>") { () throws(InvalidValue) in
                try values.set(argument, to: texts)
            }
        }
        if let surplus = rest.first { throw unexpected(surplus) }
        return values
    }

    /// With a default subcommand, a surplus operand may come from a misspelt subcommand.
    private func unexpected(_ word: String) -> UsageError {
        UsageError(.unexpectedArgument(word), path, suggestions: misspeltSubcommand)
    }

    private func value(of option: OptionSpec, _ texts: [String]) throws(UsageError) -> any Sendable
    {
        try reporting(option.usage) { () throws(InvalidValue) in try option.resolve(texts) }
    }

    private func reporting<Value>(
        _ parameter: String, _ body: () throws(InvalidValue) -> Value
    ) throws(UsageError) -> Value {
        do throws(InvalidValue) {
            return try body()
        } catch {
            throw UsageError(
                .invalidValue(error.text, parameter: parameter, reason: error.problem.reason), path)
        }
    }
}
