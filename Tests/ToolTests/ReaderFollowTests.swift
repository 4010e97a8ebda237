import Foundation
import TestSupport
import Testing

extension ReaderTests {
    /// A follower that is known to follow: it has printed a first change.
    private func following(
        _ store: ReaderStore, _ arguments: String...
    ) throws -> RunningTool {
        try store.add("--title", "first")
        let tool = try RunningTool(
            "grouplog-reader",
            ["follow", "--all", "--interval", "10", "--store", store.path] + arguments)
        #expect(try tool.lines(atLeast: 1).count == 1)
        return tool
    }

    @Test("follow prints each change once and in order, and an interruption ends it quietly")
    func changes() throws {
        let store = try ReaderStore()
        let tool = try following(store, "--json")
        let id = try store.add("--title", "second", "--author", "me")
        _ = try store.capture("set", "theme", "dark")
        _ = try store.reader("delete", id)
        let lines = try tool.lines(atLeast: 4)
        tool.interrupt()
        let end = try tool.end()
        #expect(end.status == 130 && end.messages.isEmpty)
        let run = ToolRun(
            bytes: Array(lines.joined(separator: "\n").utf8), messages: "", status: 0,
            wasKilled: false)
        #expect(try run.strings("kind") == ["insert", "insert", "insert", "delete"])
        #expect(try run.strings("collection") == ["items", "items", "$values", "items"])
        #expect(try run.objects.map { $0["sequence"] as? Int } == [1, 2, 3, 4])
        #expect(try run.objects[1]["author"] as? String == "me")
        #expect((try run.objects[1]["record"] as? [String: Any])?["title"] as? String == "second")
        #expect(try run.objects[2]["value"] as? String == "dark")
        #expect(try run.objects[3]["key"] as? String == id)
    }

    @Test("follow begins with what comes, and ends at its limit")
    func limit() throws {
        let store = try ReaderStore()
        try store.add("--title", "before")
        let tool = try RunningTool(
            "grouplog-reader",
            ["follow", "--interval", "10", "--limit", "2", "--store", store.path])
        // Until it follows, nothing can be seen from outside but that it has opened the log.
        var titles: [String] = []
        _ = try waitUntil {
            titles.append("t\(titles.count)")
            try store.add("--title", titles[titles.count - 1])
            return try tool.lines().count >= 2
        }
        #expect(try tool.end().status == 0)
        let lines = try tool.lines()
        #expect(lines.count == 2 && !lines.contains { $0.contains("before") })
        let first = try #require(titles.firstIndex { lines[0].hasSuffix("  \($0)") })
        #expect(lines[1].hasSuffix("  t\(first + 1)"))
    }

    @Test("who looks but once a minute follows all the same, and an interruption ends it at once")
    func notified() throws {
        let store = try ReaderStore()
        try store.add("--title", "first")
        let tool = try RunningTool(
            "grouplog-reader", ["follow", "--all", "--interval", "60000", "--store", store.path])
        // Less than a minute, each time.
        #expect(try tool.lines(atLeast: 1).count == 1)
        try store.add("--title", "second")
        #expect(try tool.lines(atLeast: 2).count == 2)
        #expect(try store.reader("compact").status == 0)
        try store.add("--title", "third")
        #expect(try tool.lines(atLeast: 3).count == 3)
        let files = FileManager.default
        try files.moveItem(atPath: store.path, toPath: store.beside("old"))
        try files.copyItem(atPath: store.beside("old"), toPath: store.path)
        try store.add("--title", "fourth")
        #expect(try tool.lines(atLeast: 4).last?.hasSuffix("  fourth") == true)
        tool.interrupt()
        #expect(try tool.end().status == 130)
    }

    @Test("another log in the place of the one that is followed is told and followed")
    func replaced() throws {
        let (store, other) = (try ReaderStore(), try ReaderStore())
        for title in ["a", "b"] { try other.add("--title", title) }
        let tool = try following(store, "--json")
        let handle = try FileHandle(forWritingTo: store.log)
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: try Data(contentsOf: other.log))
        try handle.close()
        #expect(try tool.lines(atLeast: 4).count == 4)
        try store.add("--title", "c")
        let lines = try tool.lines(atLeast: 5)
        #expect(lines[1].hasPrefix(#"{"kind":"replaced","store":""#))
        for (line, title) in zip(lines[2...], ["a", "b", "c"]) {
            #expect(line.contains("\"title\":\"\(title)\""))
        }
        tool.interrupt()
        #expect(try tool.end().messages.contains("the log was replaced"))
    }

    @Test("follow ends when nobody reads its output, also when there is nothing to print")
    func readerGone() throws {
        let store = try ReaderStore()
        try store.add("--title", "t")
        let pipe = Pipe()
        let tool = try RunningTool(
            "grouplog-reader", ["follow", "--all", "--interval", "10", "--store", store.path],
            sink: pipe)
        #expect(!pipe.fileHandleForReading.availableData.isEmpty)
        try pipe.fileHandleForReading.close()
        try pipe.fileHandleForWriting.close()
        let end = try tool.end()
        #expect(end.status == 0 && end.messages.isEmpty)
    }

    #if os(Linux)
        @Test(
            "a follower is told of changes, holds no lock, and a child could not inherit its files")
        func idle() throws {
            let store = try ReaderStore()
            let tool = try following(store)
            let folder = "/proc/\(tool.identifier)/"
            var count = 0
            var notifications = 0
            for name in try FileManager.default.contentsOfDirectory(atPath: folder + "fd") {
                let path = try FileManager.default.destinationOfSymbolicLink(
                    atPath: folder + "fd/" + name)
                let isNotification = path.hasPrefix("anon_inode:")
                guard path.hasPrefix(store.path) || isNotification else { continue }
                let info = try String(contentsOfFile: folder + "fdinfo/" + name, encoding: .utf8)
                let flags = try #require(
                    info.split(separator: "\n").first { $0.hasPrefix("flags:") })
                let bits = try #require(Int(flags.dropFirst(6).trimmingPrefix("\t"), radix: 8))
                #expect(bits & 0o2000000 != 0, "\(path)")
                if isNotification {
                    notifications += path == "anon_inode:inotify" ? 1 : 0
                } else {
                    count += 1
                    #expect(bits & 3 == 0, "\(path) is open for writing")
                }
            }
            #expect(count >= 1 && notifications == 1)
            let locks = try String(contentsOfFile: "/proc/locks", encoding: .utf8)
            #expect(!locks.split(separator: " ").contains("\(tool.identifier)"))
        }

        @Test("a full device is an error, whatever is printed to it")
        func fullDevice() throws {
            let store = try ReaderStore()
            let id = try store.add("--title", "t")
            for arguments in [
                ["list"], ["list", "--json"], ["get", id], ["count"], ["collections"], ["export"],
                ["status"], ["follow", "--all", "--limit", "1"], ["--help"],
            ] {
                let process = Process()
                process.executableURL = ToolRunner.url(of: "grouplog-reader")
                process.arguments = arguments + ["--store", store.path]
                process.standardOutput = FileHandle(forWritingAtPath: "/dev/full")
                process.standardError = FileHandle.nullDevice
                try process.run()
                process.waitUntilExit()
                #expect(process.terminationReason == .exit, "\(arguments)")
                #expect(process.terminationStatus == 74, "\(arguments)")
            }
        }
    #endif
}
