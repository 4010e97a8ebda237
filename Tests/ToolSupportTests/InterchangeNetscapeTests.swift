import TestSupport
import Testing

@testable import ToolSupport

func entries(_ text: String, chunk: Int = 1 << 16) throws -> [NetscapeEntry] {
    var reader = NetscapeReader(pieces(Array(text.utf8), of: chunk))
    var entries: [NetscapeEntry] = []
    while let entry = try reader.next() { entries.append(entry) }
    return entries
}

@Suite("bookmark files")
struct InterchangeNetscapeTests {
    static let browser = """
        <!DOCTYPE NETSCAPE-Bookmark-file-1>
        <!-- Comments may hold <A HREF="x">links</A> -- and dashes. -->
        <META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
        <TITLE>Bookmarks</TITLE>
        <H1>Menu</H1>
        <DL><p>
            <DT><A HREF="place:type=6&sort=14&copy=1" ADD_DATE="1510173153">Recent</A>
            <HR>    <DT><H3 ADD_DATE="1" FOLDED>Bread &amp; butter</H3>
            <DD>About the folder
            <DL><p>
                <DT><a
                    href='http://a.example/?x=1&amp;y=2'
                    tags="one, two words ,three" private=1 add_date=1515515697780642 description="said
        in two lines"
                >  A &lt;b&gt;old <b>title</b> &eacute;&#233;&#xE9;&hellip;&nbsp;&unknown; </A>
                <DT><H3>Deeper</H3>
                <DL><p>
                    <DT><A HREF="?note" TAGS="by blanks only">Note</A>
                    <DD>First line
          second line
        - list &gt; <i>more</i><br>end
                </DL><p>
            </DL><p>
            <DT><A HREF="http://b.example/">Last</A>
            <DD>
        </DL><p>
        """

    @Test(
        "links of a browser's file come with folders, tags, texts and dates",
        arguments: [1, 3, 1000])
    func browserFile(chunk: Int) throws {
        let found = try entries(Self.browser, chunk: chunk)
        #expect(found.count == 4)
        guard found.count == 4 else { return }
        #expect(found.map(\.line) == [7, 11, 18, 24])
        #expect(found[0].url == "place:type=6&sort=14&copy=1")
        #expect(found[0].folder == nil)
        #expect(found[0].addDate == "1510173153")
        #expect(found[1].url == "http://a.example/?x=1&y=2")
        #expect(found[1].title == "A <b>old title ééé…\u{A0}&unknown;")
        #expect(found[1].tags == ["one", "two words", "three"])
        #expect(found[1].isPrivate)
        #expect(found[1].addDate == "1515515697780642")
        #expect(found[1].text == "said\nin two lines")
        #expect(found[1].folder == "Bread & butter")
        #expect(found[2].folder == "Bread & butter/Deeper")
        #expect(found[2].tags == ["by", "blanks", "only"])
        #expect(found[2].text == "First line\n  second line\n- list > more\nend")
        #expect(found[3].folder == nil)
        #expect(found[3].text == nil)
        #expect(!found[3].isPrivate)
    }

    @Test("Pocket's list gives its headings as folders")
    func pocket() throws {
        let found = try entries(
            """
            <!DOCTYPE html><html><!--bye--><head><title>Pocket Export</title></head><body>
            <h1>Unread</h1><ul>
            <li><a href="https://a.example" time_added="1688628695" tags="x,y">A</a></li>
            </ul><h1>Read Archive</h1><ul><li><a href="https://b.example" time_added="1" tags="">B</a></li>
            </ul></body></html>
            """)
        #expect(found.map(\.folder) == ["Unread", "Read Archive"])
        #expect(found.map(\.tags) == [["x", "y"], []])
        #expect(found.map(\.addDate) == ["1688628695", "1"])
        #expect(found.map(\.title) == ["A", "B"])
    }

    @Test("a link inside a description is an entry of its own, and ends the description")
    func linkInDescription() throws {
        let found = try entries(
            "<DT><A HREF=\"a\">A</A><DD>before <ul><li>x</li></ul><a href=b><img src=c></a> behind<DT>"
        )
        #expect(found.map(\.url) == ["a", "b"])
        #expect(found[0].text == "before x")
        #expect(found[1].title == nil)
    }

    @Test("missing end tags do not lose a link")
    func missingEndTags() throws {
        let found = try entries(
            "<DL><DT><A HREF=a>A<DT><A HREF=b>B\n<DD>text<DT><H3>F<DL><DT><A HREF=c>C")
        #expect(found.map(\.url) == ["a", "b", "c"])
        #expect(found.map(\.title) == ["A", "B", "C"])
        #expect(found.map(\.folder) == [nil, nil, "F"])
        #expect(found[1].text == "text")
    }

    @Test("an address whose quote is missing is told")
    func missingQuote() throws {
        let found = try entries("<DT><A HREF=\"a>A</A>\n<DT><A HREF=\"b\">B</A>")
        #expect(found.contains { $0.problem != nil })
    }

    @Test(
        "a tag, comment or declaration without an end is an error with its line",
        arguments: [
            "<A HREF=\"b", "<A HREF=b", "<!-- x --", "<!DOCTYPE", "<script>x</scrip", "</a",
        ])
    func cutOff(text: String) throws {
        let error = #expect(throws: InterchangeError.self) {
            try entries("<DT><A HREF=a>A</A>\n\(text)")
        }
        #expect(error?.line == 2)
    }

    @Test("signs that only look like tags are text")
    func looseSigns() throws {
        #expect(try entries("<A HREF=a>1 < 2 <3 & <</A>").first?.title == "1 < 2 <3 & <")
    }

    @Test("folders nested without end are an error, not a crash")
    func depth() throws {
        #expect(try entries(String(repeating: "<DL>", count: 900) + "<A HREF=a>A</A>").count == 1)
        #expect(throws: InterchangeError.self) {
            try entries(String(repeating: "<DT><H3>x</H3><DL>", count: 100_000))
        }
    }

    @Test(
        "character references are those of HTML",
        arguments: [
            ("&amp;&lt;&gt;&quot;&apos;", "&<>\"'"), ("&AMP;", "&AMP;"),
            ("&yuml;&nbsp;", "ÿ\u{A0}"),
            ("&euro;&thetasym;&diams;", "€ϑ♦"), ("&#128;&#x9f;", "€Ÿ"),
            ("&#0;&#xD800;&#x110000;", "\u{FFFD}\u{FFFD}\u{FFFD}"),
            ("&#;&#x;&#+5;&#x-1;", "&#;&#x;&#+5;&#x-1;"),
            ("&#99999999999999;", "&#99999999999999;"),
            ("a&", "a&"), ("&&amp;amp;", "&&amp;"), ("&copy=1&reg", "&copy=1&reg"),
            ("&#x1F600;", "😀"),
        ])
    func references(text: String, expected: String) {
        #expect(HTMLEntities.decode(Array(text.utf8)) == Array(expected.utf8))
    }

    @Test("what is written reads back the same, byte for byte")
    func roundTrip() throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let parts = [
            "a", "&", "<", ">", "\"", "'", "\n", "\r", "\t", " ", ",", "/", "&amp;", "é", "\u{85}",
            "😀", "\u{FEFF}",
            "</A>", "<DD>", "-->", "\0", "=", "\u{B}", "\u{A0}",
        ]
        func text(_ random: inout SeededGenerator) -> String? {
            let count = Int.random(in: 0...6, using: &random)
            return count == 0
                ? nil : (0..<count).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
        }
        var written: [NetscapeEntry] = []
        var writer = NetscapeWriter()
        for _ in 0..<2_000 {
            var entry = NetscapeEntry(line: 0)
            entry.url = text(&random)
            entry.title = text(&random)
            entry.text = text(&random)
            entry.folder = text(&random)
            entry.identifier = text(&random)
            entry.tags = (0..<Int.random(in: 0...3, using: &random)).compactMap { _ in text(&random)
            }
            entry.isPrivate = Bool.random(using: &random)
            writer.entry(entry, createdAt: nil)
            written.append(entry)
        }
        writer.finish()
        let read = try entries(String(decoding: writer.bytes, as: UTF8.self), chunk: 997)
        try #require(read.count == written.count)
        for (old, new) in zip(written, read) {
            for field in [\NetscapeEntry.url, \.title, \.text, \.folder, \.identifier] {
                #expect(
                    old[keyPath: field].map { Array($0.utf8) }
                        == new[keyPath: field].map { Array($0.utf8) })
            }
            #expect(old.tags.map { Array($0.utf8) } == new.tags.map { Array($0.utf8) })
            #expect(old.isPrivate == new.isPrivate)
        }
    }

    @Test("line ends that a transfer could change, and blanks at an end, are written as numbers")
    func lineEnds() {
        var writer = NetscapeWriter()
        var entry = NetscapeEntry(line: 0)
        entry.url = "a\nb\tc"
        entry.title = " t\r\nu "
        writer.entry(entry, createdAt: nil)
        let text = String(decoding: writer.bytes, as: UTF8.self)
        #expect(text.hasSuffix("<A HREF=\"a&#10;b&#9;c\">&#32;t&#13;\nu&#32;</A>\n"))
    }

    @Test(
        "a date is written so that browsers see seconds and we lose nothing",
        arguments: [
            (0, "ADD_DATE=\"978307200\"", false), (0.25, "ADD_DATE=\"978307200\"", true),
            (-978_307_200, "GROUPLOG_DATE=\"1970-01-01T00:00:00Z\"", true),
            (1e12, "GROUPLOG_DATE", true),
        ] as [(Double, String, Bool)])
    func dates(seconds: Double, expected: String, isExtended: Bool) throws {
        var writer = NetscapeWriter()
        var entry = NetscapeEntry(line: 0)
        entry.url = "a"
        writer.entry(entry, createdAt: Timestamp(secondsSinceReferenceDate: seconds))
        writer.finish()
        let text = String(decoding: writer.bytes, as: UTF8.self)
        #expect(text.contains(expected))
        #expect(text.contains("GROUPLOG_DATE") == isExtended)
        let read = try #require(try entries(text).first)
        let date = try Timestamp(#require(read.exactDate ?? read.addDate))
        #expect(date.secondsSinceReferenceDate == seconds)
    }
}
