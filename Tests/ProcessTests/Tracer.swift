import Foundation
import TestSupport

func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

/// Runs a process under strace(1), which can send it a signal at a system call of its choice.
struct Tracer {
    /// A system call of a process: the `ordinal`th of its name, from 1.
    struct Call: Sendable, CustomStringConvertible {
        var name: String
        var ordinal: Int
        var description: String { "\(name) \(ordinal)" }
    }

    private static let path = "/usr/bin/strace"

    /// Whether it is here, and is allowed to trace.
    static let isAvailable: Bool = {
        guard exists(path) else { return false }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = ["-o", "/dev/null", "/bin/true"]
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    /// Where the calls are noted.
    let log: URL

    /// The command that runs a process and, where a call is given, sends it a signal then. The
    /// process is a child of ours, and its tracer is not.
    func command(_ signal: String? = nil, at call: Call? = nil) -> [String] {
        var command = [Self.path, "-D", "-o", log.path]
        if let signal, let call {
            command += ["-e", "inject=\(call.name):signal=\(signal):when=\(call.ordinal)"]
        }
        return command
    }

    func text() -> String {
        (try? String(contentsOf: log, encoding: .utf8)) ?? ""
    }

    /// The calls of a process that was traced, from the first on that has to do with a path.
    func calls(from path: String) -> [Call] {
        var counts: [String: Int] = [:]
        var calls: [Call] = []
        var hasBegun = false
        for line in text().split(separator: "\n") {
            guard let end = line.firstIndex(of: "("), line.first?.isLetter == true else { continue }
            let name = String(line[..<end])
            counts[name, default: 0] += 1
            hasBegun = hasBegun || line.contains(path)
            // The last one does not return.
            guard hasBegun, name != "exit_group" else { continue }
            calls.append(Call(name: name, ordinal: counts[name] ?? 0))
        }
        return calls
    }

    /// Waits until the process has stopped by the signal; gives false where it ended without.
    func waitForStop(of process: RunningProcess) -> Bool {
        while true {
            let isRunning = process.isRunning
            if text().contains("stopped by SIGSTOP") { return true }
            if !isRunning { return false }
            Thread.sleep(forTimeInterval: 0.002)
        }
    }
}
