import Foundation
import GroupLog
import GroupLogFile
import GroupLogFormat
import Testing

@Suite struct CaptureTests {
    @Test("add prints the id it stored, alone on a line")
    func id() throws {
        let store = try CaptureStore()
        let run = try store("add", "--url", "https://example.com")
        #expect(run.status == 0)
        #expect(run.messages.isEmpty)
        #expect(run.output == "\(try store.records()[0].key)\n")
        let json = try store("add", "--json", "--title", "A").output
        #expect(json == "{\"id\":\"\(try store.records()[0].key)\"}\n")
    }

    @Test(
        "an address is kept byte for byte",
        arguments: [
            "http://a/b%20c/%7E%zz#d#e", "http://münchen.de/ü?ä", "http://mu\u{308}nchen.de/",
            " example.com ", "javascript:alert(1)", "http://a/\r\n\tb\u{202E}c", "e\u{301}\u{FEFF}",
            "-", "--url",
        ])
    func address(_ url: String) throws {
        let store = try CaptureStore()
        #expect(try store("add", "--url=\(url)", "--text", "").status == 0)
        let record = try #require(try store.records().first)
        #expect(record.fields["url"]?.utf8 == Array(url.utf8))
        #expect(record.fields["text"] == nil, "an empty companion counts as none")
    }

    @Test("an address, a title or a text there must be")
    func nothing() throws {
        let store = try CaptureStore()
        for arguments in [[], ["--text", ""], ["--tag", "x"], ["note=x"], ["title:=null"]] {
            #expect(try store.run(["add"] + arguments).status == 64, "\(arguments)")
        }
        #expect(!FileManager.default.fileExists(atPath: store.path))
    }

    @Test("an id is added once, in whichever spelling it comes")
    func givenID() throws {
        let store = try CaptureStore()
        let id = "0b5e1d3a-77c4-4f0e-9a34-5c1f2e3d4b5a"
        #expect(try store("add", "--id", id.uppercased(), "--title", "A").output == "\(id)\n")
        for spelling in [id, "{\(id)}", "urn:uuid:\(id)", id.replacing("-", with: "")] {
            #expect(try store("add", "--id", spelling, "--title", "B").status == 3)
        }
        #expect(try store("add", "--id", "5", "--title", "C").status == 64)
        #expect(try store.records().map(\.fields["title"]) == [.text("A")])
    }

    @Test("keys that could be read in two ways say their type, and are printed so")
    func keys() throws {
        let store = try CaptureStore()
        for (given, printed, type) in [
            ("-5", "-5", RecordKey.Kind.integer), ("text:-5", "text:-5", .text),
            ("05", "05", .text),
            ("int:7", "7", .integer), ("bytes:00FF", "bytes:00ff", .bytes), ("a b", "a b", .text),
        ] {
            let run = try store("add", "--collection=c", "--id=\(given)", "n:=1")
            #expect(run.output == "\(printed)\n")
            let view = try store.open().view()
            var contexts = view.contexts()
            let newest = try #require(try view.newestFirst(in: "c").first)
            let record = try view.record(at: newest.offset, &contexts)
            #expect(record.key.kind == type, "\(given)")
        }
    }

    @Test("fields have the values that they were given")
    func fields() throws {
        let store = try CaptureStore()
        #expect(
            try store(
                "add", "--title", "A", "--tag", "x", "--tag", "y,z", "--created",
                "2024-05-06T07:08:09.5Z", "n:=-3", "note=a=b", "list:=[1,2.5,null,{\"k\":true}]"
            ).status == 0)
        let fields = try store.records()[0].fields
        #expect(fields["tags"] == .array([.text("x"), .text("y,z")]))
        #expect(fields["createdAt"] == .tagged(44_225, .double(736_672_089.5)))
        #expect(fields["n"] == .negative(2))
        #expect(fields["note"] == .text("a=b"))
        let map = CBORValue.map([CBORPair(.text("k"), .true)])
        #expect(fields["list"] == .array([.unsigned(1), .double(2.5), .null, map]))
    }

    @Test(
        "what cannot be a record is a usage error",
        arguments: [
            ["--created", "2024-02-30"], ["url:=5"], ["tags:=[1]"], ["createdAt=soon"], ["id=x"],
            ["syncStatus=synced"], ["=x"], ["x"], ["x:={"], ["--collection", "$values"],
            ["--collection", ""], ["--author", String(repeating: "a", count: 256)],
        ])
    func usage(_ arguments: [String]) throws {
        let store = try CaptureStore()
        let run = try store.run(["add", "--title", "A"] + arguments)
        #expect(run.status == 64)
        #expect(run.messages.hasPrefix("grouplog-capture: "))
        #expect(run.output.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: store.path))
    }

    @Test("a text from standard input is stored whole")
    func standardInput() throws {
        let store = try CaptureStore()
        let text = Array("naïve\r\n\u{0}\u{1F600}\n".utf8)
        for count in [0, 1, 100_000] {
            let input = (0..<count).flatMap { _ in text }
            #expect(try store("add", "--title", "A", "--text", "-", input: input).status == 0)
            let stored = try store.records()[0].fields["text"]?.utf8
            #expect((stored ?? []) == input)
        }
    }

    @Test("a text that is not UTF-8, or too large, is refused before anything is written")
    func refusedText() throws {
        let store = try CaptureStore()
        let broken = try store("add", "--text", "-", input: Array("abc".utf8) + [0xED, 0xA0, 0x80])
        #expect(broken.status == 65)
        #expect(broken.messages.contains("offset 3"))
        let limit = LogLayout.maximumRecordLength
        let large = try store(
            "add", "--text", "-", input: [UInt8](repeating: 0x61, count: limit + 1))
        #expect(large.status == 65)
        #expect(large.messages.contains("32 MiB"))
        #expect(!FileManager.default.fileExists(atPath: store.path))
    }

    @Test("values are set, replaced and removed by name")
    func values() throws {
        let store = try CaptureStore()
        #expect(try store("unset", "k").status == 66)
        #expect(try store("set", "k", "a").output.isEmpty)
        #expect(try store.open().keyValues.get("k", as: String.self) == "a")
        #expect(try store("set", "--json-value", "k", "[1,2]").status == 0)
        #expect(try store.open().keyValues.get("k", as: [Int].self) == [1, 2])
        #expect(try store("set", "--json-value", "k", "[1,").status == 64)
        #expect(try store("set", "", "v").status == 64)
        #expect(try store("unset", "k").status == 0)
        #expect(try store("unset", "k").status == 1)
    }
}
