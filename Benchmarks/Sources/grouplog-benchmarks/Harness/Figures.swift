/// Figures as people read them: three digits that matter.
extension Double {
    var figure: String {
        let magnitude = abs(self)
        if magnitude >= 1_000_000 { return (self / 1_000_000).rounded(to: 2) + " M" }
        if magnitude >= 100_000 { return (self / 1_000).rounded(to: 0) + " k" }
        if magnitude >= 10_000 { return (self / 1_000).rounded(to: 1) + " k" }
        if magnitude >= 100 { return rounded(to: 0) }
        return rounded(to: magnitude >= 10 ? 1 : 2)
    }

    private func rounded(to places: Int) -> String {
        var scale = 1
        for _ in 0..<places { scale *= 10 }
        let scaled = Int((abs(self) * Double(scale)).rounded())
        let sign = self < 0 && scaled > 0 ? "-" : ""
        guard places > 0 else { return sign + String(scaled) }
        let fraction = String(scaled % scale)
        return sign + String(scaled / scale) + "."
            + String(repeating: "0", count: places - fraction.count) + fraction
    }
}

extension Budget {
    func description(_ unit: Unit) -> String {
        let figure = figure == .value ? unit.rawValue : figure.rawValue
        return "\(isLowerBound ? "at least" : "at most") \(bound.figure) \(figure)"
    }
}

extension Row {
    /// Each budget with its verdict.
    func budgetText(_ unit: Unit) -> String {
        budgets.map { "\($0.budget.description(unit)): \($0.isMet ? "met" : "missed")" }
            .joined(separator: "; ")
    }
}
