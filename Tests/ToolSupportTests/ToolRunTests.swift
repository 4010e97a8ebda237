import GroupLogSystem
import Testing
import ToolSupport

@Suite("Running a tool")
struct ToolRunTests {
    // Swift Testing has a type of this name as well.
    typealias ExitStatus = ToolSupport.ExitStatus

    private struct Strange: Error {}

    private func run(
        _ words: [String], of command: Command = Sample.command,
        output: MemorySink = MemorySink(), environment: [String: String] = [:]
    ) -> (status: ExitStatus, output: String, messages: String) {
        let messages = MemorySink()
        let tool = Tool(command, version: "1.2.3") {
            $0 is Strange ? ToolError(.conflict, "strange", hint: "try again") : nil
        }
        let status = tool.run(words, output: output, messages: messages) { environment[$0] }
        return (status, output.text, messages.text)
    }

    private func command(
        outlivesReader: Bool = false, _ work: @escaping @Sendable (Invocation) throws -> ExitStatus
    ) -> Command {
        Command("work", abstract: "Works.", outlivesReader: outlivesReader, run: work)
    }

    private let fullDevice = StandardStream.Failure.failed(
        SystemError("write", .noSpace, path: "standard output"))

    @Test("data goes to standard output and the status to the caller")
    func runs() {
        let result = run(["list", "-n", "3", "word", "--sort", "a"])
        #expect(result == (.done, "3 [\"a\"] word\n", ""))
        #expect(run([], of: command { _ in .notFound }).status == .notFound)
    }

    @Test("errors go to standard error, in lower case, with a hint")
    func errors() {
        let usage = run(["lits"])
        #expect(usage.status == .usage)
        #expect(usage.output == "")
        #expect(
            usage.messages == """
                sample: unknown subcommand 'lits'
                hint: did you mean 'list'? see 'sample --help'

                """)
        let known = run([], of: command { _ in throw Strange() })
        #expect(known == (.conflict, "", "work: strange\nhint: try again\n"))
        let hostile = run([], of: command { _ in throw ToolError(.badData, "a\nb\u{1B}") })
        #expect(hostile == (.badData, "", "work: a\\nb\\u{1B}\n"))
    }

    @Test(
        "a failed system call becomes a sentence and a status",
        arguments: [
            (
                .init("open", .noSuchFile, path: "x"), .noInput,
                "cannot open 'x': no such file or directory"
            ),
            (
                .init("open", .accessDenied, path: "a\nb"), .noPermission,
                "cannot open 'a\\nb': permission denied"
            ),
            (.init("pread", .io, path: "x"), .io, "cannot read 'x': input/output error"),
            (.init("read", .interrupted, path: "x"), .interrupted, "interrupted"),
        ] as [(SystemError, ExitStatus, String)])
    func systemErrors(error: SystemError, status: ExitStatus, message: String) {
        let result = run([], of: command { _ in throw error })
        #expect(result == (status, "", "work: \(message)\n"))
    }

    @Test("a closed pipe ends a command quietly")
    func closedPipe() {
        let sink = MemorySink(failing: .brokenPipe)
        let result = run(["list"], output: sink)
        #expect(result == (.done, "", ""))
        #expect(run(["--help"], output: sink) == (.done, "", ""))
    }

    @Test("a command that changes data goes on when nobody reads")
    func outlivesReader() {
        let work = command(outlivesReader: true) { invocation in
            try invocation.output.line("one")
            try invocation.output.flush()
            return .badData
        }
        let result = run([], of: work, output: MemorySink(failing: .brokenPipe))
        #expect(result == (.badData, "", ""))
    }

    @Test("a full device is an error, told once", arguments: [["list"], ["--help"], ["--version"]])
    func fullDevice(words: [String]) {
        let result = run(words, output: MemorySink(failing: fullDevice))
        #expect(result.status == .io)
        #expect(
            result.messages == "sample: cannot write to standard output: no space left on device\n")
    }

    @Test("what cannot be said on standard error stops nothing")
    func brokenMessages() {
        let work = command { invocation in
            try invocation.messages.line("note")
            invocation.note("another")
            try invocation.output.line("data")
            return .done
        }
        let output = MemorySink()
        let status = Tool(work, version: "1").run(
            [], output: output, messages: MemorySink(failing: .brokenPipe)
        ) { _ in nil }
        #expect(status == .done)
        #expect(output.text == "data\n")
    }

    @Test("the version is printed with the tool's name")
    func version() {
        #expect(run(["--version"]) == (.done, "sample 1.2.3\n", ""))
    }

    @Test("help is as wide as the terminal, within reason")
    func helpWidth() {
        func longest(_ width: Int?) -> Int {
            let text = run(["--help"], output: MemorySink(width: width)).output
            return text.split(separator: "\n").map(\.count).max() ?? 0
        }
        #expect(longest(nil) <= 80)
        #expect(longest(1_000) > 80 && longest(1_000) <= 100)
        #expect(longest(1) > 30)
    }

    @Test(
        "the store is the option's, else the environment's, else the user's own",
        arguments: [
            (["--store", "a"], ["GROUPLOG_STORE": "b", "HOME": "/h"], "a"),
            ([], ["GROUPLOG_STORE": "b", "HOME": "/h"], "b"),
            ([], ["GROUPLOG_STORE": "", "HOME": "/h"], Self.ownStore),
            ([], ["HOME": "/h"], Self.ownStore),
        ] as [([String], [String: String], String)])
    func store(words: [String], environment: [String: String], expected: String) {
        let result = run(words, of: storePrinter, environment: environment)
        #expect(result == (.done, expected + "\n", ""))
    }

    #if canImport(Darwin)
        private static let ownStore = "/h/Library/Application Support/grouplog/default.grouplog"
    #else
        private static let ownStore = "/h/.local/share/grouplog/default.grouplog"

        @Test("the directory for user data is an absolute one")
        func userData() {
            func store(_ data: String) -> String {
                run([], of: storePrinter, environment: ["XDG_DATA_HOME": data, "HOME": "/h"]).output
            }
            #expect(store("/data") == "/data/grouplog/default.grouplog\n")
            #expect(store("data") == Self.ownStore + "\n")
            #expect(store("") == Self.ownStore + "\n")
        }
    #endif

    private let storePrinter = Command(
        "where", abstract: "Prints the store.", options: [CommonOptions.store]
    ) { invocation in
        try invocation.output.line(CommonOptions.storeDirectory(invocation))
        return .done
    }

    @Test("without a home directory a store has to be named")
    func homeless() {
        let result = run([], of: storePrinter)
        #expect(result.status == .usage)
        #expect(result.messages.hasSuffix("hint: name one with --store or $GROUPLOG_STORE\n"))
        #expect(run(["--store", ""], of: storePrinter).status == .usage)
    }
}
