import Testing

import ToolSupport

@Suite("JSON output")
struct JSONWriterTests {
    private func text(_ write: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        write(&writer)
        return writer.text
    }

    @Test(
        "a text is escaped in exactly one way",
        arguments: [
            ("plain", #""plain""#),
            ("", #""""#),
            ("say \"hi\"", #""say \"hi\"""#),
            ("C:\\dir/file", #""C:\\dir/file""#),
            ("a\nb\tc\rd", #""a\nb\tc\rd""#),
            ("\u{08}\u{0C}", #""\b\f""#),
            ("\u{00}\u{01}\u{0F}\u{1F}", #""\u0000\u0001\u000f\u001f""#),
            ("\u{7F}\u{85}", "\"\u{7F}\u{85}\""),
            ("\u{2028}\u{2029}", "\"\u{2028}\u{2029}\""),
            ("e\u{301} \u{E9} 👩‍👩‍👧", "\"e\u{301} \u{E9} 👩‍👩‍👧\""),
        ])
    func escapes(input: String, expected: String) {
        let written = text { $0.string(input) }
        #expect(Array(written.utf8) == Array(expected.utf8))
    }

    @Test("containers nest, and keys keep the order in which they are given")
    func nesting() {
        let written = text {
            $0.beginObject()
            $0.key("z")
            $0.integer(1)
            $0.key("a")
            $0.beginArray()
            $0.beginObject()
            $0.endObject()
            $0.beginArray()
            $0.endArray()
            $0.string("x")
            $0.null()
            $0.endArray()
            $0.key("m")
            $0.bool(true)
            $0.endObject()
        }
        #expect(written == #"{"z":1,"a":[{},[],"x",null],"m":true}"#)
    }

    @Test("integers are written in full")
    func integers() {
        #expect(text { $0.integer(Int64.min) } == "-9223372036854775808")
        #expect(text { $0.integer(UInt64.max) } == "18446744073709551615")
        #expect(text { $0.integer(9_007_199_254_740_993) } == "9007199254740993")
    }

    @Test(
        "a double has the shortest digits that read back, and is told from an integer",
        arguments: [
            (1, "1.0"), (0.1, "0.1"), (-0.0, "-0.0"), (1e300, "1e+300"),
            (5e-324, "5e-324"), (0.1 + 0.2, "0.30000000000000004"),
            (.infinity, "null"), (.nan, "null"),
        ] as [(Double, String)])
    func doubles(value: Double, expected: String) {
        #expect(text { $0.double(value) } == expected)
    }

    @Test("lines follow each other without a comma")
    func lines() {
        let written = text {
            for number in 1...2 {
                $0.beginArray()
                $0.integer(number)
                $0.endArray()
                $0.endLine()
            }
        }
        #expect(written == "[1]\n[2]\n")
    }

    @Test("a value without a key in an object is refused")
    func misuse() async {
        await #expect(processExitsWith: .failure) {
            var writer = JSONWriter()
            writer.beginObject()
            writer.integer(1)
        }
    }
}
