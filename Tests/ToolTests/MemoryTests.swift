import Foundation
import GroupLogFormat
import TestSupport
import Testing

/// Tools that pass long texts on must not take memory for copy upon copy of them: an app's extension
/// and what runs beside it are killed for it.
@Suite struct MemoryTests {
    private static let length = 2 << 20
    /// How many KiB a tool may take more than it does with nothing to do: the bytes read, the text made of
    /// them, what is written of it, and a copy while an array grows. An import reads the log again as
    /// well, and writes.
    private static func limit(of tool: String) -> Int {
        (tool == "grouplog-capture" ? 7 : 4) * length >> 10
    }

    private static let texts: [(name: String, text: [UInt8])] = [
        ("escaped sixfold", [UInt8](repeating: 1, count: length)),
        ("many lines", [UInt8](repeating: 0x0A, count: length)),
    ]

    private func store(of text: [UInt8], count: Int) throws -> ReaderStore {
        let store = try ReaderStore()
        for _ in 0..<count {
            let run = try ToolRunner.run(
                "grouplog-capture",
                ["add", "--text", "-", "--url", "http://a/", "--store", store.path],
                input: text)
            try #require(run.status == 0, "\(run.messages)")
        }
        return store
    }

    private func expectBounded(
        _ tool: String, _ arguments: [String], _ name: String, output: String = "/dev/null"
    ) throws {
        let idle = try peakMemory(tool, ["--version"])
        let run = try peakMemory(tool, arguments, output: output)
        #expect(run.status == 0)
        #expect(
            run.kibibytes - idle.kibibytes <= Self.limit(of: tool),
            "\(name), \(tool) \(arguments): \(run.kibibytes - idle.kibibytes) KiB")
    }

    @Test(
        "a long text is listed, printed, exported and imported without a row of copies",
        .enabled(if: canMeasure, "needs Linux and /usr/bin/python3"))
    func longTexts() throws {
        for (name, text) in Self.texts {
            let store = try store(of: text, count: 2)
            let key = try #require(
                try store.reader("list", "--limit", "1").lines.last?.prefix { $0 != " " })
            let place = ["--store", store.path]
            for arguments in [
                ["list"], ["list", "--json"], ["get", String(key)],
                ["get", "--json", String(key)], ["follow", "--all", "--limit", "2"],
                ["follow", "--all", "--limit", "2", "--json"],
            ] {
                try expectBounded("grouplog-reader", arguments + place, name)
            }
            try expectBounded("grouplog-dump", ["records", store.path], name)
            try expectBounded("grouplog-dump", ["records", "--json", store.path], name)
            try expectBounded("grouplog-dump", ["verify", store.path], name)
            for format in ["jsonl", "json", "csv", "netscape"] {
                let (file, copy) = (store.beside("out"), store.beside("copy-\(format)"))
                try expectBounded(
                    "grouplog-reader", ["export", "--format", format] + place, name,
                    output: file)
                try expectBounded(
                    "grouplog-capture",
                    ["import", "--format", format, "--store", copy, file], name)
            }
        }
    }

    @Test("a text that no record can hold is refused while it is read, and the rest is added")
    func excess() throws {
        let long = [UInt8](repeating: 0x78, count: 50 << 20)
        let cases: [(format: String, before: String, behind: String)] = [
            ("jsonl", "{\"url\":\"http://a\"}\n{\"text\":\"", "\"}\n{\"url\":\"http://b\"}\n"),
            ("json", "[{\"url\":\"http://a\"},\n{\"text\":\"", "\"},{\"url\":\"http://b\"}]"),
            ("csv", "url,text\r\nhttp://a,\r\n,", "\r\nhttp://b,\r\n"),
            (
                "netscape", "<DL><DT><A HREF=\"http://a\">a</A>\n<DT><A HREF=\"http://c\">",
                "</A><DT><A HREF=\"http://b\">b</A></DL>"
            ),
        ]
        for (format, before, behind) in cases {
            let store = try CaptureStore()
            let file = store.directory.url("in")
            try Data(Array(before.utf8) + long + Array(behind.utf8)).write(to: file)
            let run = try store("import", "--json", "--format", format, file.path)
            #expect(run.status == 65 && run.output.contains("\"added\":2"), "\(format)")
            let line = format == "csv" ? 3 : 2
            #expect(
                run.messages.contains("in:\(line): ") && run.messages.contains("32 MiB"),
                "\(format): \(run.messages)")
        }
    }
}

/// Runs a tool to its end; gives its exit status, and how many KiB of memory it had at most.
///
/// Asked for by Python, since the system counts a child's memory from before it became another
/// program, and that of the tests is large.
private func peakMemory(
    _ tool: String, _ arguments: [String], output: String = "/dev/null"
) throws -> (status: Int, kibibytes: Int) {
    let script = """
        import os, sys
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        child = os.fork()
        if child == 0:
            os.dup2(os.open(sys.argv[1], flags, 0o600), 1)
            os.execv(sys.argv[2], sys.argv[2:])
        _, status, usage = os.wait4(child, 0)
        print(os.waitstatus_to_exitcode(status), usage.ru_maxrss)
        """
    let process = Process()
    process.executableURL = URL(filePath: python)
    process.arguments = ["-c", script, output, ToolRunner.url(of: tool).path] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let numbers = text.split { $0.isWhitespace }.compactMap { Int($0) }
    try #require(numbers.count == 2, "\(text)")
    return (numbers[0], numbers[1])
}

private let python = "/usr/bin/python3"

private var canMeasure: Bool {
    #if os(Linux)
        FileManager.default.isExecutableFile(atPath: python)
    #else
        false
    #endif
}
