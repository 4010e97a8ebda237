extension Command {
    /// What is wrong with the description, as sentences. A tool's tests see to it that there is
    /// nothing; the parser relies on it.
    package var contradictions: [String] {
        let root = CommandPath(self)
        return ([root] + root.descendants).flatMap(\.contradictions)
    }
}

extension CommandPath {
    fileprivate var contradictions: [String] {
        var found: [String] = []
        func note(_ problem: String) { found.append("\(words): \(problem)") }

        let names = options.flatMap(\.names)
        for name in Set(names) where names.count(where: { $0 == name }) > 1 {
            note("option \(name) is there twice")
        }
        for name in names where !isWord(name.drop { $0 == "-" }) {
            note("option \(name) has a name that is not made of ASCII letters, digits and dashes")
        }
        let subcommands = command.subcommands.map(\.name)
        for name in Set(subcommands) where subcommands.count(where: { $0 == name }) > 1 {
            note("subcommand \(name) is there twice")
        }
        for name in subcommands where !isWord(name[...]) || name == BuiltIn.helpWord {
            note("subcommand \(name) has a name that cannot be used")
        }
        if let name = command.defaultSubcommand, command.subcommand(named: name) == nil {
            note("the default subcommand \(name) is missing")
        }
        if subcommands.isEmpty != (command.run != nil) {
            note("a command has either work to do or subcommands")
        }
        let arguments = command.arguments.map(\.spec)
        for (argument, next) in zip(arguments, arguments.dropFirst()) {
            if argument.repeats { note("<\(argument.name)> repeats, but is not the last operand") }
            if !argument.isRequired, next.isRequired {
                note("<\(next.name)> is required, but stands behind one that is not")
            }
        }
        for text in [command.abstract] + options.map(\.help) + arguments.map(\.help)
        where text.isEmpty || text.contains("\n") {
            note("'\(text)' should be one line")
        }
        return found
    }

    /// Names go unquoted into shell scripts.
    private func isWord(_ name: Substring) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || $0 == UInt8(ascii: "-")
            }
    }
}
