import Testing

@testable import ToolSupport

private func parse(_ text: String) throws -> JSONValue {
    var parser = JSONParser(ByteSource(Array(text.utf8)))
    return try parser.document()
}

private func parse(_ bytes: [UInt8]) throws -> (JSONValue, [InterchangeWarning]) {
    var parser = JSONParser(ByteSource(bytes))
    let value = try parser.document()
    return (value, parser.warnings)
}

/// Hands out the bytes in pieces of this size, so that every token is cut somewhere.
func pieces(_ bytes: [UInt8], of size: Int) -> ByteSource {
    var start = 0
    return ByteSource {
        let end = min(start + size, bytes.count)
        defer { start = end }
        return Array(bytes[start..<end])
    }
}

@Suite("JSON")
struct InterchangeJSONTests {
    @Test(
        "what the RFC allows is read",
        arguments: [
            "0", "-0", "1.5e+3", "1E-2", "-12.25", "\"\"", "true", "null", " [ ] ", "{}",
            "[1,2 ,3]",
            "{\"a\":{\"b\":[{}]}}", "\"\\u0041\\n\\/\"", "\u{FEFF}[1]", "[\"\u{7F}\u{2028}\"]",
            "\t\r\n 1 \n", "{\"\":0}", "123456789012345678901234567890",
        ])
    func accepted(text: String) throws {
        _ = try parse(text)
    }

    @Test(
        "what the RFC does not allow is refused",
        arguments: [
            "", " ", "01", "-", "+1", "1.", ".5", "1e", "1e+", "0x1", "NaN", "Infinity", "[1,]",
            "[,1]",
            "[1 2]", "{\"a\":1,}", "{a:1}", "{'a':1}", "{\"a\" 1}", "{1:1}", "[1]]", "[", "{",
            "{\"a\"",
            "\"a", "\"\n\"", "\"\t\"", "\"\\x\"", "\"\\u12G4\"", "\"\\u12", "tru", "nul", "True",
            "[1]x",
            "// c\n1", "[1}", "{\"a\":1]", "\u{0C}1", "1\u{A0}", "--1", "-01", "\u{FEFF}",
            "\"\\ud800\\u1", "[-]", "\u{FEFF}\u{FEFF}1",
        ])
    func refused(text: String) {
        #expect(throws: InterchangeError.self) { try parse(text) }
    }

    @Test("an error names line, column and offset")
    func position() throws {
        let error = #expect(throws: InterchangeError.self) { try parse("{\r\n \"é\": [1,\n  x]}") }
        #expect(error?.line == 3)
        #expect(error?.column == 3)
        #expect(error?.offset == 16)
        #expect(error?.description == "line 3, column 3: expected a value, found 'x'")
    }

    @Test("numbers keep their digits")
    func numbers() throws {
        guard case .number(let number) = try parse("-1.50e+07") else { Issue.record(); return }
        #expect(number.text == "-1.50e+07")
        #expect(!number.isInteger)
        #expect(number.double == -1.5e7)
        guard case .number(let large) = try parse("18446744073709551616") else {
            Issue.record(); return
        }
        #expect(large.isInteger)
        #expect(large.int64 == nil)
        guard case .number(let least) = try parse("-9223372036854775808") else {
            Issue.record(); return
        }
        #expect(least.int64 == .min)
    }

    @Test("escapes give the characters they name, in pairs beyond the first plane")
    func escapes() throws {
        #expect(
            try parse(#""\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00\u0000""#)
                == .string("\"\\/\u{8}\u{C}\n\r\té😀\0"))
    }

    @Test(
        "half a surrogate pair becomes U+FFFD with a warning",
        arguments: [
            (#""a\ud83d""#, "a\u{FFFD}"), (#""\ude00b""#, "\u{FFFD}b"),
            (#""\ud83dx""#, "\u{FFFD}x"),
            (#""\ud83d\n""#, "\u{FFFD}\n"), (#""\ud83d\u0041""#, "\u{FFFD}A"),
            (#""\ud83d\ud83d\ude00""#, "\u{FFFD}😀"), (#""\ude00\ud83d""#, "\u{FFFD}\u{FFFD}"),
        ])
    func loneSurrogates(text: String, expected: String) throws {
        let (value, warnings) = try parse(Array(text.utf8))
        #expect(value == .string(expected))
        #expect(warnings.map(\.kind) == [.repairedText])
    }

    @Test(
        "each maximal part that is not UTF-8 becomes one U+FFFD with a warning",
        arguments: [
            ([0xFF], 1), ([0xC3], 1), ([0xE2, 0x82], 1), ([0xF0, 0x9F, 0x98], 1),
            ([0xC0, 0xAF], 2),
            ([0xED, 0xA0, 0x80], 3), ([0xF4, 0x90, 0x80, 0x80], 4), ([0xE2, 0x28], 1),
        ] as [([UInt8], Int)])
    func brokenText(bytes: [UInt8], replacements: Int) throws {
        let (value, warnings) = try parse([0x22] + bytes + [0x22])
        #expect(value.string?.unicodeScalars.count { $0 == "\u{FFFD}" } == replacements)
        #expect(warnings.map(\.kind) == [.repairedText])
    }

    @Test("of two members with one name the last counts, in the first one's place, with a warning")
    func repeatedNames() throws {
        let (value, warnings) = try parse(Array(#"{"a":1,"b":2,"a":3}"#.utf8))
        #expect(value == (try parse(#"{"a":3,"b":2}"#)))
        #expect(warnings.map(\.kind) == [.duplicateName])
    }

    @Test("names that only look alike are two names")
    func lookalikes() throws {
        let (value, warnings) = try parse(Array("{\"e\u{301}\":1,\"\u{E9}\":2}".utf8))
        #expect(value.object?.members.count == 2)
        #expect(warnings.isEmpty)
    }

    @Test("nesting beyond the limit is an error, however deep")
    func depth() throws {
        _ = try parse(String(repeating: "[", count: 512) + String(repeating: "]", count: 512))
        #expect(throws: InterchangeError.self) {
            try parse(String(repeating: "[", count: 513) + String(repeating: "]", count: 513))
        }
        for text in ["[", "{\"a\":", "[{\"\":"] {
            #expect(throws: InterchangeError.self) {
                try parse(String(repeating: text, count: 100_000))
            }
        }
    }

    @Test("a value larger than the limit is an error")
    func size() {
        for text in [
            "\"" + String(repeating: "a", count: 2000), String(repeating: "1", count: 2000),
            "[" + String(repeating: "1,", count: 1000),
        ] {
            var parser = JSONParser(ByteSource(Array(text.utf8)), sizeLimit: 1000)
            let error = #expect(throws: InterchangeError.self) { try parser.document() }
            #expect(error?.message.contains("more than") == true)
        }
    }

    @Test("chunks may end anywhere", arguments: [1, 2, 3, 7])
    func chunks(size: Int) throws {
        let text = "\u{FEFF}{\"caf\u{E9}\":[1.5e3,\"\\ud83d\\ude00 😀\",true,null],\"b\":-7}"
        var parser = JSONParser(pieces(Array(text.utf8), of: size))
        #expect(try parser.document() == parse(text))
    }

    @Test("the elements of an array come one by one with their lines")
    func elements() throws {
        var elements = JSONElements(
            JSONParser(ByteSource(Array("\u{FEFF}\n[1,\n[2],\n\n{}]\n".utf8))))
        var lines: [Int] = []
        while let element = try elements.next() { lines.append(element.line) }
        #expect(lines == [2, 3, 5])
        #expect(try elements.next() == nil)
    }

    @Test(
        "elements before a mistake arrive, then the error",
        arguments: ["[1,2,]", "[1,2,x]", "[1,2", "[1,2]]"])
    func elementsBeforeMistake(text: String) {
        var elements = JSONElements(JSONParser(ByteSource(Array(text.utf8))))
        var count = 0
        #expect(throws: InterchangeError.self) { while try elements.next() != nil { count += 1 } }
        #expect(count == 2)
    }

    @Test("lines end with LF or CR LF, may be blank, and the last needs no end")
    func lines() throws {
        let text = "\u{FEFF}{\"a\":1}\r\n\r\n  \n\u{FEFF}[2]\nbad\n3"
        for size in [1, 5, 100] {
            var lines = JSONLines(pieces(Array(text.utf8), of: size))
            var seen: [String] = []
            while let line = try lines.next() {
                switch line {
                case .value(_, let number, _): seen.append("\(number)")
                case .malformed(let error, let number): seen.append("\(number)!\(error.line ?? 0)")
                }
            }
            #expect(seen == ["1", "4", "5!5", "6"])
        }
    }

    @Test("an error of the source comes through")
    func sourceError() {
        struct Broken: Error {}
        var parser = JSONParser(ByteSource { throw Broken() })
        let error = #expect(throws: InterchangeError.self) { try parser.document() }
        #expect(error?.cause is Broken)
    }
}
