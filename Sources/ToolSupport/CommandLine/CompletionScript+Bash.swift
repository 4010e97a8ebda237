extension Command {
    /// A script for bash 3.2 and newer: it uses nothing that the bash of macOS does not have.
    func bashCompletion(_ places: [CompletionPlace]) -> [String] {
        let function = "_" + shellIdentifier
        var lines = [
            "# Completion of \(name) in bash, made by: \(name) --generate-completion-script bash",
            "\(function)() {",
            "    local current=\"${COMP_WORDS[COMP_CWORD]}\"",
            "    local previous=\"${COMP_WORDS[COMP_CWORD-1]}\"",
            "    local place=\(shellQuoted(name)) index=1 kind= words= IFS=$' \\t\\n'",
            "    while [ \"$index\" -lt \"$COMP_CWORD\" ]; do",
            "        case \"$place ${COMP_WORDS[index]}\" in",
        ]
        for place in places {
            for subcommand in place.subcommands {
                let words = shellQuoted("\(place.path.words) \(subcommand.name)")
                lines.append("            \(words)) place=\(words) ;;")
            }
        }
        // bash takes "=" as a word of its own.
        lines += patterns(places).map { pattern in
            "            \(pattern)) index=$((index + 1)); "
                + "[ \"${COMP_WORDS[index]}\" = '=' ] && index=$((index + 1)) ;;"
        }
        lines += [
            "        esac",
            "        index=$((index + 1))",
            "    done",
            "    [ \"$current\" = '=' ] && current=",
            "    [ \"$previous\" = '=' ] && previous=\"${COMP_WORDS[COMP_CWORD-2]}\"",
            "    case \"$place $previous\" in",
        ]
        for place in places {
            for (names, option) in place.optionsWithValue {
                let pattern = names.map { shellQuoted("\(place.path.words) \($0)") }
                lines.append(
                    "        \(pattern.joined(separator: "|"))) \(assignment(option.completion)) ;;"
                )
            }
        }
        lines += ["        *) case \"$place\" in"]
        for place in places {
            let options = place.options.flatMap(\.names).joined(separator: " ")
            let words = place.firstWords.joined(separator: " ")
            lines += [
                "            \(shellQuoted(place.path.words)))",
                "                case \"$current\" in",
                "                    -*) kind=words words=\(shellQuoted(options)) ;;",
                "                    *) \(assignment(place.operands, else: words)) ;;",
                "                esac ;;",
            ]
        }
        return lines + [
            "        esac ;;",
            "    esac",
            "    COMPREPLY=()",
            "    case \"$kind\" in",
            "        *words*) COMPREPLY=($(compgen -W \"$words\" -- \"$current\")) ;;",
            "    esac",
            "    IFS=$'\\n'",
            "    case \"$kind\" in",
            "        *file*) COMPREPLY+=($(compgen -f -- \"$current\")) ;;",
            "        *directory*) COMPREPLY+=($(compgen -d -- \"$current\")) ;;",
            "        *) return ;;",
            "    esac",
            "    type compopt >/dev/null 2>&1 && compopt -o filenames",
            "}",
            "complete -F \(function) \(name)",
        ]
    }

    private func patterns(_ places: [CompletionPlace]) -> [String] {
        places.flatMap { place in
            place.optionsWithValue.map { names, _ in
                names.map { shellQuoted("\(place.path.words) \($0)") }.joined(separator: "|")
            }
        }
    }

    private func assignment(_ completion: Completion, else words: String = "") -> String {
        switch completion {
        case .none: "kind=words words=\(shellQuoted(words))"
        case .choices(let choices):
            "kind=words words=\(shellQuoted(choices.joined(separator: " ")))"
        case .file: "kind=words,file words=\(shellQuoted(words))"
        case .directory: "kind=words,directory words=\(shellQuoted(words))"
        }
    }
}
