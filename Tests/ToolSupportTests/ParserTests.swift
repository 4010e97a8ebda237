import TestSupport
import Testing
import ToolSupport

@Suite("Command lines")
struct ParserTests {
    private static let all = Argument<[String]>(
        repeating: "word", "Words.", required: false, as: .text)
    private static let text = Option<String?>("text", short: "t", "text", "A text.", as: .text)
    private static let number = Option<Int?>(
        "number", short: "n", "number", "A number.", as: .integer(in: -10...10))
    private static let tag = Option<[String]>(
        repeating: "tag", "tag", "A tag.", as: .name)
    private static let wait = Option<Double>(
        "wait", "seconds", "How long.", as: .seconds(upTo: 100), default: 5)
    private static let quick = Flag("quick", short: "q", "Be quick.")
    private static let loud = Flag("loud", short: "l", "Be loud.")

    private static let command = Command(
        "try", abstract: "Takes all kinds of words.", arguments: [all],
        options: [text, number, tag, wait, quick, loud]
    ) { _ in .done }

    private func values(
        _ words: [String], of command: Command = command
    ) throws -> ParsedValues {
        guard case .run(_, let values) = try command.parse(words) else {
            throw ExpectedARun()
        }
        return values
    }
    private struct ExpectedARun: Error {}

    private func problem(
        _ words: [String], of command: Command = command
    ) -> UsageError? {
        #expect(throws: UsageError.self) { try command.parse(words) }
    }

    @Test(
        "a value is the next word, or stands behind an equals sign or a letter",
        arguments: [
            ["--text", "a"], ["--text=a"], ["-t", "a"], ["-ta"], ["-qt", "a"], ["-qlta"],
        ])
    func spellings(words: [String]) throws {
        #expect(try values(words)[Self.text] == "a")
    }

    @Test(
        "an option takes the next word whatever it looks like",
        arguments: ["--quickly", "-q", "--", "-", "", "--tex", "---", "-1", "=x", "\u{301}"])
    func anyValue(word: String) throws {
        for words in [["--text", word], ["--text=" + word], ["-t", word]] {
            let values = try values(words)
            #expect(Array((values[Self.text] ?? "none").utf8) == Array(word.utf8))
            #expect(values[Self.quick] == false)
        }
    }

    @Test(
        "the name of an option is a value only behind an equals sign or a letter",
        arguments: ["--quick", "--text", "--text=a", "--help", "--number"])
    func optionAsValue(word: String) throws {
        #expect(try values(["--text=" + word])[Self.text] == word)
        #expect(try values(["-t" + word])[Self.text] == word)
        for (words, meant) in [(["--text", word], "--text="), (["-t", word], "-t")] {
            let error = try #require(problem(words + ["x"]))
            #expect(error.message == "missing value for '--text <text>'")
            #expect(error.hint == "did you mean '\(meant)\(word)'? see 'try --help'")
        }
    }

    @Test(
        "an option that does not repeat is given once, however it is spelled",
        arguments: [["--text", "a", "--text=a"], ["-ta", "--text", "b"], ["-n1", "-n2"]])
    func twice(words: [String]) throws {
        let error = try #require(problem(words))
        guard case .repeatedOption = error.problem else {
            Issue.record("another problem: \(error.problem)")
            return
        }
        #expect(try values(["-qq", "--quick"])[Self.quick])
    }

    @Test("letters may be joined behind one dash")
    func cluster() throws {
        let values = try values(["-lq"])
        #expect(values[Self.quick] && values[Self.loud])
    }

    @Test("options may stand anywhere among the operands, up to two dashes")
    func mixed() throws {
        let values = try values(["a", "--quick", "b", "-n", "3", "--", "--loud", "-n", "--"])
        #expect(values[Self.all] == ["a", "b", "--loud", "-n", "--"])
        #expect(values[Self.number] == 3)
        #expect(!values[Self.loud])
    }

    @Test(
        "words that are no options are operands",
        arguments: [
            "-", "", "-5", "-.5", "-1e3", "title=--quick", "n:=-5", "a=b=c", "-0", "\u{301}",
        ])
    func operands(word: String) throws {
        #expect(try values([word])[Self.all] == [word])
    }

    @Test("an option that repeats keeps all its values in their order")
    func repeated() throws {
        #expect(
            try values(["--tag", "b", "x", "--tag=a", "--tag", "b"])[Self.tag] == ["b", "a", "b"])
        #expect(try values([])[Self.tag] == [])
    }

    @Test("what is left out has its default or is nil")
    func defaults() throws {
        let values = try values([])
        #expect(values[Self.wait] == 5)
        #expect(values[Self.text] == nil)
        #expect(values[Self.all] == [])
        #expect(!values[Self.quick])
    }

    @Test(
        "seconds are plain decimal digits",
        arguments: [("0", 0), ("2.5", 2.5), (".5", 0.5), ("100", 100), ("007.", 7)])
    func seconds(text: String, expected: Double) throws {
        #expect(try values(["--wait", text])[Self.wait] == expected)
    }

    @Test(
        "a value that cannot be read is named with its option",
        arguments: [
            ["--wait", "1e9"], ["--wait", "inf"], ["--wait", "nan"], ["--wait", "0x1p3"],
            ["--wait", "-1"], ["--wait", "100.1"], ["--wait", "."], ["--wait", ""],
            ["--wait", "1.2.3"], ["--wait", "٣"], ["--wait", " 1"],
            ["--number", "11"], ["--number", "-11"], ["--number", "1.5"], ["--number", ""],
            ["--number", "99999999999999999999"], ["--tag", ""],
        ])
    func badValues(words: [String]) throws {
        let error = try #require(problem(words))
        guard case .invalidValue(words[1], let parameter, _) = error.problem else {
            Issue.record("another problem: \(error.problem)")
            return
        }
        #expect(parameter.hasPrefix(words[0] + " <"))
    }

    @Test(
        "errors say what is wrong and where",
        arguments: [
            (["--quikc"], "unknown option '--quikc'", "did you mean '--quick'? see 'try --help'"),
            (["--quick=yes"], "option '--quick' takes no value", "see 'try --help'"),
            (["--text"], "missing value for '--text <text>'", "see 'try --help'"),
            (["-qt"], "missing value for '--text <text>'", "see 'try --help'"),
            (["-qx"], "unknown option '-x'", "see 'try --help'"),
            (["--tex=a"], "unknown option '--tex'", "did you mean '--text'? see 'try --help'"),
            (["--\u{1B}[2J"], "unknown option '--\\u{1B}[2J'", "see 'try --help'"),
            (
                ["-n", "x"],
                "invalid value 'x' for '--number <number>': expected a whole number from -10 to 10",
                "see 'try --help'"
            ),
        ])
    func messages(words: [String], message: String, hint: String) throws {
        let error = try #require(problem(words))
        #expect(error.message == message)
        #expect(error.hint == hint)
    }

    @Test("a number that is too large is told with the largest one")
    func largeNumber() throws {
        let limit = Option<Int?>("limit", "count", "A count.", as: .integer(in: 0...Int.max))
        let command = Command("try", abstract: "Tries.", options: [limit]) { _ in .done }
        for (text, reason) in [
            ("99999999999999999999", "expected a whole number from 0 to \(Int.max)"),
            ("-5", "expected a whole number from 0 to \(Int.max)"),
            ("many", "expected a whole number, 0 or more"),
        ] {
            let error = try #require(problem(["--limit", text], of: command))
            #expect(error.message == "invalid value '\(text)' for '--limit <count>': \(reason)")
        }
    }

    @Test(
        "errors of commands with others below say what may have been meant",
        arguments: [
            ([], "missing subcommand", "see 'sample --help'"),
            (
                ["lits"], "unknown subcommand 'lits'",
                "did you mean 'list'? see 'sample --help'"
            ),
            (
                ["help", "lst"], "unknown subcommand 'lst'",
                "did you mean 'list'? see 'sample --help'"
            ),
            (["cursor"], "missing subcommand", "see 'sample cursor --help'"),
            (
                ["--reverse", "list"], "unknown option '--reverse'",
                "did you mean 'sample list --reverse'? see 'sample --help'"
            ),
            (["list", "a", "b"], "unexpected argument 'b'", "see 'sample list --help'"),
            (["edit"], "missing argument '<id>'", "see 'sample edit --help'"),
            (["edit", "x"], "missing argument '<field=value>'", "see 'sample edit --help'"),
            (
                ["list", "--format", "xml"],
                "invalid value 'xml' for '--format <format>': expected jsonl or csv",
                "see 'sample list --help'"
            ),
        ] as [([String], String, String)])
    func treeMessages(words: [String], message: String, hint: String) throws {
        let error = try #require(problem(words, of: Sample.command))
        #expect(error.message == message)
        #expect(error.hint == hint)
    }

    @Test("a subcommand takes the options of those above it, on both sides of its name")
    func inheritance() throws {
        for words in [["--store", "d", "list"], ["list", "--store", "d"]] {
            #expect(try values(words, of: Sample.command)[CommonOptions.store] == "d")
        }
    }

    @Test("required options and all operands are asked for")
    func required() throws {
        let missing = try #require(problem(["salvage", "log"], of: Sample.dump))
        #expect(missing.message == "missing option '--output <file>'")
        let found = try values(["salvage", "log", "-o", "new"], of: Sample.dump)
        #expect(found[Sample.output] == "new")
        #expect(found[Sample.log] == "log")
        let edit = try values(["edit", "x", "a=1", "b:=-2"], of: Sample.command)
        #expect(edit[Sample.id] == "x")
        #expect(edit[Sample.fields] == ["a=1", "b:=-2"])
    }

    @Test(
        "the default subcommand is taken where the first word names none",
        arguments: [
            (["x.log"], "dump summary"), (["-n", "3", "x.log"], "dump summary"),
            (["--json", "x.log", "-n3"], "dump summary"), (["verify", "x.log"], "dump verify"),
            (["--json", "verify", "x.log"], "dump verify"), (["./verify"], "dump summary"),
            (["--", "x.log"], "dump summary"), (["summary", "verify"], "dump summary"),
        ])
    func defaultSubcommand(words: [String], expected: String) throws {
        guard case .run(let path, _) = try Sample.dump.parse(words) else {
            Issue.record("nothing to run")
            return
        }
        #expect(path.words == expected)
    }

    @Test("a misspelt subcommand is told also where there is a default one")
    func misspeltBesideDefault() throws {
        let error = try #require(problem(["verfy", "x.log"], of: Sample.dump))
        #expect(error.message == "unexpected argument 'x.log'")
        #expect(error.hint == "did you mean 'verify'? see 'dump summary --help'")
        let empty = try #require(problem([], of: Sample.dump))
        #expect(empty.message == "missing argument '<log>'")
    }

    @Test(
        "help is given at every level, before anything else is asked for",
        arguments: [
            (["--help"], "sample"), (["help"], "sample"), (["-h"], "sample"),
            (["edit", "--help"], "sample edit"), (["help", "edit"], "sample edit"),
            (["list", "-n", "x", "-rh"], "sample list"), (["cursor", "help"], "sample cursor"),
            (["help", "cursor", "set"], "sample cursor set"),
            (["cursor", "help", "set"], "sample cursor set"),
        ])
    func help(words: [String], expected: String) throws {
        guard case .help(let path) = try Sample.command.parse(words) else {
            Issue.record("no help")
            return
        }
        #expect(path.words == expected)
    }

    @Test("version, completion script and manual page are asked for by options")
    func detours() throws {
        guard case .version = try Sample.command.parse(["list", "--version"]),
            case .completionScript(.fish) = try Sample.command.parse([
                "--generate-completion-script", "fish",
            ]),
            case .manualPage = try Sample.command.parse(["--generate-man-page"])
        else {
            Issue.record("not what was asked for")
            return
        }
        let error = try #require(
            problem(["--generate-completion-script=tcsh"], of: Sample.command))
        #expect(error.message.hasSuffix("expected bash, zsh or fish"))
    }

    @Test("no command line of odd words traps")
    func oddWords() {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SeededGenerator(seed: seed)
        let pieces = [
            "-", "--", "=", "n", "t", "text", "number", "list", "help", "h", "\u{301}", "\u{0}",
            "5", "é", "👩‍👩‍👧", " ", "\n", "summary", "json", "o", "output", ".",
        ]
        for command in [Self.command, Sample.command, Sample.dump] {
            for _ in 0..<5_000 {
                let words = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
                    (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                        pieces[Int.random(in: pieces.indices, using: &generator)]
                    }.joined()
                }
                do {
                    _ = try command.parse(words)
                } catch {
                    #expect(!error.message.contains("\n"), "seed \(seed), words \(words)")
                }
            }
        }
    }

    @Test("contradictory descriptions are found")
    func contradictions() {
        #expect(Sample.command.contradictions.isEmpty)
        #expect(Sample.dump.contradictions.isEmpty)
        let twice = Command("x", abstract: "X.", options: [Self.text, Self.text]) { _ in .done }
        #expect(twice.contradictions.count == 2)
        let inherited = Command(
            "x", abstract: "X.", options: [Self.quick], defaultSubcommand: "z",
            subcommands: [
                Command("y", abstract: "Y.", options: [CommonOptions.quiet]) { _ in .done },
                Command("help", abstract: "Z.") { _ in .done },
            ])
        #expect(
            inherited.contradictions == [
                "x: subcommand help has a name that cannot be used",
                "x: the default subcommand z is missing",
                "x y: option -q is there twice",
            ])
        let operands = Command(
            "x", abstract: "X.", arguments: [Self.all, Sample.word, Sample.id]
        ) { _ in .done }
        #expect(operands.contradictions.count == 2)
    }
}

@Suite("Suggestions")
struct SuggestionTests {
    private let commands = ["list", "get", "value", "count", "search", "collections", "compact"]

    @Test(
        "near names are suggested, nearest first",
        arguments: [
            ("lsit", ["list"]), ("ist", ["list"]), ("lists", ["list"]), ("serach", ["search"]),
            ("co", ["count", "compact", "collections"]), ("colections", ["collections"]),
            ("cuont", ["count"]), ("xyz", []), ("", []), ("l", []), ("gte", ["get"]),
        ])
    func near(word: String, expected: [String]) throws {
        let tree = Command(
            "t", abstract: "T.",
            subcommands: commands.map { Command($0, abstract: "C.") { _ in .done } })
        let error = #expect(throws: UsageError.self) { try tree.parse([word]) }
        #expect(error?.suggestions == expected)
    }

    @Test("a huge word costs no time and suggests nothing")
    func huge() {
        let error = #expect(throws: UsageError.self) {
            try Sample.command.parse([String(repeating: "x", count: 1 << 20)])
        }
        #expect(error?.suggestions == [])
    }
}
