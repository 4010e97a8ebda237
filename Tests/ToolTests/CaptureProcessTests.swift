import Foundation
import GroupLog
import TestSupport
import Testing

@Suite struct CaptureProcessTests {
    @Test("the first capture of a user makes the default store and the directories above it")
    func defaultStore() throws {
        let home = try TemporaryDirectory()
        let path = home.url.path
        let run = try ToolRunner.run(
            "grouplog-capture", ["add", "--title", "A"], environment: ["HOME": path])
        #expect(run.status == 0)
        #expect(try ToolRunner.run("grouplog-capture", ["add", "--title", "A"]).status == 64)
    }

    @Test("a named store whose directory is missing is not made elsewhere")
    func missingDirectory() throws {
        let store = try CaptureStore()
        let run = try store("add", "--store", store.path + "/no/such", "--title", "A")
        #expect(run.status == 73)
        #expect(!FileManager.default.fileExists(atPath: store.path))
    }

    @Test("a file in the place of the store is left alone")
    func file() throws {
        let store = try CaptureStore()
        try Data("mine".utf8).write(to: URL(filePath: store.path))
        #expect(try store("add", "--title", "A").status == 66)
        #expect(try Data(contentsOf: URL(filePath: store.path)) == Data("mine".utf8))
    }

    @Test("a full device is an error, and a closed pipe is none")
    func output() throws {
        let store = try CaptureStore()
        for (line, status) in [
            ("\"$capture\" add --title A >/dev/full 2>/dev/null", 74),
            ("\"$capture\" add --help >/dev/full 2>/dev/null", 74),
            ("{ \"$capture\" add --title A; echo $? >&3; } 3>\"$store.out\" | :", 0),
        ] {
            let process = try store.shell(line)
            process.waitUntilExit()
            #expect(process.terminationStatus == status, "\(line)")
        }
        #expect(try String(contentsOfFile: store.path + ".out", encoding: .utf8) == "0\n")
        // What could not be told was stored all the same.
        #expect(try store.records().count == 2)
    }

    @Test(
        "an id that cannot be printed is told with the error, since the record is there",
        arguments: [">/dev/full", ">&-", "--json >/dev/full"])
    func unprintableID(_ output: String) throws {
        let store = try CaptureStore()
        let process = try store.shell("\"$capture\" add --title A \(output) 2>\"$store.err\"")
        process.waitUntilExit()
        #expect(process.terminationStatus == 74)
        let message = try String(contentsOfFile: store.path + ".err", encoding: .utf8)
        let key = try #require(try store.records().first?.key)
        #expect(
            message.hasPrefix("grouplog-capture: the record \(key) was added, but cannot write"))
    }

    @Test("an account that cannot be printed is told with the error")
    func unprintableAccount() throws {
        let store = try CaptureStore()
        let process = try store.shell(
            "echo '{\"title\":\"A\"}' | \"$capture\" import - >/dev/full 2>\"$store.err\"")
        process.waitUntilExit()
        #expect(process.terminationStatus == 74)
        let message = try String(contentsOfFile: store.path + ".err", encoding: .utf8)
        #expect(message.contains("added 1, already there 0"))
    }

    @Test("captures of several processes at once are all there, and the lock stays the same file")
    func concurrency() throws {
        let store = try CaptureStore()
        try store("add", "--title", "first")
        let lock = try inode(store.path + "/lock")
        let old = try Data(contentsOf: URL(filePath: store.path + "/log"))
        let end = try #require(old.lastIndex { $0 != 0 }) + 1
        let line =
            "for i in 1 2 3 4 5 6; do \"$capture\" add --title $i --timeout 60 || exit 9; done"
        let processes = try (0..<4).map { _ in try store.shell(line + " >/dev/null") }
        for process in processes {
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
        }
        #expect(try store.records().count == 25)
        #expect(try inode(store.path + "/lock") == lock)
        let new = try Data(contentsOf: URL(filePath: store.path + "/log"))
        #expect(new.prefix(end) == old.prefix(end), "a capture only appends")
    }

    @Test("a capture that is killed leaves a store that the next one works with")
    func killed() throws {
        let store = try CaptureStore()
        var expected = 0
        for turn in 0..<20 {
            let process = Process()
            process.executableURL = ToolRunner.url(of: "grouplog-capture")
            process.arguments = ["add", "--store", store.path, "--title", "A"]
            process.standardOutput = FileHandle.nullDevice
            try process.run()
            usleep(UInt32(turn) * 1_500)
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            if process.terminationReason == .exit { expected += 1 }
            #expect(try store("add", "--title", "B").status == 0)
            expected += 1
        }
        #expect(try store.records().count >= expected)
    }

    @Test("nothing but the small part of Foundation is linked, which takes long to load")
    func linkage() throws {
        let tool = try Data(contentsOf: ToolRunner.url(of: "grouplog-capture"))
        #expect(tool.range(of: Data("libFoundation.so".utf8)) == nil)
        #expect(tool.range(of: Data("libFoundationInternationalization.so".utf8)) == nil)
    }

    @Test(
        "every command has help with examples",
        arguments: [[], ["add"], ["import"], ["set"], ["unset"]])
    func help(_ command: [String]) throws {
        let run = try ToolRunner.run("grouplog-capture", command + ["--help"])
        #expect(run.status == 0)
        #expect(run.output.contains("EXAMPLES:"))
        #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test("the version is told") func version() throws {
        #expect(
            try ToolRunner.run("grouplog-capture", ["--version"]).output
                == "grouplog-capture 0.1.0\n")
    }

    private func inode(_ path: String) throws -> UInt64? {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.systemFileNumber] as? NSNumber)?.uint64Value
    }
}
