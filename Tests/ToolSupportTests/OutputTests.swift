import GroupLogSystem
import Testing

@testable import ToolSupport

@Suite("Output for people")
struct OutputTests {
    @Test(
        "characters that a terminal would obey are made visible",
        arguments: [
            ("plain text", "plain text"),
            ("a\nb\r\nc\td", "a\\nb\\r\\nc\\td"),
            ("\u{1B}[31mred\u{07}\u{00}\u{7F}", "\\u{1B}[31mred\\u{7}\\u{0}\\u{7F}"),
            ("\u{9B}31m\u{85}", "\\u{9B}31m\\u{85}"),
            ("\u{202E}evil\u{202C}", "\\u{202E}evil\\u{202C}"),
            ("\u{2066}\u{2069}\u{202A}", "\\u{2066}\\u{2069}\\u{202A}"),
            ("a\u{2028}b\u{2029}c", "a\\u{2028}b\\u{2029}c"),
            (
                "naïve “quotes” – €\u{A0}é 日本 👩‍👩‍👧 שלום\u{200F}",
                "naïve “quotes” – €\u{A0}é 日本 👩‍👩‍👧 שלום\\u{200F}"
            ),
            ("\n\u{301}", "\\n\u{301}"),
            ("back\\slash", "back\\slash"),
        ])
    func makesVisible(text: String, expected: String) {
        #expect(Array(visible(text).utf8) == Array(expected.utf8))
    }

    @Test(
        "characters without a form are made visible",
        arguments: [
            ("a\u{200B}b", "a\\u{200B}b"), ("ad\u{200D}min", "ad\\u{200D}min"),
            ("\u{FEFF}x", "\\u{FEFF}x"), ("so\u{AD}ft", "so\\u{AD}ft"),
            ("\u{200E}\u{200F}\u{61C}", "\\u{200E}\\u{200F}\\u{61C}"),
            ("\u{E0041}\u{1F3F4}\u{E0041}", "\\u{E0041}\u{1F3F4}\\u{E0041}"),
            ("\u{200D}", "\\u{200D}"), ("👩\u{200D}", "👩\\u{200D}"), ("\u{3164}", "\\u{3164}"),
            ("\u{1F3F4}\u{E0067}\u{E0062}", "\u{1F3F4}\\u{E0067}\\u{E0062}"),
        ])
    func hidden(text: String, expected: String) {
        #expect(Array(visible(text).utf8) == Array(expected.utf8))
    }

    @Test(
        "what letters and emoji need to be drawn rightly stays",
        arguments: [
            "👩\u{200D}👩\u{200D}👧", "❤\u{FE0F}\u{200D}🔥", "👨🏽\u{200D}💻", "🐈\u{200D}⬛",
            "🏴\u{200D}☠\u{FE0F}", "🙂\u{200D}↔\u{FE0F}", "🏳\u{FE0F}\u{200D}🌈",
            "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}!", "می\u{200C}خواهم",
            "क्\u{200D}ष", "ന്\u{200D} ", "1\u{FE0F}\u{20E3}", "\u{600}١",
        ])
    func needed(text: String) {
        #expect(Array(visible(text).utf8) == Array(text.utf8))
    }

    @Test("no scalar of a visible text is a control, a line break or without a form")
    func allScalars() {
        // Drawn, though they belong to the format characters.
        let drawn: [ClosedRange<UInt32>] = [
            0x600...0x605, 0x6DD...0x6DD, 0x70F...0x70F, 0x890...0x891, 0x8E2...0x8E2,
            0x110BD...0x110BD, 0x110CD...0x110CD, 0x13430...0x1343F,
        ]
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = visible(String(Character(scalar)))
            for scalar in text.unicodeScalars {
                let category = scalar.properties.generalCategory
                let isBreaking =
                    category == .control || category == .lineSeparator
                    || category == .paragraphSeparator
                    || category == .format && !drawn.contains { $0.contains(value) }
                if isBreaking { Issue.record("U+\(String(value, radix: 16))") }
            }
        }
    }

    @Test(
        "the width is the columns of a terminal",
        arguments: [
            ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本語", 6), ("한국", 4),
            ("\u{1112}\u{1161}\u{11AB}", 2), ("ｆｕｌｌ", 8), ("ﾊﾝｶｸ", 4), ("👍", 2), ("👍🏽", 2),
            ("👩‍👩‍👧‍👦", 2), ("🇩🇪", 2), ("❤️", 2), ("❤", 1), ("☃", 1), ("⚡", 2), ("1️⃣", 2),
            ("\u{200B}", 0), ("a\u{200D}", 1), ("שלום", 4), ("กำ", 2), ("…", 1), ("\u{AD}", 1),
            ("〿", 1), ("𠀀", 2), ("\\u{1B}", 6), ("€", 1),
        ])
    func width(text: String, expected: Int) {
        #expect(displayWidth(text) == expected)
    }

    @Test(
        "a text is cut at the width, between characters, with an ellipsis",
        arguments: [
            ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("日本語", 6, "日本語"),
            ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("日本語", 1, "…"),
            ("e\u{301}e\u{301}e\u{301}", 3, "e\u{301}e\u{301}e\u{301}"),
            ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"), ("", 0, ""),
            ("ab\u{200B}", 2, "ab\u{200B}"),
        ])
    func cuts(text: String, width: Int, expected: String) {
        let cut = truncated(text, to: width)
        #expect(cut == expected)
        #expect(displayWidth(cut) <= max(width, 0))
    }

    private let columns = [
        Table.Column("ID"), Table.Column("TITLE", shrinks: true),
        Table.Column("BYTES", alignsRight: true),
    ]

    private func table(
        _ rows: [[Table.Cell]], width: Int? = nil, colour: Bool = false, titles: Bool = true
    ) throws -> String {
        let sink = MemorySink(width: width)
        let output = Output(sink, style: Style(isColoured: colour), tolerating: .nothing)
        var table = Table(columns, on: output, showsTitles: titles)
        for row in rows { try table.add(row) }
        try table.finish()
        return sink.text
    }

    @Test("columns are aligned by what is seen")
    func aligned() throws {
        #expect(
            try table([["1", "日本語", "5"], ["22", "cafe\u{301}", "1234567"], ["3", "👩‍👩‍👧", ""]]) == """
                ID  TITLE     BYTES
                1   日本語        5
                22  cafe\u{301}    1234567
                3   👩‍👩‍👧

                """)
    }

    @Test("a row is cut to a terminal, and to nothing else")
    func cutToTerminal() throws {
        let title = String(repeating: "long ", count: 30)
        let rows: [[Table.Cell]] = [["1", Table.Cell(title), "5"], ["2", "short", "66"]]
        #expect(
            try table(rows, width: 30) == """
                ID  TITLE                BYTES
                1   long long long lon…      5
                2   short                   66

                """)
        let whole = try table(rows)
        #expect(whole.contains("1   \(title)"))
        for width in 1...40 {
            for line in try table(rows, width: width).split(separator: "\n") {
                #expect(displayWidth(String(line)) <= width, "\(width): \(line)")
            }
        }
    }

    @Test("a row is one line whatever its cells hold, and one long cell does not widen the others")
    func hostileCells() throws {
        let huge = String(repeating: "x", count: 100_000)
        let text = try table([
            ["1", "a\nb\u{1B}", "1"], ["2", Table.Cell(huge), "2"], ["3", "c", "3"],
        ])
        let lines = text.split(separator: "\n")
        #expect(lines.count == 4)
        #expect(lines[1].hasPrefix("1   a\\nb\\u{1B} "))
        #expect(lines[3].count < 100)
    }

    @Test("a long list prints before it ends")
    func streams() throws {
        let sink = MemorySink()
        let output = Output(sink, style: Style(isColoured: false), tolerating: .nothing)
        var table = Table(columns, on: output)
        for number in 1...1_000 { try table.add([Table.Cell("\(number)"), "t", "1"]) }
        #expect(sink.text.split(separator: "\n").count > 900)
        try table.finish()
        let lines = sink.text.split(separator: "\n")
        #expect(lines.count == 1_001)
        #expect(lines.last == "1000  t          1")
    }

    @Test("a table without rows prints nothing")
    func empty() throws {
        #expect(try table([]) == "")
        #expect(try table([["1", "t", "2"]], titles: false) == "1  t  2\n")
    }

    @Test("a writer gives line after line of JSON")
    func jsonLines() throws {
        let sink = MemorySink()
        let output = Output(sink, style: Style(isColoured: true), tolerating: .nothing)
        var writer = JSONWriter()
        for number in 1...2 {
            writer.beginObject()
            writer.key("number")
            writer.integer(number)
            writer.endObject()
            try output.line(json: &writer)
        }
        #expect(sink.text == "{\"number\":1}\n{\"number\":2}\n")
    }

    @Test("colours do not move columns")
    func coloured() throws {
        let text = try table([[Table.Cell("1", .red), "t", "2"]], colour: true)
        #expect(text.contains("\u{1B}[31m1\u{1B}[0m   t"))
        #expect(text.hasPrefix("\u{1B}[1mID\u{1B}[0m  "))
    }

    @Test(
        "colours go to a terminal that wants them, or where they are asked for",
        arguments: [
            (.auto, true, [:], true), (.auto, false, [:], false),
            (.auto, true, ["NO_COLOR": "1"], false), (.auto, true, ["NO_COLOR": ""], true),
            (.auto, true, ["TERM": "dumb"], false), (.auto, true, ["TERM": "xterm"], true),
            (.always, false, ["NO_COLOR": "1", "TERM": "dumb"], true), (.never, true, [:], false),
        ] as [(ColorChoice, Bool, [String: String], Bool)])
    func colours(
        choice: ColorChoice, isTerminal: Bool, environment: [String: String], expected: Bool
    ) {
        let style = Style(choice, isTerminal: isTerminal) { environment[$0] }
        #expect(style.isColoured == expected)
        #expect(style("x", .red) == (expected ? "\u{1B}[31mx\u{1B}[0m" : "x"))
    }
}
