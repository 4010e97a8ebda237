extension CommandPath {
    /// What `--help` prints, in lines of at most the width.
    package func help(width: Int = 80) -> String {
        var sections = [overview(width)]
        sections.append(usageSection(width))
        sections.append(examplesSection)
        sections.append(
            section(
                "ARGUMENTS", width,
                command.arguments.map(\.spec).map { ("<\($0.name)>", $0.help + $0.notes) }))
        // The root lists its options with those that it has from here, subcommands list what they
        // share apart, so that what makes them different comes first.
        let isRoot = commands.count == 1
        let own = isRoot ? options : ownOptions
        sections.append(section("OPTIONS", width, own.map(\.helpEntry)))
        if !isRoot {
            let common = inheritedOptions + builtInOptions
            sections.append(section("COMMON OPTIONS", width, common.map(\.helpEntry)))
        }
        sections.append(subcommandsSection(width))
        return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
            .joined(separator: "\n\n") + "\n"
    }

    private func overview(_ width: Int) -> [String] {
        var lines = wrapped("OVERVIEW: " + command.abstract, width: width)
        if !command.discussion.isEmpty {
            for paragraph in command.discussion.split(separator: "\n") {
                lines.append("")
                lines += wrapped(String(paragraph), width: width)
            }
        }
        return lines
    }

    private func usageSection(_ width: Int) -> [String] {
        let title = "USAGE: "
        var lines: [String] = []
        for usage in usages {
            // The parts of a usage hold spaces and are not torn apart.
            var line = lines.isEmpty ? title : padding("", to: title.count)
            line += words
            let indent = line.utf8.count
            for part in usage {
                if displayWidth(line) + 1 + displayWidth(part) > width,
                    displayWidth(line) > indent
                {
                    lines.append(line)
                    line = padding("", to: indent)
                }
                line += " " + part
            }
            lines.append(line)
        }
        return lines
    }

    private var examplesSection: [String] {
        guard !command.examples.isEmpty else { return [] }
        return ["EXAMPLES:"]
            + command.examples.flatMap { ["  \($0.purpose):", "    \($0.line)"] }
    }

    private func subcommandsSection(_ width: Int) -> [String] {
        let entries = command.subcommands.map { subcommand in
            let mark = subcommand.name == command.defaultSubcommand ? " (default)" : ""
            return (subcommand.name + mark, subcommand.abstract)
        }
        let lines = section("SUBCOMMANDS", width, entries)
        if lines.isEmpty { return [] }
        return lines + ["", "  See '\(root.name) help \(wordsBelowRoot)<subcommand>' for details."]
    }

    private var wordsBelowRoot: String {
        commands.dropFirst().map { $0.name + " " }.joined()
    }

    /// A titled list of labels and what they mean.
    private func section(
        _ title: String, _ width: Int, _ entries: [(label: String, text: String)]
    ) -> [String] {
        if entries.isEmpty { return [] }
        let column = 26
        var lines = [title + ":"]
        for (label, text) in entries {
            let texts = wrapped(text, width: max(20, width - column))
            let start = "  " + label
            var rest = texts[...]
            if displayWidth(start) + 1 < column, let first = rest.popFirst() {
                lines.append(start + padding(start, to: column) + first)
            } else {
                lines.append(start)
            }
            lines += rest.map { padding("", to: column) + $0 }
        }
        return lines
    }
}

extension CommandPath {
    /// What may stand behind the command's words, one list of parts for each form it has. The
    /// options that all subcommands share are left out.
    var usages: [[String]] {
        guard !command.subcommands.isEmpty else { return [command.usageParts] }
        let shared = command.options.isEmpty ? [] : ["[<options>]"]
        var forms = [shared + ["<subcommand>"]]
        if let name = command.defaultSubcommand, let subcommand = command.subcommand(named: name) {
            forms.insert(shared + ["[\(name)]"] + subcommand.usageParts, at: 0)
        }
        return forms
    }
}

extension Command {
    fileprivate var usageParts: [String] {
        options.map(\.spec.usagePart) + arguments.map(\.spec.usagePart)
    }
}

extension OptionSpec {
    /// The option as it is written: `--limit <n>`.
    var usage: String {
        guard let placeholder else { return "--" + long }
        return "--\(long) <\(placeholder)>"
    }

    fileprivate var usagePart: String {
        let text = repeats ? usage + " ..." : usage
        return isRequired ? text : "[\(text)]"
    }

    fileprivate var helpEntry: (label: String, text: String) {
        (short.map { "-\($0), " + usage } ?? usage, help + notes)
    }

    /// What can be said about the value besides the help text.
    var notes: String { completion.note(defaultText: defaultText) }
}

extension ArgumentSpec {
    var usagePart: String {
        let text = repeats ? "<\(name)> ..." : "<\(name)>"
        return isRequired ? text : "[\(text)]"
    }

    var notes: String { completion.note(defaultText: nil) }
}

extension Completion {
    fileprivate func note(defaultText: String?) -> String {
        var notes: [String] = []
        if case .choices(let choices) = self {
            notes.append("values: " + choices.joined(separator: ", "))
        }
        if let defaultText { notes.append("default: " + defaultText) }
        return notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))"
    }
}
