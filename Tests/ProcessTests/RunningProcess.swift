import Foundation
import TestSupport

/// A product of this package, running. What it prints goes to a file, so that it never waits for
/// whoever reads that.
final class RunningProcess {
    private let process = Process()
    private let directory: TemporaryDirectory

    /// - Parameter tracer: a command, by its path, and its arguments; it runs the product as itself.
    init(_ product: String, _ arguments: [String], under tracer: [String] = []) throws {
        directory = try TemporaryDirectory()
        let output = directory.url("out")
        try Data().write(to: output)
        let command = tracer + [Self.products.appendingPathComponent(product).path] + arguments
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        process.standardOutput = try FileHandle(forWritingTo: output)
        try process.run()
    }

    // What a test that fails leaves running would never end.
    deinit { if process.isRunning { kill(with: SIGKILL) } }

    /// The lines printed so far, without one that has no end yet.
    func lines() throws -> [String] {
        let text = String(decoding: try Data(contentsOf: directory.url("out")), as: UTF8.self)
        return text.split(separator: "\n", omittingEmptySubsequences: false)
            .dropLast().map(String.init)
    }

    /// Waits for the end; gives the exit status, or minus the signal that ended it, and the lines
    /// printed.
    func finish() throws -> (status: Int32, lines: [String]) {
        process.waitUntilExit()
        let status = process.terminationStatus
        return (process.terminationReason == .exit ? status : -status, try lines())
    }

    var isRunning: Bool { process.isRunning }

    func kill(with signal: Int32) { _ = Foundation.kill(process.processIdentifier, signal) }

    /// Where the products are: beside the test bundle.
    static let products: URL = {
        let arguments = CommandLine.arguments
        let bundle = arguments.first { $0.hasSuffix(".xctest") } ?? arguments[0]
        return URL(fileURLWithPath: bundle).deletingLastPathComponent()
    }()
}
