import Foundation
import GroupLog
import GroupLogFile
import GroupLogFormat
import TestSupport
import Testing

/// A store of its own for one test, written by `grouplog-capture` and looked at with the library.
struct CaptureStore {
    let directory: TemporaryDirectory
    var path: String { directory.url("test.grouplog").path }

    init() throws { directory = try TemporaryDirectory() }

    /// Runs a command on the store.
    @discardableResult
    func callAsFunction(_ arguments: String..., input: [UInt8] = []) throws -> ToolRun {
        try run(arguments, input: input)
    }

    func run(_ arguments: [String], input: [UInt8] = []) throws -> ToolRun {
        let run = try ToolRunner.run(
            "grouplog-capture", arguments, input: input, environment: ["GROUPLOG_STORE": path])
        #expect(!run.wasKilled, "\(arguments): \(run.messages)")
        return run
    }

    /// Runs a command line of the shell, in which `$capture` and `$store` stand for what they say.
    func shell(_ line: String) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", line]
        process.environment = [
            "PATH": "/usr/bin:/bin", "GROUPLOG_STORE": path, "store": path,
            "capture": ToolRunner.url(of: "grouplog-capture").path,
        ]
        try process.run()
        return process
    }

    /// Imports a text with JSON as the account, and gives that.
    func importing(_ text: String, _ options: String...) throws -> (run: ToolRun, counts: Counts) {
        try importing(text, options)
    }

    func importing(_ text: String, _ options: [String]) throws -> (run: ToolRun, counts: Counts) {
        let run = try run(["import", "--json"] + options + ["-"], input: Array(text.utf8))
        return (run, try JSONDecoder().decode(Counts.self, from: Data(run.bytes)))
    }

    /// The account of an import.
    struct Counts: Decodable, Equatable {
        var added = 0
        var alreadyThere = 0
        var deletedHere = 0
        var refused = 0
        var withoutDate = 0
        var dryRun = false
    }

    func open(_ role: StoreOptions.Role = .readOnly) throws -> Store {
        try Store(path: path, options: StoreOptions(role: role))
    }

    /// The records of a collection, newest first, each by its fields.
    func records(in collection: String = "items") throws -> [(key: String, fields: Fields)] {
        let view = try open().view()
        var contexts = view.contexts()
        return try view.newestFirst(in: collection).map { position in
            let record = try view.record(at: position.offset, &contexts)
            var fields = Fields()
            for field in try record.fields() { fields[field.name] = field.value }
            return (record.key.description, fields)
        }
    }

    typealias Fields = [String: CBORValue]
}

extension CBORValue {
    /// The UTF-8 of a text: `==` of strings also holds for other bytes.
    var utf8: [UInt8]? { if case .text(let text) = self { Array(text.utf8) } else { nil } }
}
