import Foundation
import Testing

extension ReaderTests {
    /// A store with two records that hold what formats trip over.
    private func difficult() throws -> ReaderStore {
        let store = try ReaderStore()
        try store.add(
            "--url", "http://a/?b=1&c=%2C", "--title", "com,ma \"quote\" <b>&amp;", "--tag", "a b",
            "--text", "line\r\nline", "--created", "2020-01-02T03:04:05.123456Z")
        try store.add("--title", "\u{FEFF}=1+1", "--created", "2021-01-01", "n:=-0.5", "m:={}")
        return store
    }

    @Test(
        "an export that is imported into an empty store gives the same list",
        arguments: [
            "jsonl", "json",
        ])
    func roundTrip(_ format: String) throws {
        let (store, copy) = (try difficult(), try ReaderStore())
        let export = try store.reader("export", "--format", format)
        #expect(export.status == 0 && export.messages.isEmpty)
        let run = try copy.capture("import", "-", input: export.output)
        #expect(run.status == 0, "\(run.messages)")
        #expect(try copy.reader("list", "--json").output == store.reader("list", "--json").output)
        #expect(try copy.reader("export", "--format", format).output == export.output)
    }

    @Test("an export begins with the oldest and leaves out the state of the upload")
    func order() throws {
        let run = try difficult().reader("export")
        #expect(try run.strings("createdAt").map { $0.prefix(4) } == ["2020", "2021"])
        #expect(!run.output.contains("syncStatus"))
    }

    @Test("CSV has a column for every field that occurs")
    func csv() throws {
        let run = try difficult().reader("export", "--format", "csv")
        #expect(run.output.hasPrefix("id,url,title,text,tags,createdAt,n,m"))
        #expect(run.output.contains(#""com,ma ""quote"" <b>&amp;""#))
    }

    @Test("a bookmark file has every address")
    func netscape() throws {
        let run = try difficult().reader("export", "--format", "netscape")
        #expect(run.output.hasPrefix("<!DOCTYPE NETSCAPE-Bookmark-file-1>"))
        #expect(run.output.contains("http://a/?b=1&amp;c=%2C"))
    }

    @Test("an exported file appears whole, in place of the one before, and leaves nothing beside")
    func file() throws {
        let store = try difficult()
        let path = store.beside("out.jsonl")
        try "before".write(toFile: path, atomically: true, encoding: .utf8)
        let run = try store.reader("export", "--output", path)
        #expect(run.status == 0 && run.output.isEmpty)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == store.reader("export").output)
        let names = try FileManager.default.contentsOfDirectory(atPath: store.beside(""))
        #expect(names.sorted() == ["out.jsonl", "test.grouplog"])
    }

    @Test("a file that cannot be made, or is no plain file, is told and left alone")
    func refusedFiles() throws {
        let store = try difficult()
        #expect(try store.reader("export", "-o", store.beside("none/out")).status == 73)
        #expect(try store.reader("export", "-o", store.path).status == 73)
        let link = store.beside("link")
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: store.beside("elsewhere"))
        #expect(try store.reader("export", "-o", link).status == 73)
        let device = try store.reader("export", "-o", "/dev/null")
        #expect(device.status == 73 && device.messages.contains("hint: "))
        let names = try FileManager.default.contentsOfDirectory(atPath: store.beside(""))
        #expect(names.sorted() == ["link", "test.grouplog"])
    }

    @Test("a file that cannot be made is told in the words of all messages")
    func unmade() throws {
        let store = try ReaderStore()
        try store.add("--title", "A")
        for place in ["no/such\nplace", "."] {
            let run = try store.reader("export", "--output", store.beside(place))
            #expect(run.status == 73)
            #expect(run.messages.split(separator: "\n").count <= 2, "\(run.messages)")
            #expect(!run.messages.contains(": No such"), "\(run.messages)")
        }
    }

    @Test("CSV tells an empty text from a field that is not there", arguments: ["items", "others"])
    func emptyCells(collection: String) throws {
        let store = try ReaderStore()
        let lines = """
            {"id":"00000000-0000-4000-8000-000000000001","title":"","tags":[],"a":"","b":"x"}
            {"id":"00000000-0000-4000-8000-000000000002","title":"A","b":"","c":null}\n
            """
        let options = ["--collection", collection]
        _ = try ToolRunner.run(
            "grouplog-capture", ["import", "--store", store.path, "-"] + options,
            input: Array(lines.utf8))
        let csv = try store.reader(["export", "--format", "csv"] + options)
        let other = try ReaderStore()
        let run = try ToolRunner.run(
            "grouplog-capture", ["import", "--store", other.path, "-"] + options,
            input: csv.bytes)
        #expect(run.status == 0, "\(run.messages)")
        let back = try other.reader(["list", "--json"] + options).objects
        let first = try #require(back.first { ($0["id"] as? String)?.hasSuffix("1") == true })
        let second = try #require(back.first { ($0["id"] as? String)?.hasSuffix("2") == true })
        #expect(first["title"] as? String == "" && first["a"] as? String == "")
        #expect(first["c"] == nil && second["a"] == nil && second["c"] == nil)
        #expect(second["b"] as? String == "")
        #expect((first["tags"] as? [String])?.isEmpty == (collection == "items" ? true : nil))
    }
}
