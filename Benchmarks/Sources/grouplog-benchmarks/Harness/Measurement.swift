import CPeers

/// What one round of a contender gave.
struct Sample {
    /// In the unit of the question.
    var value: Double
    /// Processor time of an item in microseconds, the system's part included: steadier than the
    /// clock on a machine with other work.
    var cpuMicroseconds: Double?
    /// The longest that one item took, in milliseconds.
    var worstMilliseconds: Double?
}

/// What a question's figures count.
enum Unit: String {
    case perSecond = "/s"
    case microseconds = "µs"
    case milliseconds = "ms"
    /// So many times the raw bytes.
    case factor = "times"
    case mebibytes = "MiB"

    var isMoreBetter: Bool { self == .perSecond }
}

/// What DESIGN calls a budget: a bound on one of a row's figures.
struct Budget {
    enum Figure: String {
        case value = ""
        case ratio = "of raw"
        case worstRatio = "of raw's worst wait"
    }

    var figure: Figure
    var bound: Double
    var isLowerBound: Bool

    static func atLeast(_ bound: Double, _ figure: Figure = .value) -> Budget {
        Budget(figure: figure, bound: bound, isLowerBound: true)
    }

    static func atMost(_ bound: Double, _ figure: Figure = .value) -> Budget {
        Budget(figure: figure, bound: bound, isLowerBound: false)
    }

    func isMet(by value: Double) -> Bool { isLowerBound ? value >= bound : value <= bound }
}

/// Somebody who does the work of a question, once a round.
struct Contender {
    var name: String
    var isOurs = false
    var budgets: [Budget] = []
    /// Gives nil where the contender sat out, after saying why to the context.
    var round: (_ directory: String) throws -> Sample
}

/// The time and the processor's work since it was made.
struct Stopwatch {
    private let cpu = cpu_nanoseconds()
    private let start = wall_nanoseconds()

    /// What `count` items have taken.
    func sample(_ count: Int, _ unit: Unit) -> Sample {
        let nanoseconds = Double(wall_nanoseconds() - start)
        let spent = Double(cpu_nanoseconds() - cpu)
        let items = Double(count)
        let value =
            switch unit {
            case .perSecond: items / nanoseconds * 1e9
            case .microseconds: nanoseconds / items / 1e3
            case .milliseconds: nanoseconds / items / 1e6
            case .factor, .mebibytes: preconditionFailure("no unit of time")
            }
        return Sample(value: value, cpuMicroseconds: spent / items / 1e3)
    }
}

/// Times a piece of work that handles `count` items.
func timed(_ count: Int, _ unit: Unit, _ work: () throws -> Void) rethrows -> Sample {
    let watch = Stopwatch()
    try work()
    return watch.sample(count, unit)
}

/// What a peer reported.
struct PeerError: Error, CustomStringConvertible {
    var description: String
}

/// Throws the sentence that a function in C gave.
func check(_ failure: UnsafePointer<CChar>?) throws {
    if let failure { throw PeerError(description: String(cString: failure)) }
}

/// Opens something of C's that is given through a pointer.
func opened(
    _ open: (UnsafeMutablePointer<OpaquePointer?>) -> UnsafePointer<CChar>?
) throws -> OpaquePointer {
    var made: OpaquePointer?
    try check(open(&made))
    guard let made else { throw PeerError(description: "nothing was opened") }
    return made
}
