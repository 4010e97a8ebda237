extension Command {
    /// A script for zsh, to stand in a file `_NAME` of a folder in `fpath`, or to be sourced.
    func zshCompletion(_ places: [CompletionPlace]) -> [String] {
        var lines = [
            "#compdef \(name)",
            "# Completion of \(name) in zsh, made by: \(name) --generate-completion-script zsh",
        ]
        for place in places { lines += zshFunction(place) }
        let function = zshName(CommandPath(self))
        // Loaded by compinit the file is the body of the function; sourced it must register itself.
        return lines + [
            "if [ \"$funcstack[1]\" = \(shellQuoted("_" + name)) ]; then",
            "    \(function) \"$@\"",
            "else",
            "    compdef \(function) \(name)",
            "fi",
        ]
    }

    private func zshName(_ path: CommandPath) -> String {
        "_" + path.commands.map(\.shellIdentifier).joined(separator: "__")
    }

    private func zshFunction(_ place: CompletionPlace) -> [String] {
        var lines = [
            "\(zshName(place.path))() {",
            "    local curcontext=\"$curcontext\" state state_descr line",
            "    typeset -A opt_args",
            "    _arguments -S -C \\",
        ]
        lines += place.options.map { "        \(zshOption($0)) \\" }
        if place.subcommands.isEmpty {
            lines += ["        '*:operand:\(action(place.operands))'", "}"]
            return lines
        }
        lines += [
            "        '1: :->first' \\",
            "        '*:: :->rest'",
            "    case \"$state\" in",
            "        first)",
            "            local -a subcommands",
            "            subcommands=(",
        ]
        lines += place.subcommands.map {
            "                " + shellQuoted(described($0.name) + ":" + $0.abstract)
        }
        lines += [
            "            )",
            "            _describe -t commands subcommand subcommands",
        ]
        if place.operands != .none { lines.append("            \(action(place.operands))") }
        lines += ["            ;;", "        rest)", "            case \"$words[1]\" in"]
        lines += place.subcommands.map {
            "                \($0.name)) \(zshName(place.path.appending($0))) ;;"
        }
        if place.operands != .none {
            lines.append("                *) \(action(place.operands)) ;;")
        }
        return lines + ["            esac ;;", "    esac", "}"]
    }

    /// `(-n --limit)'{-n,--limit=}'[help]:n: ` in the language of `_arguments`.
    private func zshOption(_ option: OptionSpec) -> String {
        let takesValue = option.placeholder != nil
        let names = option.names.reversed().map { name in
            !takesValue ? name : name.utf8.starts(with: "--".utf8) ? name + "=" : name + "+"
        }
        let exclusion = option.repeats ? "*" : "(\(option.names.joined(separator: " ")))"
        var value = "[\(bracketed(option.help))]"
        if let placeholder = option.placeholder {
            value += ":\(described(placeholder)):\(action(option.completion))"
        }
        if names.count == 1 { return shellQuoted(exclusion + names[0] + value) }
        return shellQuoted(exclusion) + "{\(names.joined(separator: ","))}" + shellQuoted(value)
    }

    private func action(_ completion: Completion) -> String {
        switch completion {
        case .none: " "
        case .choices(let choices): "(\(choices.joined(separator: " ")))"
        case .file: "_files"
        case .directory: "_files -/"
        }
    }

    private func described(_ text: String) -> String { escaping(text, [":", "\\"]) }
    private func bracketed(_ text: String) -> String { escaping(text, ["]", "[", "\\"]) }

    private func escaping(_ text: String, _ special: Set<Character>) -> String {
        text.reduce(into: "") { result, character in
            if special.contains(character) { result += "\\" }
            result.append(character)
        }
    }
}
