import CPeers
import GroupLog

/// What does `grouplog-capture add` take as a whole process, in stores of any size?
enum CaptureProcess: Question {
    static let name = "capture"
    static let summary = "grouplog-capture add as a whole process"

    private struct Program {
        var contender: Contender
        var arguments: [String]
    }

    static func ask(_ bench: inout Bench) throws {
        let title = "grouplog-capture add, a whole process"
        guard isStatic else {
            return bench.skip(title, "build with --static-swift-stdlib, as Scripts/benchmarks does")
        }
        let place = try TemporaryDirectory(in: bench.plan.directory)
        var sizes = bench.plan.isQuick ? [0, 100_000] : [0, 1_000_000]
        if bench.plan.hasTenMillion { sizes.append(10_000_000) }
        var programs = [
            program("bare static Swift program", [siblingPath("bare-program")])
        ]
        for size in sizes {
            let path = place.path + "/\(size).grouplog"
            progress("\(title): filling a store with \(size) records")
            try fill(path, size)
            programs.append(
                program(
                    "grouplog-capture add, at \(size) records",
                    [siblingPath("grouplog-capture"), "add", "--store", path]
                        + ["--title", "A title"],
                    isOurs: true, budgets: [.atMost(5)]))
        }
        for program in programs { bench.note(try inspection(of: program)) }
        try bench.measure(title, .milliseconds, programs.map(\.contender))
    }

    private static func program(
        _ name: String, _ arguments: [String], isOurs: Bool = false, budgets: [Budget] = []
    ) -> Program {
        let contender = Contender(name: name, isOurs: isOurs, budgets: budgets) { _ in
            let count = 50
            var nanoseconds: Int64 = 0
            for _ in 0..<count { nanoseconds += try run(arguments).nanoseconds }
            return Sample(value: Double(nanoseconds) / Double(count) / 1e6)
        }
        return Program(contender: contender, arguments: arguments)
    }

    private static func fill(_ path: String, _ count: Int) throws {
        let store = try Store(path: path)
        let batch = 100_000
        for first in stride(from: 0, to: count, by: batch) {
            let numbers = UInt64(first)..<UInt64(min(first + batch, count))
            try store[Bookmark.self].append(
                contentsOf: numbers.lazy.map { number in
                    var record = sample()
                    sample_make(number, &record)
                    return Bookmark(record)
                })
        }
    }

    /// What it alone has in memory when it ends, and what it has read: 5 MB are the budget.
    private static func inspection(of program: Program) throws -> String {
        let name = program.contender.name
        do {
            let result = try run(program.arguments, isInspected: true)
            let memory = result.private_bytes >> 10
            return "\(name): \(memory) KiB of private memory, \(result.read_bytes) bytes read"
        } catch let error as PeerError {
            return "\(name): not inspected, \(error)"
        }
    }
}
