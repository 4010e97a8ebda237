import TestSupport
import Testing

@testable import ToolSupport

private func read(_ text: String, chunk: Int = 1 << 16) throws -> (
    header: [String], rows: [[String]]
) {
    var reader = try CSVReader(pieces(Array(text.utf8), of: chunk))
    var rows: [[String]] = []
    while let row = try reader.next() {
        #expect(row.problem == nil)
        rows.append(row.fields)
    }
    return (reader.header, rows)
}

@Suite("CSV")
struct InterchangeCSVTests {
    @Test(
        "fields are what RFC 4180 says they are",
        arguments: [
            ("a,b\r\n1,2\r\n", [["1", "2"]]), ("a,b\n1,2", [["1", "2"]]),
            ("a,b\r1,2\r", [["1", "2"]]),
            ("\u{FEFF}a,b\n1,\"\"\n,\n", [["1", ""], ["", ""]]),
            ("a,b\n\"x,\"\"y\"\"\r\nz\",2\n", [["x,\"y\"\r\nz", "2"]]),
            ("a,b\n\"\"\"\",\"\n\"", [["\"", "\n"]]), ("a,b\n\n\r\n1,2\n\n", [["1", "2"]]),
            ("a,b\n1, \"2\"\n", [["1", " \"2\""]]), ("a,b\n1\"x\",2", [["1\"x\"", "2"]]),
            ("a;b\n1,5;2\n", [["1,5", "2"]]), ("a\tb\n1;\t,\n", [["1;", ","]]), ("a\nx;y,z\n", nil),
            ("a\n\"x,y\"\n\"\"\n", [["x,y"], [""]]), ("\"a;1\",b\n1,2", [["1", "2"]]),
        ] as [(String, [[String]]?)])
    func fields(text: String, expected: [[String]]?) throws {
        for chunk in [1, 2, 1000] {
            guard let expected else {
                var reader = try CSVReader(pieces(Array(text.utf8), of: chunk))
                #expect(try reader.next()?.problem != nil)
                continue
            }
            #expect(try read(text, chunk: chunk).rows == expected)
        }
    }

    @Test("a row with another number of fields is given with that problem and its line")
    func ragged() throws {
        var reader = try CSVReader(ByteSource(Array("a,b\n\"x\ny\",1\n1\n1,2,3\n1,2\n".utf8)))
        var seen: [String] = []
        while let row = try reader.next() { seen.append("\(row.line) \(row.problem ?? "sound")") }
        #expect(
            seen == [
                "2 sound", "4 1 fields where the header has 2", "5 3 fields where the header has 2",
                "6 sound",
            ])
    }

    @Test("text behind a closing quote is told")
    func behindQuote() throws {
        for text in ["a,b\n\"x\"y,1\n", "a,b\n\"\"y,1\n", "a,b\n\"x\" ,1\n"] {
            var reader = try CSVReader(ByteSource(Array(text.utf8)))
            #expect(try reader.next()?.problem == "text behind a closing quote")
        }
    }

    @Test("a quote without an end is an error with the line it begins in")
    func unterminated() throws {
        var reader = try CSVReader(ByteSource(Array("a,b\n1,2\n3,\"x\n4,5\n".utf8)))
        #expect(try reader.next()?.fields == ["1", "2"])
        let error = #expect(throws: InterchangeError.self) { try reader.next() }
        #expect(error?.line == 3)
    }

    @Test(
        "a header that can be read in two ways is refused",
        arguments: ["a,b;c\n", "a\tb,c\n", "a,a\n1,2\n", "", "\n\n"])
    func header(text: String) {
        #expect(throws: InterchangeError.self) { try CSVReader(ByteSource(Array(text.utf8))) }
    }

    @Test("a named delimiter is taken as said")
    func namedDelimiter() throws {
        let reader = try CSVReader(ByteSource(Array("a,b;c\n".utf8)), delimiter: UInt8(ascii: ";"))
        #expect(reader.header == ["a,b", "c"])
    }

    @Test("broken text is replaced and told")
    func brokenText() throws {
        var reader = try CSVReader(
            ByteSource(Array("a,b\nx".utf8) + [0xFF] + Array(",1\n2,3".utf8)))
        let row = try reader.next()
        #expect(row?.fields == ["x\u{FFFD}", "1"])
        #expect(row?.wasRepaired == true)
        #expect(try reader.next()?.wasRepaired == false)
    }

    @Test("a row beyond the limit is an error")
    func limit() throws {
        for text in [
            "a,b\n" + String(repeating: "x", count: 5000),
            "a,b\n" + String(repeating: ",", count: 5000),
        ] {
            var reader = try CSVReader(ByteSource(Array(text.utf8)), sizeLimit: 4000)
            #expect(throws: InterchangeError.self) { try reader.next() }
        }
    }

    @Test("what is written reads back the same")
    func roundTrip() throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let parts = [
            "a", "\"", ",", ";", "\t", "\n", "\r", "\r\n", " ", "é", "\u{FEFF}", "😀", "\0", "=1",
        ]
        for columns in [1, 2, 5] {
            let rows = (0..<500).map { _ in
                (0..<columns).map { _ in
                    (0..<Int.random(in: 0...5, using: &random))
                        .map { _ in parts.randomElement(using: &random) ?? "" }.joined()
                }
            }
            var writer = CSVWriter()
            let header = (0..<columns).map { "column \($0)" }
            writer.row(header)
            for row in rows { writer.row(row) }
            var reader = try CSVReader(
                pieces(writer.bytes, of: 1 + Int.random(in: 0...50, using: &random)))
            #expect(reader.header == header)
            for row in rows {
                let back = try reader.next()
                #expect(back?.fields.map { Array($0.utf8) } == row.map { Array($0.utf8) })
            }
            #expect(try reader.next() == nil)
        }
    }
}
