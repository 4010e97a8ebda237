import GroupLogFormat
import TestSupport
import Testing

@testable import ToolSupport

private func export(
    _ records: [(RecordKey, [RecordField])], _ format: InterchangeFormat, columns: [String] = []
) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var writer = try ExportWriter(format, otherColumns: columns) { bytes += $0 }
    for (key, fields) in records { try writer.record(key, fields) }
    try writer.finish()
    return bytes
}

private func entries(_ bytes: [UInt8], _ collection: ImportCollection) throws -> [ImportEntry] {
    var reader = try ImportReader(
        pieces(bytes, of: 1000), collection: collection, importTime: importTime)
    var entries: [ImportEntry] = []
    while let item = try reader.next() {
        guard case .entry(let entry) = item else {
            Issue.record("\(item)")
            continue
        }
        #expect(entry.warnings.isEmpty)
        entries.append(entry)
    }
    return entries
}

@Suite("export")
struct InterchangeExportTests {
    static let key = RecordKey(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
    static let record = [
        RecordField("url", .text("http://a/?x=1&y=2")), RecordField("title", .text("A, \"b\" <c>")),
        RecordField("tags", .array([.text("x,y"), .text(" z")])),
        RecordField("createdAt", .date(Timestamp(secondsSinceReferenceDate: 736_652_289.125))),
        RecordField("count", .unsigned(7)),
    ]

    @Test(
        "each format has its form",
        arguments: [
            (
                .jsonl,
                #"{"id":"00010203-0405-0607-0809-0a0b0c0d0e0f","url":"http://a/?x=1&y=2","title":"A, \"b\" <c>","tags":["x,y"," z"],"createdAt":"2024-05-06T01:38:09.125Z","count":7}"#
                    + "\n"
            ),
            (
                .json,
                "[\n"
                    + #"{"id":"00010203-0405-0607-0809-0a0b0c0d0e0f","url":"http://a/?x=1&y=2","title":"A, \"b\" <c>","tags":["x,y"," z"],"createdAt":"2024-05-06T01:38:09.125Z","count":7}"#
                    + "\n]\n"
            ),
            (
                .csv,
                "id,url,title,text,tags,createdAt,count\r\n"
                    + #"00010203-0405-0607-0809-0a0b0c0d0e0f,http://a/?x=1&y=2,"A, ""b"" <c>",,"x\,y,\ z",2024-05-06T01:38:09.125Z,7"#
                    + "\r\n"
            ),
            (
                .netscape,
                """
                <!DOCTYPE NETSCAPE-Bookmark-file-1>
                <META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
                <TITLE>Bookmarks</TITLE>
                <H1>Bookmarks</H1>
                <DL><p>
                    <DT><A HREF="http://a/?x=1&amp;y=2" ADD_DATE="1714959489" GROUPLOG_DATE="2024-05-06T01:38:09.125Z" \
                TAGS="x&#44;y,&#32;z" GROUPLOG_ID="00010203-0405-0607-0809-0a0b0c0d0e0f">\
                A, &quot;b&quot; &lt;c&gt;</A>
                </DL><p>

                """
            ),
        ] as [(InterchangeFormat, String)])
    func forms(format: InterchangeFormat, expected: String) throws {
        let bytes = try export([(Self.key, Self.record)], format, columns: ["count", "url"])
        #expect(String(decoding: bytes, as: UTF8.self) == expected)
    }

    @Test("an export of nothing is a file of its format", arguments: InterchangeFormat.allCases)
    func nothing(format: InterchangeFormat) throws {
        #expect(try entries(try export([], format), .items).isEmpty)
    }

    @Test(
        "JSON brings every record of any collection back as it was",
        arguments: [InterchangeFormat.jsonl, .json])
    func exact(format: InterchangeFormat) throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let names = [
            "url", "createdAt", "$date", "e\u{301}", "\u{E9}", "", "children", "a\"b", "tags",
        ]
        let keys = [
            Self.key, RecordKey(integer: .min), RecordKey(integer: 7), RecordKey(text: "k\"\n"),
            RecordKey(text: "000102030405060708090a0b0c0d0e0f"),
            RecordKey(kind: .bytes, bytes: [0, 255]),
        ].compactMap { $0 }
        let records = (0..<1_000).map { index in
            let fields = names.filter { _ in Bool.random(using: &random) }.map { name in
                RecordField(name, .random(depth: 3, &random))
            }
            return (keys[index % keys.count], fields)
        }
        let back = try entries(try export(records, format), .any)
        try #require(back.count == records.count)
        for (record, entry) in zip(records, back) {
            #expect(entry.key == record.0)
            #expect(entry.fields == record.1)
        }
    }

    @Test(
        "every format brings the fields of items back as they were",
        arguments: InterchangeFormat.allCases)
    func items(format: InterchangeFormat) throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let parts = [
            "a", "é", "e\u{301}", "😀", "\"", "'", ",", ";", "\\", "\n", "\r\n", "\t", " ", "<",
            "&amp;", "\u{FEFF}",
            "\u{202E}", "\0", "=1+1", "]]>", "--", "\u{2028}",
        ]
        func text() -> String {
            (0..<Int.random(in: 1...8, using: &random)).map { _ in
                parts.randomElement(using: &random) ?? ""
            }.joined()
        }
        let records = (0..<1_000).map { index -> (RecordKey, [RecordField]) in
            var entry = ImportEntry(line: 0)
            for name in ItemField.content {
                entry.add(name, text: Bool.random(using: &random) ? text() : nil)
            }
            entry.add(tags: (0..<Int.random(in: 0...3, using: &random)).map { _ in text() })
            entry.setDate(
                Timestamp(
                    secondsSinceReferenceDate: Double.random(in: -1e11...1e11, using: &random)))
            return (
                RecordKey(
                    kind: .uuid,
                    bytes: (0..<16).map { _ in UInt8(truncatingIfNeeded: random.next()) })
                    ?? Self.key, entry.fields
            )
        }
        let back = try entries(try export(records, format), .items)
        try #require(back.count == records.count)
        for (record, entry) in zip(records, back) {
            #expect(entry.key == record.0)
            #expect(entry.fields == record.1)
        }
    }
}
