import CPeers

/// How much is measured, and where.
struct Plan {
    var rounds = 5
    var isQuick = false
    /// How many records the questions about large stores have.
    var recordCount = 100_000
    /// Whether `grouplog-capture add` is also measured at ten million records.
    var hasTenMillion = false
    /// Only contenders with this in their names take part; for a profiler, which sees one at a time.
    var only: String?
    /// Where the stores are made.
    var directory: String

    /// A count, or a tenth of it in a quick run.
    func count(_ full: Int) -> Int { isQuick ? max(1, full / 10) : full }
}

/// Runs the contenders of a question in turn, and collects what they give.
struct Bench {
    let plan: Plan
    private(set) var answers: [Answer] = []
    private var notes: [String] = []

    init(_ plan: Plan) { self.plan = plan }

    /// Says something that belongs to the next answer, such as who is not there.
    mutating func note(_ sentence: String) { notes.append(sentence) }

    /// Whether SQLite is there; says so where not.
    mutating func hasSQLite() -> Bool { isLoaded(sqlite_peer_load()) }

    /// Whether LMDB is there; says so where not.
    mutating func hasLMDB() -> Bool { isLoaded(lmdb_peer_load()) }

    private mutating func isLoaded(_ failure: UnsafePointer<CChar>?) -> Bool {
        guard let failure else { return true }
        note("skipped: " + String(cString: failure))
        return false
    }

    /// Lets each contender do a round in turn, in another order each time, each in a new directory.
    ///
    /// - Parameter directory: where the contenders' directories are made, if not where the plan says.
    mutating func measure(
        _ title: String, _ unit: Unit, in directory: String? = nil, _ all: [Contender]
    ) throws {
        let contenders = all.filter { contender in plan.only.map(contender.name.contains) ?? true }
        var samples = contenders.map { _ in [Sample]() }
        for round in 0..<plan.rounds {
            for step in contenders.indices {
                let index = (round + step) % contenders.count
                progress("\(title): round \(round + 1), \(contenders[index].name)")
                let place = try TemporaryDirectory(in: directory ?? plan.directory)
                samples[index].append(try contenders[index].round(place.path))
            }
        }
        answer(title, unit, Array(zip(contenders, samples)))
    }

    /// Takes figures that were measured in another way.
    mutating func answer(_ title: String, _ unit: Unit, _ measured: [(Contender, [Sample])]) {
        answers.append(Answer(title: title, unit: unit, contenders: measured, notes: notes))
        notes = []
        progress("")
    }

    /// Notes that a question cannot be asked here.
    mutating func skip(_ title: String, _ reason: String) {
        note("skipped: " + reason)
        answer(title, .factor, [])
    }
}
