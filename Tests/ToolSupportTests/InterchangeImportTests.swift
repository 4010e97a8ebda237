import GroupLogFormat
import TestSupport
import Testing

@testable import ToolSupport

let importTime = Timestamp(secondsSinceReferenceDate: 800_000_000)

func importItems(
    _ text: String, format: InterchangeFormat? = nil, collection: ImportCollection = .items,
    chunk: Int = 1 << 16
) throws -> [ImportItem] {
    var reader = try ImportReader(
        pieces(Array(text.utf8), of: chunk), format: format, collection: collection,
        importTime: importTime)
    var items: [ImportItem] = []
    while let item = try reader.next() { items.append(item) }
    return items
}

/// One line an item: its line, then its fields as JSON and the kinds of its warnings, or the reason of its rejection.
func summary(_ items: [ImportItem]) -> [String] {
    items.map { item in
        switch item {
        case .rejected(let line, let reason): return "\(line) rejected: \(reason)"
        case .entry(let entry):
            var writer = JSONWriter()
            writer.beginObject()
            for field in entry.fields { writer.field(field.name, field.value) }
            writer.endObject()
            let key = entry.key.map { " \($0)" } ?? ""
            let warnings = entry.warnings.map { " \($0.kind.rawValue)@\($0.line)" }.joined()
            return "\(entry.line)\(key) \(writer.text)\(warnings)"
        }
    }
}

/// Small files with the traits of the real ones.
enum ImportFixture {
    static let pocketCSV =
        "title,url,time_added,tags,status\n\"A, \"\"b\"\"\n\nc\",http://a/?q=1&r=2#f,1600322788,x y|z,unread\n,http://b/,,,archive\n"
    static let instapaperCSV =
        "URL,Title,Selection,Folder,Timestamp,Tags\nhttp://a/,A,some text,Starred,1747964343,\"[\"\"t,1\"\",\"\"u\"\"]\"\nhttp://b/,B,,Unread,,[]\n"
    static let raindropCSV = #"""
        id,title,note,excerpt,url,folder,tags,created,cover,highlights,favorite
        101,"A ""b""","one
        two",Ex,http://a/?utm=1,K/B,"x, y, ",2024-01-02T03:04:05.123Z,http://c.jpg,,true
        102,,,,http://b/,,,46224,,,
        103,N,only a note,,,F,,2024-02-30,,,false

        """#
    static let pinboardJSON = """
        [{"href":"http://a/","description":"A","extended":"text","meta":"m","hash":"h","time":"2016-10-31T15:57:56Z",
        "shared":"yes","toread":"no","tags":"x y"},
        {"href":"","description":"","extended":"","meta":"m","hash":"h","time":"","shared":"no","toread":"no","tags":""}]
        """
    static let deliciousJSON =
        #"[{"title":"A","tags":["x",""],"url":"http://a/","description":"","created":"1358531607","others":9}]"#
    static let elCuratorJSON =
        #"[{"created_at":"2015-09-09 11:10:32 UTC","title":"A","url":"http://a/","description":null,"tags":["x"],"is_saved":true}]"#
    static let omnivoreJSON = """
        [{"id":"20DB074A-34e1-4f55-b0e9-161e367946f6","slug":"s","title":"A","description":"text","url":"http://a/",
        "labels":["x"],"savedAt":"2024-10-29T16:30:11.000Z","readingProgress":0}]
        """
    static let readabilityJSON = """
        {
          "bookmarks": [
            {"article__excerpt": "x&#x2019;s&hellip;", "date_archived": null, "article__url": "http://a/",
             "date_added": "2016-08-25T12:05:00", "article__title": "A & B", "favorite": false},
            {"article__title": "C", "article__url": "http://c/", "date_added": "2016-09-08T11:55:58+0200"}
          ],
          "recommendations": []
        }
        """
    static let firefoxJSON = """
        {"guid":"root________","title":"","type":"text/x-moz-place-container","children":[
        {"title":"Menu","type":"text/x-moz-place-container","children":[
        {"title":"A","dateAdded":1388166091644000,"tags":"x,y","type":"text/x-moz-place","uri":"http://a/",
        "annos":[{"name":"bookmarkProperties/description","value":"text"}]},
        {"type":"text/x-moz-place-separator"},
        {"title":"Deep","type":"text/x-moz-place-container","children":[
        {"title":"B","dateAdded":0,"type":"text/x-moz-place","uri":"place:sort=8"}]}]},
        {"title":"Empty","type":"text/x-moz-place-container"}]}
        """
    static let chromeJSON = """
        {"checksum":"f","roots":{"bookmark_bar":{"children":[{"date_added":"13118850929335823","id":"6","name":"A",
        "type":"url","url":"http://a/"}],"name":"Bar","type":"folder"},"other":{"children":[],"name":"Other"}},"version":1}
        """
    static let ownLines = """
        {"id":"00010203-0405-0607-0809-0a0b0c0d0e0f","url":"http://a/","tags":["x"],"createdAt":"2024-01-02T03:04:05.5Z","n":1.0}
        {"title":"B","createdAt":null}

        """
    static let ownCSV =
        "id,url,title,text,tags,createdAt,note\r\n{00010203-0405-0607-0809-0A0B0C0D0E0F},http://a/,A,,\"x\\,y, z\",2024-01-02,n\r\n"

    static let all = [
        pocketCSV, instapaperCSV, raindropCSV, pinboardJSON, deliciousJSON, elCuratorJSON,
        omnivoreJSON,
        readabilityJSON, firefoxJSON, chromeJSON, ownLines, ownCSV,
        InterchangeNetscapeTests.browser,
    ]
}

@Suite("import")
struct InterchangeImportTests {
    @Test(
        "exports of services become entries of items",
        arguments: [
            (
                ImportFixture.pocketCSV,
                [
                    #"2 {"url":"http://a/?q=1&r=2#f","title":"A, \"b\"\n\nc","tags":["x y","z"],"createdAt":"2020-09-17T06:06:28Z","folder":"unread"}"#,
                    #"5 {"url":"http://b/","createdAt":"2026-05-09T06:13:20Z","folder":"archive"} withoutDate@5"#,
                ]
            ),
            (
                ImportFixture.instapaperCSV,
                [
                    #"2 {"url":"http://a/","title":"A","text":"some text","tags":["t,1","u"],"createdAt":"2025-05-23T01:39:03Z","folder":"Starred"}"#,
                    #"3 {"url":"http://b/","title":"B","createdAt":"2026-05-09T06:13:20Z","folder":"Unread"} withoutDate@3"#,
                ]
            ),
            (
                ImportFixture.raindropCSV,
                [
                    #"2 {"url":"http://a/?utm=1","title":"A \"b\"","text":"one\ntwo","tags":["x","y"],"createdAt":"2024-01-02T03:04:05.123Z","folder":"K/B","excerpt":"Ex","cover":"http://c.jpg","favorite":"true"}"#,
                    #"4 {"url":"http://b/","createdAt":"2026-05-09T06:13:20Z"} badDate@4"#,
                    #"5 {"title":"N","text":"only a note","createdAt":"2026-05-09T06:13:20.000001Z","folder":"F","favorite":"false"} badDate@5"#,
                ]
            ),
            (
                ImportFixture.pinboardJSON,
                [
                    #"1 {"url":"http://a/","title":"A","text":"text","tags":["x","y"],"createdAt":"2016-10-31T15:57:56Z","shared":"yes","toread":"no"}"#,
                    "3 rejected: neither an address nor a title nor a text",
                ]
            ),
            (
                ImportFixture.deliciousJSON,
                [
                    #"1 {"url":"http://a/","title":"A","tags":["x"],"createdAt":"2013-01-18T17:53:27Z","others":9}"#
                ]
            ),
            (
                ImportFixture.elCuratorJSON,
                [
                    #"1 {"url":"http://a/","title":"A","tags":["x"],"createdAt":"2015-09-09T11:10:32Z","is_saved":true}"#
                ]
            ),
            (
                ImportFixture.omnivoreJSON,
                [
                    #"1 20db074a-34e1-4f55-b0e9-161e367946f6 {"url":"http://a/","title":"A","text":"text","tags":["x"],"createdAt":"2024-10-29T16:30:11Z","slug":"s","readingProgress":0}"#
                ]
            ),
            (
                ImportFixture.readabilityJSON,
                [
                    #"3 {"url":"http://a/","title":"A & B","text":"x’s…","createdAt":"2016-08-25T12:05:00Z","favorite":false}"#,
                    #"5 {"url":"http://c/","title":"C","createdAt":"2016-09-08T09:55:58Z"}"#,
                ]
            ),
            (
                ImportFixture.firefoxJSON,
                [
                    #"3 {"url":"http://a/","title":"A","text":"text","tags":["x","y"],"createdAt":"2013-12-27T17:41:31.644Z","folder":"Menu"}"#,
                    #"7 {"url":"place:sort=8","title":"B","createdAt":"2026-05-09T06:13:20Z","folder":"Menu/Deep"} withoutDate@7"#,
                ]
            ),
            (
                ImportFixture.chromeJSON,
                [
                    #"1 {"url":"http://a/","title":"A","createdAt":"2016-09-20T13:15:29.335823Z","folder":"Bar"}"#
                ]
            ),
            (
                ImportFixture.ownLines,
                [
                    #"1 00010203-0405-0607-0809-0a0b0c0d0e0f {"url":"http://a/","tags":["x"],"createdAt":"2024-01-02T03:04:05.5Z","n":1.0}"#,
                    #"2 {"title":"B","createdAt":"2026-05-09T06:13:20Z"} withoutDate@2"#,
                ]
            ),
            (
                ImportFixture.ownCSV,
                [
                    #"2 00010203-0405-0607-0809-0a0b0c0d0e0f {"url":"http://a/","title":"A","tags":["x,y","z"],"note":"n","createdAt":"2024-01-02T00:00:00Z"}"#
                ]
            ),
        ])
    func services(text: String, expected: [String]) throws {
        for chunk in [1, 7, 1 << 16] {
            #expect(summary(try importItems(text, chunk: chunk)) == expected)
        }
        let windows = text.utf8.flatMap { $0 == 10 ? [13, 10] : [$0] }
        let marked = "\u{FEFF}" + String(decoding: windows, as: UTF8.self)
        #expect(try importItems(marked).count == expected.count)
    }

    @Test("bookmark files become entries of items")
    func bookmarks() throws {
        let lines = summary(try importItems(InterchangeNetscapeTests.browser))
        #expect(lines.count == 4)
        #expect(
            lines.dropFirst().first
                == #"11 {"url":"http://a.example/?x=1&y=2","title":"A <b>old title ééé… &unknown;","text":"said\nin two lines","tags":["one","two words","three"],"createdAt":"2018-01-09T16:34:57.780642Z","folder":"Bread & butter","private":true}"#
        )
    }

    @Test(
        "what is not known is refused, not guessed",
        arguments: [
            "some text\nmore text\n", "name;link\na;b\n",
            "id,title,note,excerpt,url,folder,tags,created,cover,more\n",
            "title,url,time_added,tags,status,more\n", "<?xml version=\"1.0\"?><rss></rss>",
            "\u{1}\u{2}", "url;title,x\n",
        ])
    func unknown(text: String) {
        #expect(throws: InterchangeError.self) { try importItems(text) }
    }

    @Test("a file in UTF-16 is refused with that reason")
    func utf16() {
        let error = #expect(throws: InterchangeError.self) {
            try ImportReader(
                ByteSource([0xFF, 0xFE, 0x7B, 0]), collection: .items, importTime: importTime)
        }
        #expect(error?.message.contains("UTF-16") == true)
    }

    @Test("an empty file has no entries", arguments: ["", "\u{FEFF}", " \n\r\n", "[]", "[ ]\n"])
    func empty(text: String) throws {
        #expect(try importItems(text).isEmpty)
    }

    @Test("any spelling of a UUID is one key; what is no UUID is named with its line")
    func identifiers() throws {
        let good = [
            "00010203-0405-0607-0809-0a0b0c0d0e0f", "00010203-0405-0607-0809-0A0B0C0D0E0F",
            "{00010203-0405-0607-0809-0a0b0c0d0e0f}", "000102030405060708090a0b0c0d0e0f",
            "urn:uuid:00010203-0405-0607-0809-0a0b0c0d0e0f",
            " URN:UUID:00010203-0405-0607-0809-0a0b0c0d0e0f\\t",
        ]
        let lines = good.map { #"{"id":"\#($0)","url":"a"}"# }.joined(separator: "\n")
        let keys = try importItems(lines).compactMap {
            if case .entry(let entry) = $0 { entry.key } else { nil }
        }
        #expect(keys.count == good.count)
        #expect(Set(keys).count == 1)
        let zero = try importItems(#"{"id":"00000000-0000-0000-0000-000000000000","url":"a"}"#)
        #expect(summary(zero).first?.hasPrefix("1 00000000-") == true)

        let bad = [
            "", "x", "00010203-0405-0607-0809-0a0b0c0d0e0", "0001020-30405-0607-0809-0a0b0c0d0e0f",
            "000102030405060708090a0b0c0d0e-f",
        ]
        for text in bad {
            let found = summary(
                try importItems(
                    "{\"url\":\"a\"}\n{\"id\":\"\(text)\",\"url\":\"a\"}\n{\"url\":\"b\"}"))
            #expect(found.count == 3)
            #expect(found[1] == "2 rejected: the id '\(text)' is not a UUID")
        }
        #expect(
            summary(try importItems(#"{"id":5,"url":"a"}"#)) == [
                "1 rejected: the id '5' is not a UUID"
            ])
    }

    @Test(
        "a bad line says nothing about its neighbours",
        arguments: [
            "{\"a\":", "nonsense", "[1,]", "{\"url\":\"a\",}", "\"\\ud800\\u\"", "[[[[", "{}", "[]",
            "5", "\u{0}",
        ])
    func neighbours(bad: String) throws {
        for end in ["\n", "\r\n"] {
            let text = ["{\"url\":\"a\"}", bad, "{\"url\":\"b\"}"].joined(separator: end)
            let found = summary(try importItems(text))
            #expect(found.count == 3)
            #expect(found.first?.hasPrefix("1 {\"url\":\"a\"") == true)
            #expect(found.dropFirst().first?.hasPrefix("2 rejected") == true)
            #expect(found.last?.hasPrefix("3 {\"url\":\"b\"") == true)
        }
    }

    @Test("a record that has a key comes back whatever it holds; one without needs content")
    func content() throws {
        #expect(
            summary(try importItems(#"{"id":"00010203-0405-0607-0809-0a0b0c0d0e0f","n":1}"#)).first?
                .contains("rejected") == false)
        #expect(summary(try importItems(#"{"n":1}"#)).first?.contains("rejected") == true)
        #expect(
            summary(try importItems(#"{"url":"","title":5}"#)).first?.contains("rejected") == true)
    }

    @Test("addresses stay as they are")
    func addresses() throws {
        for url in [
            "http://münchen.de/ü", "http://a/%zz", "EXAMPLE.com/%7Efoo", " http://a b/\u{202E}",
            "tel:+1", "a\nb\r\tc",
        ] {
            var writer = JSONWriter()
            writer.beginObject()
            writer.field("url", .text(url))
            writer.endObject()
            let items = try importItems(writer.text)
            guard case .entry(let entry)? = items.first else {
                Issue.record("no entry for \(url)"); continue
            }
            #expect(entry["url"] == .text(url))
        }
    }

    @Test("other collections take any object, any key and any columns")
    func anyCollection() throws {
        let lines = """
            {"id":5,"a":{"b":[1.5,null]},"createdAt":"2024-01-02"}
            {"id":"name","createdAt":"some day"}
            {"id":{"$text":"00010203-0405-0607-0809-0a0b0c0d0e0f"},"createdAt":17}
            {"id":"00010203-0405-0607-0809-0A0B0C0D0E0F"}
            {"id":{"$bytes":"AQI="},"children":[]}
            {"id":[]}
            """
        #expect(
            summary(try importItems(lines, collection: .any)) == [
                #"1 5 {"a":{"b":[1.5,null]},"createdAt":"2024-01-02T00:00:00Z"}"#,
                #"2 name {"createdAt":{"$text":"some day"}} badDate@2"#,
                #"3 00010203-0405-0607-0809-0a0b0c0d0e0f {"createdAt":17}"#,
                #"4 00010203-0405-0607-0809-0a0b0c0d0e0f {}"#, #"5 0x0102 {"children":[]}"#,
                "6 rejected: the id is no text, integer, UUID or bytes of 1 to 1024 bytes",
            ])
        #expect(
            summary(try importItems("id,a,b\nk,1,\n", collection: .any)) == [#"2 k {"a":"1"}"#])
        #expect(throws: InterchangeError.self) { try importItems("just text\n", collection: .any) }
        #expect(try importItems("a\n1\n", format: .csv, collection: .any).count == 1)
    }

    @Test("records whose fields are named like those of a browser's export are lines all the same")
    func linesLikeTrees() throws {
        let lines = """
            {"url":"a","children":[],"createdAt":"2024-01-02"}
            {"url":"b","bookmarks":[1],"createdAt":"2024-01-02"}
            """
        #expect(try importItems(lines).count == 2)
    }

    @Test("a line of unusual length is told from a document")
    func longLines() throws {
        let long = String(repeating: "x", count: 2 << 20)
        #expect(
            try importItems("{\"url\":\"a\",\"text\":\"\(long)\"}\n{\"url\":\"b\"}\n").count == 2)
        let tree =
            #"{"roots":{"bar":{"name":"B","children":[{"name":"\#(long)","url":"a","date_added":"0"}]}}}"#
        #expect(
            summary(try importItems(tree)).first?.hasSuffix("\"folder\":\"B\"} withoutDate@1")
                == true)
    }

    @Test("an entry has the same key in every import, and another one another")
    func naturalKeys() throws {
        func key(_ json: String, _ collection: ImportCollection = .items) throws -> RecordKey {
            guard
                case .entry(let entry)? = try importItems(
                    json, format: .jsonl, collection: collection
                ).first
            else {
                throw InterchangeError("no entry")
            }
            return entry.naturalKey(in: collection)
        }
        // What uuid5(NAMESPACE_URL, ...) of Python gives.
        #expect(
            try key(#"{"url":"https://example.com/","title":"x"}"#).description
                == "dd2c1780-811a-5296-81c5-178a0ef488bc")
        #expect(
            try key(#"{"url":"a"}"#)
                == key(#"{"url":"a","title":"other","createdAt":"2024-01-02"}"#))
        #expect(try key(#"{"title":"ab","text":"c"}"#) != key(#"{"title":"a","text":"bc"}"#))
        #expect(try key(#"{"title":"a"}"#) == key(#"{"title":"a","createdAt":"2024-01-02"}"#))
        #expect(try key(#"{"title":"a","n":1}"#) != key(#"{"title":"a","n":2}"#))
        #expect(
            try key(#"{"title":"a","n":1}"#)
                == key(#"{"title":"a","n":1,"createdAt":"2024-01-02"}"#))
        #expect(try key(#"{"url":"a","n":1}"#, .any) != key(#"{"url":"a","n":2}"#, .any))
        #expect(try key(#"{"n":1}"#, .any) != key(#"{"n":1.0}"#, .any))
    }

    @Test(
        "SHA-1 gives the digests of its RFC",
        arguments: [
            ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
            ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
            ),
        ])
    func sha1(text: String, digest: String) {
        #expect(RecordKey.hexadecimal(SHA1.hash(Array(text.utf8))) == digest)
        for length in 50...130 {
            #expect(SHA1.hash([UInt8](repeating: 97, count: length)).count == 20)
        }
    }

    @Test("no cut and no changed byte makes the reader trap or hang")
    func damage() {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        func read(_ bytes: [UInt8]) {
            for collection in [ImportCollection.items, .any] {
                guard
                    var reader = try? ImportReader(
                        ByteSource(bytes), collection: collection, importTime: importTime)
                else { continue }
                while let item = try? reader.next() {
                    if case .entry(let entry) = item { _ = entry.naturalKey(in: collection) }
                }
            }
        }
        for fixture in ImportFixture.all {
            let bytes = Array(fixture.utf8)
            for end in bytes.indices { read(Array(bytes[..<end])) }
            for _ in 0..<20_000 / ImportFixture.all.count {
                var changed = bytes
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let place = Int.random(in: changed.indices, using: &random)
                    switch Int.random(in: 0...3, using: &random) {
                    case 0: changed[place] = UInt8(truncatingIfNeeded: random.next())
                    case 1: changed.remove(at: place)
                    case 2:
                        changed.insert(
                            Array("\"{}[],\\<>&;\n\r\0$-9".utf8).randomElement(using: &random) ?? 0,
                            at: place)
                    default: changed.append(contentsOf: changed[place...].prefix(40))
                    }
                }
                read(changed)
            }
        }
    }
}
