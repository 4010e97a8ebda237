import Foundation
import Testing

@Suite struct FileSizeLimitTests {
    @Test("a limit on file sizes is an error that is told, and the store is as it was")
    func limit() throws {
        let store = try ReaderStore()
        try store.add("--title", "one")
        let capture = ToolRunner.url(of: "grouplog-capture").path
        let process = Process()
        let messages = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = [
            "-c",
            "ulimit -f 48; head -c 60000 /dev/zero | tr '\\0' z | \"$0\" add --title two --text - --store \"$1\"",
            capture, store.path,
        ]
        process.standardError = messages
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let text = String(
            decoding: messages.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 74 && text.contains("too large"), "\(text)")
        #expect(try store.reader("list", "--json").strings("title") == ["one"])
        try store.add("--title", "three")
        #expect(try store.reader("list", "--json").strings("title") == ["three", "one"])
    }
}
