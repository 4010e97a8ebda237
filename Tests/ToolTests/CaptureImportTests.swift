import Foundation
import GroupLog
import GroupLogFormat
import TestSupport
import Testing

@Suite struct CaptureImportTests {
    private static let samples = [
        """
        {"url":"https://a/1","title":"One","createdAt":"2024-01-02T03:04:05Z"}
        {"url":"https://a/2","title":"Two"}

        """,
        """
        [ {"url": "https://a/1", "title": "One", "createdAt": "2024-01-02T03:04:05Z"},
          {"url": "https://a/2", "title": "Two"} ]
        """,
        "url,title,createdAt\r\nhttps://a/1,One,2024-01-02T03:04:05Z\r\nhttps://a/2,Two,\r\n",
        """
        <!DOCTYPE NETSCAPE-Bookmark-file-1>
        <DL><p>
        <DT><A HREF="https://a/1" ADD_DATE="1704164645">One</A>
        <DT><A HREF="https://a/2">Two</A>
        </DL>
        """,
    ]

    @Test(
        "each format is told by its content, and importing twice adds nothing", arguments: samples)
    func formats(_ text: String) throws {
        let store = try CaptureStore()
        let rehearsal = try store.importing(text, "--dry-run")
        #expect(rehearsal.counts == .init(added: 2, withoutDate: 1, dryRun: true))
        #expect(!FileManager.default.fileExists(atPath: store.path))
        #expect(try store.importing(text).counts == .init(added: 2, withoutDate: 1))
        #expect(try store.importing(text).counts == .init(alreadyThere: 2))
        let again = try store.importing(text, "--dry-run")
        #expect(again.counts == .init(alreadyThere: 2, dryRun: true))
        let dated = try #require(try store.records().last)
        #expect(dated.fields["url"] == .text("https://a/1"))
        #expect(dated.fields["createdAt"] == .tagged(44_225, .double(725_857_445)))
    }

    @Test("an entry without an id is known by its address, byte for byte")
    func address() throws {
        let store = try CaptureStore()
        try store("add", "--url", "https://a/é")
        let text = """
            {"url":"https://a/é"}
            {"url":"https://a/e\u{301}"}
            {"url":"https://a/new"}
            {"url":"https://a/new","title":"again"}
            """
        let expected = CaptureStore.Counts(added: 2, alreadyThere: 2, withoutDate: 2)
        var rehearsed = expected
        rehearsed.dryRun = true
        #expect(try store.importing(text, "--dry-run").counts == rehearsed)
        #expect(try store.importing(text).counts == expected)
        #expect(try store.records().count == 3)
    }

    @Test("an address that a record no longer has is not there")
    func formerAddress() throws {
        let store = try CaptureStore()
        let id = "0b5e1d3a-77c4-4f0e-9a34-5c1f2e3d4b5a"
        try store("add", "--id", id, "--url", "https://a/old")
        let key = try #require(UUID(uuidString: id).map { RecordKey(uuid: $0.uuid) })
        try store.open(.app).transaction { transaction in
            try transaction.put(key, in: "items") {
                try $0.content(
                    of: [("url", .text("https://a/now"))], declaring: [], in: "items")
            }
        }
        let text = "{\"url\":\"https://a/old\"}\n{\"url\":\"https://a/now\"}\n"
        #expect(
            try store.importing(text).counts == .init(added: 1, alreadyThere: 1, withoutDate: 1))
    }

    @Test("entries with ids are known by these alone, so one address may come back twice")
    func sameAddress() throws {
        let store = try CaptureStore()
        let text = (1...3).map {
            "{\"id\":\"00000000-0000-4000-8000-abcdefabcde\($0)\",\"url\":\"https://a\"}"
        }.joined(separator: "\n")
        let capitals = text.replacing("abcdefabcde", with: "ABCDEFABCDE")
        #expect(try store.importing(text).counts == .init(added: 3, withoutDate: 3))
        #expect(try store.importing(capitals).counts == .init(alreadyThere: 3))
        #expect(try store.importing("{\"url\":\"https://a\"}").counts == .init(alreadyThere: 1))
    }

    @Test("what was deleted here stays deleted, unless it is asked back")
    func deleted() throws {
        let store = try CaptureStore()
        let text = "{\"url\":\"https://a\"}\n"
        _ = try store.importing(text)
        let open = try store.open(.app)
        let records = RecordCollection(open, name: "items", declaring: [])
        #expect(try records.delete(try open.view().keys(in: "items")[0]))
        #expect(try store.importing(text).counts == .init(deletedHere: 1))
        #expect(try store.importing(text, "--revive").counts == .init(added: 1, withoutDate: 1))
        #expect(try store.records().count == 1)
    }

    @Test("a bad entry is named by its line and does not stop the others")
    func badEntries() throws {
        let store = try CaptureStore()
        let deep = String(repeating: "[", count: 600) + String(repeating: "]", count: 600)
        let text = """
            {"title":"good"}
            {"title":
            {"id":"no-uuid","title":"bad"}
            {"title":"deep","x":\(deep)}
            {"tags":["no content"]}
            {"title":"also good"}
            """
        let (run, counts) = try store.importing(text)
        #expect(run.status == 65)
        #expect(counts == .init(added: 2, refused: 4, withoutDate: 2))
        for line in 2...5 { #expect(run.messages.contains("standard input:\(line): "), "\(line)") }
        #expect(!run.messages.contains("standard input:1: "))
        #expect(
            Set(try store.records().map(\.fields["title"])) == [.text("good"), .text("also good")])
    }

    @Test("what was repaired in an entry is told")
    func notes() throws {
        let store = try CaptureStore()
        let text = "{\"title\":\"half \\ud83d\",\"createdAt\":\"soon\"}"
        let run = try store.importing(text).run
        #expect(run.status == 0)
        #expect(run.messages.split(separator: "\n").count == 2)
        #expect(run.messages.contains("standard input:1: note: "))
        #expect(try store.importing(text).run.messages.isEmpty, "nothing came of it this time")
    }

    @Test("a file that cannot be read does not stop the others")
    func files() throws {
        let store = try CaptureStore()
        let good = store.directory.url("good.jsonl")
        try Data("{\"title\":\"A\"}".utf8).write(to: good)
        let unknown = store.directory.url("unknown.csv")
        try Data("a,b\n1,2\n".utf8).write(to: unknown)
        let run = try store.run([
            "import", store.directory.url("none").path, unknown.path, good.path,
        ])
        #expect(run.status == 66)
        #expect(run.messages.contains("\(unknown.path):1: "))
        #expect(try store.records().count == 1)
    }

    @Test("an import that can read none of its files makes no store")
    func nothingToRead() throws {
        let store = try CaptureStore()
        let page = store.directory.url("page.html")
        try Data("<p>No bookmarks</p>".utf8).write(to: page)
        #expect(try store.run(["import", store.directory.url("none").path]).status == 66)
        for options in [[], ["--format", "netscape"], ["--format", "csv"]] {
            #expect(try store.run(["import", page.path] + options).status == 65, "\(options)")
        }
        #expect(!FileManager.default.fileExists(atPath: store.path))
    }

    @Test(
        "nothing is no JSON and no bookmark file, and it is no entries of the other formats",
        arguments: [
            ("jsonl", 0), ("csv", 0), ("json", 65), ("netscape", 65), (nil, 0),
        ] as [(String?, Int32)])
    func empty(_ format: String?, _ status: Int32) throws {
        let store = try CaptureStore()
        let options = format.map { ["--format", $0] } ?? []
        let (run, counts) = try store.importing("", options)
        #expect(run.status == status)
        #expect(counts.refused == (status == 0 ? 0 : 1))
        let bookmarks = "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n</DL><p>\n"
        #expect(try store.importing(bookmarks, "--format", "netscape").run.status == 0)
    }

    @Test("a dry run says what would be added")
    func rehearsalWords() throws {
        let store = try CaptureStore()
        let text = Array("{\"title\":\"A\"}".utf8)
        let rehearsal = try store("import", "--dry-run", "-", input: text)
        #expect(rehearsal.output.hasPrefix("would be added 1, "))
        #expect(try store("import", "-", input: text).output.hasPrefix("added 1, "))
    }

    @Test(
        "what cannot be an item is refused with what is wrong with it",
        arguments: [
            ("{\"url\":5}", "the field 'url' takes a text"),
            ("{\"url\":\"https://a\",\"title\":[]}", "the field 'title' takes a text"),
            ("{\"id\":5,\"title\":\"A\"}", "the id '5' is not a UUID"),
            ("{\"id\":[5],\"title\":\"A\"}", "the id '[...]' is not a UUID"),
            ("{\"url\":null,\"title\":\"\"}", "neither an address nor a title nor a text"),
            (
                "[{\"title\":\"Menu\",\"children\":[{\"url\":\"https://a\"}]}]",
                "'children' holds further entries"
            ),
            (
                "{\"version\":1,\"title\":\"Feed\",\"items\":[{\"url\":\"https://a\"}]}",
                "'items' holds further entries"
            ),
        ])
    func refusedItems(_ text: String, _ reason: String) throws {
        let store = try CaptureStore()
        let (run, counts) = try store.importing(text)
        #expect(run.status == 65)
        #expect(counts == .init(refused: 1))
        #expect(run.messages.contains("standard input:1: " + reason))
        // Elsewhere any field is fine.
        if !text.contains("\"id\":[") {
            #expect(try store.importing(text, "--collection", "any").counts.added == 1)
        }
    }

    @Test("the status that is told of an item is not stored in it")
    func syncStatus() throws {
        let store = try CaptureStore()
        _ = try store.importing("{\"title\":\"A\",\"syncStatus\":\"synced\"}")
        #expect(try store.records()[0].fields["syncStatus"] == nil)
    }

    @Test("more entries than fit a batch come in once, also from two imports at once")
    func batches() throws {
        let store = try CaptureStore()
        let text = (0..<1_300).map { "{\"url\":\"https://a/\($0)\"}\n" }.joined()
        let file = store.directory.url("many.jsonl")
        try Data(text.utf8).write(to: file)
        let imports = try (0..<2).map { _ in
            try store.shell("\"$capture\" import --timeout 60 '\(file.path)' >/dev/null")
        }
        for process in imports {
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
        }
        #expect(try store.records().count == 1_300)
    }

    @Test("an interrupted import tells what was added, and can be run again")
    func interrupted() throws {
        let store = try CaptureStore()
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = ToolRunner.url(of: "grouplog-capture")
        process.arguments = ["import", "--json", "--store", store.path, "-"]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        // More than the tool looks at to tell the format, so that it begins to store.
        let line = "{\"title\":\"\(String(repeating: "x", count: 100_000))"
        let text = (0..<30).map { "\(line)\($0)\"}\n" }.joined()
        try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        while (try? store.open().collections().isEmpty) ?? true { usleep(10_000) }
        process.terminate()
        // A tool that does not listen must not stop the tests.
        let child = process.processIdentifier
        let watchdog = DispatchWorkItem { kill(child, SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + 60, execute: watchdog)
        defer { watchdog.cancel() }
        let account = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 130)
        let counts = try JSONDecoder().decode(CaptureStore.Counts.self, from: account)
        #expect(counts.added > 0)
        #expect(try store.records().count == counts.added)
        let rest = try store.importing(text).counts
        #expect(rest.added + counts.added == 30)
        #expect(rest.alreadyThere == counts.added)
    }
}
