import TestSupport
import Foundation

/// What a tool that has ended leaves behind.
struct ToolRun {
    /// Standard output.
    var bytes: [UInt8]
    /// Standard error.
    var messages: String
    /// The exit status; the signal's number where a signal ended it.
    var status: Int32
    /// Whether a signal ended it, as a trap does.
    var wasKilled: Bool

    /// Standard output as text.
    var output: String { String(decoding: bytes, as: UTF8.self) }
    var lines: [Substring] { output.split(separator: "\n") }
}

/// Runs the package's tools as processes, as they were built with the tests.
enum ToolRunner {
    /// Runs a tool to its end.
    ///
    /// The environment is the one given and a `PATH`, so that no setting of whoever runs the tests
    /// changes their outcome. Output goes through files: a pipe that nobody reads would block a tool
    /// that has much to say.
    static func run(
        _ tool: String, _ arguments: [String], input: [UInt8] = [],
        environment: [String: String] = [:]
    ) throws -> ToolRun {
        try run(url(of: tool), arguments, input: input, environment: environment)
    }

    /// Runs any program to its end.
    static func run(
        _ program: URL, _ arguments: [String], input: [UInt8] = [],
        environment: [String: String] = [:]
    ) throws -> ToolRun {
        let directory = try TemporaryDirectory()
        let (inputPath, outputPath, messagesPath) = (
            directory.url("in"), directory.url("out"), directory.url("err")
        )
        try Data(input).write(to: inputPath)
        try Data().write(to: outputPath)
        try Data().write(to: messagesPath)
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.environment = environment.merging(["PATH": "/usr/bin:/bin"]) { given, _ in given }
        process.standardInput = try FileHandle(forReadingFrom: inputPath)
        process.standardOutput = try FileHandle(forWritingTo: outputPath)
        process.standardError = try FileHandle(forWritingTo: messagesPath)
        try process.run()
        process.waitUntilExit()
        return ToolRun(
            bytes: [UInt8](try Data(contentsOf: outputPath)),
            messages: String(decoding: try Data(contentsOf: messagesPath), as: UTF8.self),
            status: process.terminationStatus,
            wasKilled: process.terminationReason == .uncaughtSignal)
    }

    /// Where a tool stands as it was built with the tests.
    static func url(of tool: String) -> URL { products.appending(path: tool) }

    /// Where the tools stand: beside the tests.
    private static let products: URL = {
        #if canImport(Darwin)
            let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
            return (bundle ?? .main).bundleURL.deletingLastPathComponent()
        #else
            return Bundle.main.bundleURL
        #endif
    }()
}
