import CPeers
import GroupLog

/// What do eight threads of one process get that append durably to one store?
enum ManyThreads: Question {
    static let name = "threads"
    static let summary = "durable appends of 8 threads of one process"

    static func ask(_ bench: inout Bench) throws {
        let milliseconds = bench.plan.isQuick ? 500 : 2_000
        var kinds = [Writer.Kind.raw, .groupLog]
        if bench.hasSQLite() { kinds.append(.sqlite) }
        let contenders = kinds.map { kind in
            Contender(
                name: kind.title, isOurs: kind == .groupLog,
                budgets: kind == .groupLog ? [.atLeast(12_000)] : []
            ) { try round(kind, in: $0, milliseconds) }
        }
        try bench.measure("Durable appends of 8 threads, together", .perSecond, contenders)
    }

    /// What the threads find, and where each leaves its report.
    private final class Work {
        let writers: [Writer]
        let start: Int64
        let milliseconds: Int
        let reports: UnsafeMutablePointer<Result<Writer.Report, any Error>?>

        init(_ writers: [Writer], _ milliseconds: Int) {
            self.writers = writers
            self.milliseconds = milliseconds
            start = wall_nanoseconds() + 50_000_000
            reports = .allocate(capacity: writers.count)
            reports.initialize(repeating: nil, count: writers.count)
        }

        deinit { reports.deinitialize(count: writers.count).deallocate() }
    }

    private static func round(
        _ kind: Writer.Kind, in directory: String, _ milliseconds: Int
    ) throws -> Sample {
        // Threads share a store; connections and descriptors are made for one each.
        let first = try Writer(kind, directory, first: 0)
        let work = Work(
            try [first]
                + (1..<8).map { index in
                    kind == .groupLog
                        ? first.sharing(index) : try Writer(kind, directory, first: index)
                }, milliseconds)
        threads_run(
            8,
            { index, context in
                guard let context else { return }
                let work = Unmanaged<Work>.fromOpaque(context).takeUnretainedValue()
                work.reports[Int(index)] = Result {
                    try work.writers[Int(index)].write(from: work.start, work.milliseconds)
                }
            }, Unmanaged.passUnretained(work).toOpaque())
        let reports = try (0..<8).map { index in
            guard let report = work.reports[index] else {
                throw PeerError(description: "a thread did not run")
            }
            return try report.get()
        }
        for writer in work.writers { writer.close() }
        return try Writer.summary(reports, of: kind, in: directory)
    }
}
