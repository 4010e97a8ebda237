import Foundation
import Testing
import ToolSupport

@Suite("Completion scripts and manual page")
struct GeneratedScriptTests {
    /// Runs a program on a script in a file; nil where the program is not installed.
    private func output(
        of program: String, _ options: [String], onFile text: String, then last: [String] = []
    ) throws -> (status: Int32, text: String)? {
        guard let path = Self.path(of: program) else { return nil }
        let file = FileManager.default.temporaryDirectory
            .appending(path: "script-\(UUID().uuidString)")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = options + [file.path] + last
        var environment = ProcessInfo.processInfo.environment
        environment["HOME"] = file.path + "-home"
        environment["LC_ALL"] = "C.UTF-8"
        process.environment = environment
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }

    private static func path(of program: String) -> String? {
        ["/usr/bin/", "/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].map { $0 + program }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    @Test("every shell that is installed can read its script", arguments: Shell.allCases)
    func syntax(shell: Shell) throws {
        for command in [Sample.command, Sample.dump] {
            let script = command.completionScript(for: shell)
            guard let checked = try output(of: shell.rawValue, ["-n"], onFile: script) else {
                return
            }
            #expect(checked.status == 0 && checked.text.isEmpty, "\(checked.text)")
        }
    }

    private static let completions: [(words: [String], expected: [String])] = [
        ([""], ["list", "edit", "cursor", "help"]),
        (["l"], ["list"]),
        (["--s"], ["--store"]),
        (["--color", ""], ["auto", "always", "never"]),
        (["--color", "=", "a"], ["auto", "always"]),
        (["--color", "=", "auto", "cursor", ""], ["set", "retire", "help"]),
        (["--store", "list", "e"], ["edit"]),
        (["--store", "=", "list", "e"], ["edit"]),
        (["list", "--f"], ["--format"]),
        (["list", "--format", ""], ["jsonl", "csv"]),
        (["list", "-n", ""], []),
        (["cursor", "s"], ["set"]),
        (["cursor", "set", "--j"], ["--json"]),
        (["list", "edit", "--re"], ["--reverse"]),
    ]

    @Test("bash completes subcommands, options and values", arguments: completions.indices)
    func bash(index: Int) throws {
        let (words, expected) = Self.completions[index]
        let line = (["sample"] + words).map { "'\($0)'" }.joined(separator: " ")
        let script =
            Sample.command.completionScript(for: .bash)
            + "COMP_WORDS=(\(line)); COMP_CWORD=\(words.count); _sample\n"
            + "printf '%s\\n' \"${COMPREPLY[@]}\"\n"
        guard let result = try output(of: "bash", ["--norc"], onFile: script) else { return }
        #expect(result.text.split(separator: "\n").map(String.init) == expected)
    }

    @Test("fish completes subcommands, options and values")
    func fish() throws {
        let asked: [(line: String, expected: [String])] = [
            ("sample ", ["cursor", "edit", "list"]),
            ("sample --store list e", ["edit"]),
            ("sample list --format ", ["csv", "jsonl"]),
            ("sample --color=a", ["--color=always", "--color=auto"]),
            ("sample cursor s", ["set"]),
            ("sample list edit --re", ["--reverse"]),
        ]
        for (line, expected) in asked {
            let script =
                Sample.command.completionScript(for: .fish)
                + "complete -C '\(line)'\n"
            guard let result = try output(of: "fish", ["--no-config"], onFile: script) else {
                return
            }
            let words = result.text.split(separator: "\n").map {
                String($0.split(separator: "\t")[0])
            }
            #expect(words.sorted() == expected, "\(line): \(result.text)")
        }
    }

    @Test("the manual page has its sections and no warnings")
    func manualPage() throws {
        let page = Sample.command.manualPage(version: "1.2.3")
        for section in ["NAME", "SYNOPSIS", "OPTIONS", "COMMANDS", "EXAMPLES", "EXIT STATUS"] {
            #expect(page.contains("\n.SH \"\(section)\"\n"))
        }
        #expect(page.hasPrefix(".TH \"SAMPLE\" 1 \"\" \"sample 1.2.3\"\n"))
        guard
            let result = try output(
                of: "groff", ["-man", "-Tutf8", "-ww", "-rLL=200n", "-K", "utf8", "-P", "-c"],
                onFile: page)
        else { return }
        #expect(!result.text.contains("warning"), "\(result.text)")
        #expect(result.text.contains("--limit"))
        #expect(result.text.contains("It's \\ a 'test' of texts - with signs."))
    }

    @Test("no text of a manual page is taken as a request")
    func hostileTexts() {
        let command = Command(
            "x", abstract: ".so /etc/passwd", discussion: "'br\n\\fBbold\n.ig",
            examples: [.init("'a", ".b")]
        ) { _ in .done }
        let requests = Set([
            "TH", "SH", "SS", "TP", "PP", "RS", "RE", "EX", "EE", "br",
        ])
        for line in command.manualPage(version: "\"1\"").split(separator: "\n") {
            if let first = line.first, first == "." || first == "'" {
                let request = line.dropFirst().prefix { $0.isLetter }
                #expect(first == "." && requests.contains(String(request)), "\(line)")
            }
        }
    }
}
