extension Command {
    /// What `--generate-man-page` prints: a page in the language of man(7).
    package func manualPage(version: String) -> String {
        var page = ManualPage()
        let root = CommandPath(self)
        page.title(name, version: version)
        page.section("NAME")
        page.text(name + " \\- " + ManualPage.escaped(abstract.withoutFullStop))
        page.section("SYNOPSIS")
        page.synopsis(root)
        page.section("DESCRIPTION")
        page.paragraphs(discussion.isEmpty ? abstract : discussion)
        page.section("OPTIONS")
        for option in root.options { page.option(option) }
        if !subcommands.isEmpty {
            page.section("COMMANDS")
            for path in root.descendants { page.command(path) }
        }
        page.examples(examples)
        if !environment.isEmpty {
            page.section("ENVIRONMENT")
            for variable in environment {
                page.entry("\\fB\(ManualPage.escaped(variable.name))\\fR", variable.meaning)
            }
        }
        page.section("EXIT STATUS")
        for status in ExitStatus.allCases {
            page.entry("\\fB\(status.rawValue)\\fR", status.meaning)
        }
        return page.lines.joined(separator: "\n") + "\n"
    }
}

extension CommandPath {
    /// The commands below this one, each before its own subcommands.
    var descendants: [CommandPath] {
        command.subcommands.flatMap { subcommand in
            let path = appending(subcommand)
            return [path] + path.descendants
        }
    }
}

/// The lines of a page. Texts are escaped here; what is handed over as roff is so named.
private struct ManualPage {
    var lines: [String] = []

    /// The text as roff prints it unchanged: a backslash begins an escape, a hyphen would become a
    /// typographic one that cannot be copied into a shell, and a point or an apostrophe at the
    /// beginning of a line would make it a request.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            default: result.unicodeScalars.append(scalar)
            }
        }
        let first = result.utf8.first
        return first == UInt8(ascii: ".") || first == UInt8(ascii: "'") ? "\\&" + result : result
    }

    /// In an argument of a request, where quotes hold words together.
    private static func quoted(_ text: String) -> String {
        let text = escaped(text).split(separator: "\"", omittingEmptySubsequences: false)
        return "\"" + text.joined(separator: "\\(dq") + "\""
    }

    mutating func title(_ name: String, version: String) {
        lines.append(
            ".TH \(Self.quoted(name.uppercased())) 1 \"\" \(Self.quoted("\(name) \(version)"))")
    }

    mutating func section(_ title: String) { lines.append(".SH \(Self.quoted(title))") }

    mutating func text(_ roff: String) { lines.append(roff) }

    mutating func synopsis(_ path: CommandPath) {
        for (index, parts) in path.usages.enumerated() {
            if index > 0 { lines.append(".br") }
            let words = Self.escaped(path.words)
            lines.append("\\fB\(words)\\fR " + parts.map(Self.escaped).joined(separator: " "))
        }
    }

    mutating func paragraphs(_ text: String) {
        for (index, paragraph) in text.split(separator: "\n").enumerated() {
            if index > 0 { lines.append(".PP") }
            lines.append(Self.escaped(String(paragraph)))
        }
    }

    mutating func entry(_ roffLabel: String, _ text: String) {
        lines += [".TP", roffLabel, Self.escaped(text)]
    }

    mutating func option(_ option: OptionSpec) {
        var label = option.short.map { "\\fB\(Self.escaped("-\($0)"))\\fR, " } ?? ""
        label += "\\fB\(Self.escaped("--" + option.long))\\fR"
        if let placeholder = option.placeholder { label += " \\fI\(Self.escaped(placeholder))\\fR" }
        entry(label, option.help + option.notes)
    }

    mutating func command(_ path: CommandPath) {
        let words = path.commands.dropFirst().map(\.name).joined(separator: " ")
        lines.append(".SS \(Self.quoted(words))")
        paragraphs(path.command.abstract)
        lines.append(".PP")
        synopsis(path)
        if !path.command.discussion.isEmpty {
            lines.append(".PP")
            paragraphs(path.command.discussion)
        }
        for argument in path.command.arguments.map(\.spec) {
            entry("\\fI\(Self.escaped(argument.name))\\fR", argument.help + argument.notes)
        }
        for option in path.ownOptions { self.option(option) }
        for example in path.command.examples { self.example(example) }
    }

    mutating func examples(_ examples: [Command.Example]) {
        guard !examples.isEmpty else { return }
        section("EXAMPLES")
        for example in examples { self.example(example) }
    }

    private mutating func example(_ example: Command.Example) {
        lines += [".PP", Self.escaped(example.purpose + ":"), ".PP", ".RS 4", ".EX"]
        lines += [Self.escaped(example.line), ".EE", ".RE"]
    }
}

extension String {
    fileprivate var withoutFullStop: String {
        utf8.last == UInt8(ascii: ".") ? String(dropLast()) : self
    }
}
