import CPeers

/// What do eight processes get that append durably to one store, and how long does one wait?
enum ManyProcesses: Question {
    static let name = "processes"
    static let summary = "durable appends of 8 processes to one store"
    static let processCount = 8

    static func ask(_ bench: inout Bench) throws {
        let milliseconds = bench.plan.isQuick ? 500 : 2_000
        var kinds = [Writer.Kind.raw, .groupLog]
        if bench.hasSQLite() { kinds.append(.sqlite) }
        if bench.hasLMDB() { kinds.append(.lmdb) }
        let contenders = kinds.map { kind in
            Contender(
                name: kind.title, isOurs: kind == .groupLog,
                budgets: kind == .groupLog ? [.atLeast(1.0, .ratio), .atMost(3, .worstRatio)] : []
            ) { try round(kind, in: $0, milliseconds) }
        }
        try bench.measure("Durable appends of 8 processes, together", .perSecond, contenders)
    }

    private static func round(
        _ kind: Writer.Kind, in directory: String, _ milliseconds: Int
    ) throws -> Sample {
        // The store is there before the first of them starts.
        try Writer(kind, directory, first: 0).close()
        // Starting eight processes takes a while; all begin at once.
        let start = wall_nanoseconds() + 500_000_000
        var children: [(process: Int32, output: Int32)] = []
        for index in 0..<processCount {
            var child: (process: Int32, output: Int32) = (0, 0)
            try withCArguments([
                programPath, "--writer", kind.rawValue, directory, String(index), String(start),
                String(milliseconds),
            ]) { try check(process_start($0, &child.process, &child.output)) }
            children.append(child)
        }
        let reports = try children.map { child in
            var text = [CChar](repeating: 0, count: 200)
            try check(process_finish(child.process, child.output, &text, text.count))
            return try Writer.Report(parsing: text)
        }
        return try Writer.summary(reports, of: kind, in: directory)
    }
}
