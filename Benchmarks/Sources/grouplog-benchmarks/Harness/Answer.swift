/// A contender's figures over all rounds.
struct Row {
    var name: String
    var isOurs: Bool
    var median: Double
    var range: ClosedRange<Double>
    /// To the first contender.
    var ratio: Double
    var cpuMicroseconds: Double?
    var worstMilliseconds: Double?
    var budgets: [(budget: Budget, isMet: Bool)]
}

/// What came out of one question.
struct Answer {
    var title: String
    var unit: Unit
    var rows: [Row]
    var notes: [String]
}

extension Answer {
    /// Sums up the rounds; the first contender is what the others are compared with.
    init(title: String, unit: Unit, contenders: [(Contender, [Sample])], notes: [String]) {
        let base = contenders.first.map { Self.median($0.1.map(\.value)) } ?? 0
        let worst = contenders.first.flatMap { Self.worst($0.1) }
        let rows = contenders.map { contender, samples in
            let values = samples.map(\.value)
            let median = Self.median(values)
            let ownWorst = Self.worst(samples)
            var row = Row(
                name: contender.name, isOurs: contender.isOurs, median: median,
                range: (values.min() ?? 0)...(values.max() ?? 0),
                ratio: base > 0 ? median / base : 0,
                cpuMicroseconds: Self.optionalMedian(samples.compactMap(\.cpuMicroseconds)),
                worstMilliseconds: ownWorst, budgets: [])
            row.budgets = contender.budgets.compactMap { budget in
                let figure: Double? =
                    switch budget.figure {
                    case .value: median
                    case .ratio: row.ratio
                    case .worstRatio: ownWorst.flatMap { own in worst.map { own / $0 } }
                    }
                return figure.map { (budget, budget.isMet(by: $0)) }
            }
            return row
        }
        self.init(title: title, unit: unit, rows: rows, notes: notes)
    }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return 0 }
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    private static func optionalMedian(_ values: [Double]) -> Double? {
        values.isEmpty ? nil : median(values)
    }

    /// The median of the rounds' worst waits: the worst of all grows with the number of rounds.
    private static func worst(_ samples: [Sample]) -> Double? {
        optionalMedian(samples.compactMap(\.worstMilliseconds))
    }
}
