import Foundation
import Testing

@Suite struct ReaderTests {
    // MARK: Listing

    @Test("list prints the newest first, one line a record, with control signs made visible")
    func list() throws {
        let store = try ReaderStore()
        try store.add(
            "--title", "old\u{1B}[31m\nfake line", "--created", "2020-01-02T03:04:05.678Z")
        try store.add("--text", "only a text\r\n\u{202E}", "--created", "2021-01-01")
        try store.add("--url", "http://a/%zz", "--title", "new", "--tag", "x", "--tag", "y")
        let run = try store.reader("list")
        #expect(run.status == 0 && run.messages.isEmpty)
        #expect(run.lines.count == 4)
        #expect(
            run.lines[0].split(separator: " ") == ["id", "created", "title", "url", "tags", "sync"])
        #expect(run.lines[1].contains("new  ") && run.lines[1].contains("x, y"))
        #expect(run.lines[1].hasSuffix("pending"))
        #expect(run.lines[2].contains(#"only a text\r\n\u{202E}"#))
        #expect(run.lines[3].contains(#"old\u{1B}[31m\nfake line"#))
        #expect(run.lines[3].contains("2020-01-02T03:04:05Z"))
    }

    @Test("records as JSON have the documented keys and exact values")
    func json() throws {
        let store = try ReaderStore()
        let id = try store.add(
            "--url", "http://a/%7Efoo", "--title", "Cafe\u{301}", "--tag", "x", "--created",
            "2020-01-02T03:04:05.678Z", "rating:=4.5")
        let run = try store.reader("list", "--json")
        #expect(
            run.output == """
                {"id":"\(id)","url":"http://a/%7Efoo","title":"Cafe\u{301}","tags":["x"],\
                "createdAt":"2020-01-02T03:04:05.678Z","rating":4.5,"syncStatus":"pending"}\n
                """)
        #expect(try store.reader("get", "--json", id).output == run.output)
    }

    @Test("pages are the list cut in pieces, also where records have one date")
    func pages() throws {
        let store = try ReaderStore()
        var ids: [String] = []
        for _ in 0..<7 { ids.append(try store.add("--title", "t", "--created", "2020-01-01")) }
        let all = try store.reader("list", "--json").strings("id")
        #expect(all == ids.reversed())
        var paged: [String] = []
        for offset in stride(from: 0, to: 9, by: 3) {
            let page = try store.reader("list", "--json", "-n", "3", "--offset", "\(offset)")
            paged += try page.strings("id")
        }
        #expect(paged == all)
        #expect(try store.reader("list", "--limit", "0").output == "")
        let far = try store.reader(
            "list", "--json", "--limit", "\(Int.max)", "--offset", "\(Int.max)")
        #expect(far.status == 0 && far.output == "")
    }

    @Test("another collection lists whatever its records hold")
    func otherCollection() throws {
        let store = try ReaderStore()
        let id = try store.add("--collection", "notes", "n=1", #"m:={"a":[1,null]}"#)
        let run = try store.reader("list", "--collection", "notes")
        #expect(run.lines.count == 2 && run.lines[1].hasSuffix(#"{"n":"1","m":{"a":[1,null]}}"#))
        #expect(try store.reader("list", "--json", "--collection", "notes").strings("id") == [id])
        #expect(try store.reader("list").output == "")
        #expect(try store.reader("list", "--collection", "$values").status == 64)
    }

    // MARK: Single records and values

    @Test(
        "a UUID is found in any spelling",
        arguments: [
            "01234567-89AB-CDEF-0123-456789ABCDEF", "{01234567-89ab-cdef-0123-456789abcdef}",
            "0123456789abcdef0123456789abcdef", "urn:uuid:01234567-89ab-cdef-0123-456789abcdef",
            "uuid:01234567-89ab-cdef-0123-456789abcdef",
        ])
    func spellings(_ spelling: String) throws {
        let store = try ReaderStore()
        let id = "01234567-89ab-cdef-0123-456789abcdef"
        try store.add("--id", id, "--title", "t")
        #expect(try store.reader("get", "--json", spelling).strings("id") == [id])
        #expect(try store.reader("delete", spelling).status == 0)
        #expect(try store.reader("count").output == "0\n")
    }

    @Test("get prints texts with their lines, and says which ids no record has")
    func get() throws {
        let store = try ReaderStore()
        let id = try store.add("--title", "t", "--text", "one\ntwo\u{7}")
        let run = try store.reader("get", "missing", id)
        #expect(run.status == 1)
        #expect(run.messages == "grouplog-reader: 'items' has no record with the id missing\n")
        #expect(run.output.contains("text:       one\n            two\\u{7}\n"))
    }

    @Test("without a key, all keys are listed with their values")
    func allValues() throws {
        let store = try ReaderStore()
        try store.add("--title", "no value")
        #expect(try store.reader("value").output.isEmpty)
        _ = try store.capture("set", "theme", "dark\nblue")
        _ = try store.capture("set", "limit", "--json-value", "50")
        _ = try store.capture("set", "gone", "x")
        _ = try store.capture("unset", "gone")
        let run = try store.reader("value", "--json")
        #expect(
            run.output == """
                {"key":"limit","value":50}
                {"key":"theme","value":"dark\\nblue"}\n
                """)
        let table = try store.reader("value")
        #expect(table.lines == ["key    value", "limit  50", #"theme  dark\nblue"#])
    }

    @Test("a store whose log is missing is not one to look into")
    func missingLog() throws {
        let store = try ReaderStore()
        try store.add("--title", "A")
        try FileManager.default.removeItem(at: store.log)
        let run = try store.reader("list")
        #expect(run.status == 65)
        #expect(run.messages.contains("is missing") && !run.messages.contains("grouplog-dump"))
    }

    @Test("what is there once is not told in the plural")
    func singular() throws {
        let store = try ReaderStore()
        try store.add("--title", "A")
        #expect(try store.reader("status").output.contains("in 1 frame\n"))
        let quarantined = store.path + "/quarantine"
        let log = try Data(contentsOf: store.log)
        let end = try #require(log.lastIndex { $0 != 0 }) + 1
        let handle = try FileHandle(forWritingTo: store.log)
        try handle.seek(toOffset: UInt64((end + 7) / 8 * 8))
        try handle.write(contentsOf: Data("torn".utf8))
        try handle.close()
        try store.add("--title", "B")
        #expect(try FileManager.default.contentsOfDirectory(atPath: quarantined).count == 1)
        #expect(try store.reader("status").output.contains("1 cut\n"))
    }

    @Test("a value is printed as it was set, and an unknown key is told by the status")
    func values() throws {
        let store = try ReaderStore()
        _ = try store.capture("set", "theme", "dark\tblue")
        #expect(try store.reader("value", "theme").output == "dark\tblue\n")
        #expect(try store.reader("value", "--json", "theme").output == "\"dark\\tblue\"\n")
        let unknown = try store.reader("value", "nothing")
        #expect(unknown.status == 1 && unknown.output.isEmpty)
        #expect(try store.reader("value", "").status == 64)
        #expect(try store.reader("collections").output == "")
    }

    @Test("collections are counted, the store's own left out")
    func counts() throws {
        let store = try ReaderStore()
        try store.add("--title", "one")
        try store.add("--title", "two")
        try store.add("--collection", "notes", "a=b")
        _ = try store.capture("set", "k", "v")
        #expect(try store.reader("count").output == "2\n")
        #expect(try store.reader("count", "--collection", "none").output == "0\n")
        #expect(
            try store.reader("collections", "--json").output == """
                {"collection":"items","count":2}\n{"collection":"notes","count":1}\n
                """)
    }

    @Test("a record is deleted and restored, and what cannot be is told")
    func deleteAndRestore() throws {
        let store = try ReaderStore()
        let id = try store.add("--title", "t")
        let before = try store.reader("list", "--json").output
        let run = try store.reader("delete", id, "nothing", "--json")
        #expect(run.status == 1)
        #expect(try run.strings("outcome") == ["deleted", "unknown"])
        #expect(try store.reader("list").output == "")
        let gone = try store.reader("get", id)
        #expect(gone.status == 1 && gone.messages.contains("was deleted"))
        #expect(try store.reader("delete", id).status == 1)
        #expect(try store.reader("restore", id, "--json").strings("outcome") == ["restored"])
        #expect(try store.reader("list", "--json").output == before)
        #expect(try store.reader("restore", id, "--json").strings("outcome") == ["live"])
        #expect(try store.reader("restore", "nothing").status == 1)
    }

    // MARK: Stores that are not as they should be

    @Test("where no store is, none is made")
    func noStore() throws {
        let store = try ReaderStore()
        for command in ["list", "count", "collections", "export", "follow", "status"] {
            #expect(try store.reader(command).status == 66, "\(command)")
        }
        #expect(try store.reader("delete", "x").status == 66)
        #expect(!FileManager.default.fileExists(atPath: store.path))
    }

    @Test("reading makes no file and needs no lock file")
    func readOnly() throws {
        let store = try ReaderStore()
        let id = try store.add("--title", "t")
        try FileManager.default.removeItem(atPath: store.path + "/lock")
        for arguments in [
            ["list"], ["get", id], ["count"], ["collections"], ["export"], ["status"],
            ["follow", "--all", "--limit", "1"],
        ] {
            let run = try store.reader(arguments)
            #expect(run.status == 0 && !run.output.isEmpty, "\(arguments): \(run.messages)")
        }
        #expect(try store.names() == ["log"])
    }

    @Test("damage is told with its offset and costs only what it hit")
    func damage() throws {
        let store = try ReaderStore()
        for title in ["one", "hit by a flip", "three"] { try store.add("--title", title) }
        let offset = try store.flip("hit by a flip")
        let run = try store.reader("list", "--json")
        #expect(run.status == 0)
        #expect(try run.strings("title") == ["three", "one"])
        #expect(run.messages.hasPrefix("grouplog-reader: bad payload at offset "))
        let export = try store.reader("export")
        #expect(export.status == 65 && export.lines.count == 2)
        let status = try #require(try store.reader("status", "--json").objects.first)
        let damage = try #require((status["damage"] as? [[String: Any]])?.first)
        let place = try #require(damage["offset"] as? Int)
        let length = try #require(damage["length"] as? Int)
        #expect((place..<place + length).contains(offset))
        #expect(damage["framesBehind"] as? Int == 1)
    }

    @Test("a write that broke off is no damage, and status tells it")
    func unfinished() throws {
        let store = try ReaderStore()
        try store.add("--title", "whole")
        try store.add("--title", "broken off")
        let bytes = try Data(contentsOf: store.log)
        let place = try #require(bytes.firstRange(of: Data("broken off".utf8))).lowerBound
        try bytes.prefix(place).write(to: store.log)
        let run = try store.reader("list", "--json")
        #expect(run.messages.isEmpty && run.status == 0)
        #expect(try run.strings("title") == ["whole"])
        let status = try #require(try store.reader("status", "--json").objects.first)
        #expect((status["unfinished"] as? [String: Any])?["offset"] is Int)
        #expect((status["damage"] as? [Any])?.isEmpty == true)
        #expect(status["sequence"] as? Int == 1)
    }

    @Test("status says what the store holds")
    func status() throws {
        let store = try ReaderStore()
        let id = try store.add("--title", "t")
        try store.add("--collection", "notes", "a=b")
        _ = try store.capture("set", "k", "v")
        _ = try store.reader("delete", id)
        let status = try #require(try store.reader("status", "--json").objects.first)
        #expect(status["sequence"] as? Int == 4 && status["frames"] as? Int == 4)
        #expect(status["generation"] as? Int == 1 && status["values"] as? Int == 1)
        #expect(status["liveRecords"] as? Int == 2 && status["deadRecords"] as? Int == 2)
        #expect(status["quarantined"] as? Int == 0)
        let holder = try #require(status["lastHolder"] as? [String: Any])
        #expect(holder["name"] as? String == "grouplog-reader")
        #expect(holder["purpose"] as? String == "delete")
        let size = try FileManager.default.attributesOfItem(atPath: store.log.path)[.size] as? Int
        #expect((status["log"] as? [String: Any])?["size"] as? Int == size)
        #expect(try store.reader("status").output.contains("notes 1"))
    }

    @Test("every command has help with an example, and unknown ones are refused")
    func help() throws {
        let commands = [
            "list", "get", "value", "count", "collections", "delete", "restore", "export",
            "follow", "status",
        ]
        for command in commands {
            let run = try ToolRunner.run("grouplog-reader", [command, "--help"])
            #expect(run.status == 0 && run.output.contains("EXAMPLES:"), "\(command)")
        }
        #expect(
            try ToolRunner.run("grouplog-reader", ["--version"]).output == "grouplog-reader 0.1.0\n"
        )
        #expect(try ToolRunner.run("grouplog-reader", ["lst"]).status == 64)
        #expect(try ToolRunner.run("grouplog-reader", ["list", "--limit", "-1"]).status == 64)
    }
}
