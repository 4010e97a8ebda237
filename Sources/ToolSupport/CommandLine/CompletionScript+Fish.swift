extension Command {
    /// A script for fish, to stand in `completions/NAME.fish`.
    func fishCompletion(_ places: [CompletionPlace]) -> [String] {
        let function = "__\(shellIdentifier)_place"
        var lines = [
            "# Completion of \(name) in fish, made by: \(name) --generate-completion-script fish",
            "function \(function)",
            "    set -l words (commandline -opc)",
            "    set -l place \(quoted(name))",
            "    set -l index 2",
            "    while test $index -le (count $words)",
            "        switch \"$place $words[$index]\"",
        ]
        for place in places {
            for subcommand in place.subcommands {
                let words = quoted("\(place.path.words) \(subcommand.name)")
                lines += ["            case \(words)", "                set place \(words)"]
            }
        }
        for place in places {
            let names = place.optionsWithValue.flatMap(\.names).map {
                quoted("\(place.path.words) \($0)")
            }
            if names.isEmpty { continue }
            lines += [
                "            case \(names.joined(separator: " "))",
                "                set index (math $index + 1)",
            ]
        }
        lines += [
            "        end",
            "        set index (math $index + 1)",
            "    end",
            "    test \"$place\" = \"$argv\"",
            "end",
            "complete -c \(name) -f",
        ]
        for place in places {
            let start = "complete -c \(name) -n \(quoted("\(function) \(place.path.words)"))"
            for subcommand in place.subcommands {
                lines.append(
                    "\(start) -a \(quoted(subcommand.name)) -d \(quoted(subcommand.abstract))")
            }
            for option in place.options {
                var line = "\(start) -l \(option.long)"
                if let short = option.short { line += " -s \(short)" }
                if option.placeholder != nil { line += value(option.completion) }
                lines.append(line + " -d \(quoted(option.help))")
            }
            switch place.operands {
            case .none: break
            case .choices(let choices):
                lines.append("\(start) -a \(quoted(choices.joined(separator: " ")))")
            case .file: lines.append("\(start) -F")
            case .directory: lines.append("\(start) -a '(__fish_complete_directories)'")
            }
        }
        return lines
    }

    private func value(_ completion: Completion) -> String {
        switch completion {
        case .none: " -x"
        case .choices(let choices): " -x -a \(quoted(choices.joined(separator: " ")))"
        case .file: " -r -F"
        case .directory: " -x -a '(__fish_complete_directories)'"
        }
    }

    /// fish takes a backslash in single quotes as an escape of a quote or a backslash.
    private func quoted(_ text: String) -> String {
        let text = text.reduce(into: "") { result, character in
            if character == "'" || character == "\\" { result += "\\" }
            result.append(character)
        }
        return "'\(text)'"
    }
}
