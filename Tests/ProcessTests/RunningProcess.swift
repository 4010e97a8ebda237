import Foundation

/// A product of this package, running.
final class RunningProcess {
    private let process = Process()
    private let output = Pipe()
    /// What was read of the output and not handed out.
    private var buffer = Data()

    init(_ product: String, _ arguments: [String]) throws {
        process.executableURL = Self.products.appendingPathComponent(product)
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
    }

    /// Waits for the next line of the output; nil when there is none.
    func nextLine() -> String? {
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                defer { buffer = Data(buffer[(end + 1)...]) }
                return String(decoding: buffer[..<end], as: UTF8.self)
            }
            let chunk = output.fileHandleForReading.availableData
            if chunk.isEmpty { return nil }
            buffer += chunk
        }
    }

    /// Waits for the end; gives the exit status, or minus the signal that ended it, and the lines
    /// printed that were not handed out.
    func finish() throws -> (status: Int32, lines: [String]) {
        let data = buffer + (try output.fileHandleForReading.readToEnd() ?? Data())
        process.waitUntilExit()
        let status = process.terminationStatus
        let text = String(decoding: data, as: UTF8.self)
        return (
            process.terminationReason == .exit ? status : -status,
            text.split(separator: "\n").map(String.init)
        )
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
