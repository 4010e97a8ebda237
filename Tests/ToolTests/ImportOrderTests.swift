import Foundation
import GroupLogFormat
import TestSupport
import Testing

@Suite struct ImportOrderTests {
    /// So many that they do not fit a batch of the import.
    private static let count = 620
    private static let numbers = 0..<count

    /// Files of entries without a date and without an id, numbered in their order.
    private static let undatedFiles: [String] = [
        numbers.map { "{\"title\":\"\($0)\"}\n" }.joined(),
        "[" + numbers.map { "{\"title\":\"\($0)\"}" }.joined(separator: ",\n") + "]",
        "title\n" + numbers.map { "\($0)\n" }.joined(),
        "<DL><p>\n" + numbers.map { "<DT><A HREF=\"https://a/\($0)\">\($0)</A>\n" }.joined()
            + "</DL>\n",
    ]

    private func titles(_ store: CaptureStore, in collection: String = "items") throws -> [String] {
        try store.records(in: collection).map { record in
            guard case .text(let title) = record.fields["title"] else { return "none" }
            return title
        }
    }

    @Test(
        "entries without a date keep the order of the file, and the last one is the newest",
        arguments: undatedFiles.indices, ["items", "others"])
    func undated(_ file: Int, collection: String) throws {
        let text = Self.undatedFiles[file]
        let store = try CaptureStore()
        var options = ["--collection", collection]
        if text.hasPrefix("title") { options += ["--format", "csv"] }
        let imported = try store.importing(text, options)
        #expect(imported.counts.added == Self.count)
        #expect(try titles(store, in: collection) == Self.numbers.reversed().map(String.init))
    }

    @Test("entries of two files keep the order of the files")
    func files() throws {
        let store = try CaptureStore()
        let paths = try ["a", "b"].map { name in
            let url = store.directory.url(name + ".jsonl")
            try Data("{\"title\":\"\(name)1\"}\n{\"title\":\"\(name)2\"}\n".utf8).write(to: url)
            return url.path
        }
        #expect(try store.run(["import"] + paths).status == 0)
        #expect(try titles(store) == ["b2", "b1", "a2", "a1"])
    }

    /// Records with ids whose dates are equal or missing, in an order that their ids do not have.
    private static func dated(in collection: String, seed: UInt64) -> String {
        var random = SeededGenerator(seed: seed)
        let dates = ["2024-01-01T00:00:00Z", "2024-01-01T00:00:00.5Z", "2025-01-01T00:00:00Z"]
        return numbers.map { number in
            let id =
                collection == "items"
                ? String(
                    format: "\"%08x-0000-4000-8000-%012x\"",
                    UInt32.random(in: .min ... .max, using: &random), number)
                : number.isMultiple(of: 2) ? "\(number)" : "\"\(1_000 - number)\""
            let isDated = collection == "items" || number.isMultiple(of: 3)
            let date = isDated ? ",\"createdAt\":\"\(dates[number * dates.count / count])\"" : ""
            return "{\"id\":\(id),\"title\":\"\(number)\"\(date)}\n"
        }.joined()
    }

    @Test(
        "export and import bring records of equal dates into other stores in their order",
        arguments: ["items", "others"], ["jsonl", "json", "csv"])
    func rounds(collection: String, format: String) throws {
        let seed = UInt64.random(in: .min ... .max)
        var file = Array(Self.dated(in: collection, seed: seed).utf8)
        var order: [String] = []
        var export: [UInt8] = []
        for round in 0..<3 {
            let store = try CaptureStore()
            let given = round == 0 ? "jsonl" : format
            let run = try store.run(
                ["import", "--format", given, "--collection", collection, "-"], input: file)
            #expect(run.status == 0, "seed \(seed): \(run.messages)")
            let written = try ToolRunner.run(
                "grouplog-reader",
                [
                    "export", "--store", store.path, "--format", format, "--collection", collection,
                ])
            file = written.bytes
            let titles = try titles(store, in: collection)
            #expect(titles.count == Self.count)
            if round == 0 {
                // Where all have dates, and these rise, the file was in order.
                if collection == "items" {
                    #expect(titles == Self.numbers.reversed().map(String.init))
                }
                (order, export) = (titles, file)
            }
            #expect(titles == order, "seed \(seed), round \(round)")
            #expect(file == export, "seed \(seed), round \(round)")
        }
    }
}
