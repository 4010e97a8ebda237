import Foundation
import TestSupport
import Testing

/// A store of its own, and the tools on it.
final class ReaderStore {
    private let directory: TemporaryDirectory
    let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.url("test.grouplog").path
    }

    var log: URL { URL(fileURLWithPath: path + "/log") }

    /// A place beside the store.
    func beside(_ name: String) -> String { directory.path(name) }

    func reader(_ arguments: String...) throws -> ToolRun { try reader(arguments) }

    func reader(_ arguments: [String]) throws -> ToolRun {
        let run = try ToolRunner.run("grouplog-reader", arguments + ["--store", path])
        #expect(!run.wasKilled, "\(arguments): \(run.messages)")
        return run
    }

    func capture(_ arguments: String..., input: String = "") throws -> ToolRun {
        try ToolRunner.run(
            "grouplog-capture", arguments + ["--store", path], input: Array(input.utf8))
    }

    /// Captures a record; gives its id.
    @discardableResult
    func add(_ arguments: String...) throws -> String {
        let run = try ToolRunner.run("grouplog-capture", ["add", "--store", path] + arguments)
        try #require(run.status == 0, "\(run.messages)")
        return String(try #require(run.lines.first))
    }

    /// Flips a bit of the first place in the log where the text stands; gives the offset.
    @discardableResult
    func flip(_ text: String) throws -> Int {
        var bytes = [UInt8](try Data(contentsOf: log))
        let place = try #require(bytes.firstRange(of: Array(text.utf8))).lowerBound
        bytes[place] ^= 1
        let handle = try FileHandle(forWritingTo: log)
        try handle.write(contentsOf: Data(bytes))
        try handle.close()
        return place
    }

    /// The names of all files of the store.
    func names() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: path).sorted()
    }
}

extension ToolRun {
    /// Standard output as JSON objects, one a line.
    var objects: [[String: Any]] {
        get throws {
            try lines.map {
                let value = try JSONSerialization.jsonObject(with: Data($0.utf8))
                return try #require(value as? [String: Any], "\($0)")
            }
        }
    }

    /// Standard output as one JSON object.
    var object: [String: Any] {
        get throws { try #require(try objects.first, "\(messages)") }
    }

    func strings(_ key: String) throws -> [String] {
        try objects.map { try #require($0[key] as? String) }
    }
}

/// A tool that runs beside the test and is read while it runs.
final class RunningTool {
    private let process = Process()
    private let output: TemporaryDirectory
    private let messages = Pipe()

    /// Starts a tool whose output goes to a file, or to `sink`.
    init(_ tool: String, _ arguments: [String], sink: Pipe? = nil) throws {
        output = try TemporaryDirectory()
        try Data().write(to: output.url("out"))
        process.executableURL = ToolRunner.url(of: tool)
        process.arguments = arguments
        process.environment = ["PATH": "/usr/bin:/bin"]
        process.standardInput = FileHandle.nullDevice
        process.standardError = messages
        if let sink {
            process.standardOutput = sink
        } else {
            process.standardOutput = try FileHandle(forWritingTo: output.url("out"))
        }
        try Self.withInterruptsOpen { try process.run() }
    }

    /// A process begins with the signals ignored and blocked that are so for the thread that starts
    /// it: whoever runs the tests may ignore interruptions, and a pool's threads block them.
    private static func withInterruptsOpen(_ body: () throws -> Void) rethrows {
        _ = signal(SIGINT, SIG_DFL)
        var (interrupt, before) = (sigset_t(), sigset_t())
        unsafe sigemptyset(&interrupt)
        unsafe sigaddset(&interrupt, SIGINT)
        unsafe pthread_sigmask(SIG_UNBLOCK, &interrupt, &before)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        try body()
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    var identifier: Int32 { process.processIdentifier }

    /// What it has printed so far.
    func lines() throws -> [String] {
        let text = String(decoding: try Data(contentsOf: output.url("out")), as: UTF8.self)
        return text.split(separator: "\n").map(String.init)
    }

    /// Waits until it has printed so many lines; gives all that are there.
    func lines(atLeast count: Int) throws -> [String] {
        _ = try waitUntil { try lines().count >= count }
        return try lines()
    }

    /// Waits until it has ended; gives its status and its messages, or fails.
    func end() throws -> (status: Int32, messages: String) {
        try #require(waitUntil { !process.isRunning })
        let text = messages.fileHandleForReading.readDataToEndOfFile()
        return (process.terminationStatus, String(decoding: text, as: UTF8.self))
    }

    func interrupt() { kill(process.processIdentifier, SIGINT) }
}

/// Waits for what must come; gives whether it came.
func waitUntil(_ condition: () throws -> Bool) rethrows -> Bool {
    for _ in 0..<1_500 {
        if try condition() { return true }
        usleep(20_000)
    }
    return false
}
