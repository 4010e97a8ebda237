/// The answers as bars, in SVG. Each question has a scale of its own; a budget is a line across its bar.
struct Plot {
    var answers: [Answer]

    private static let width = 775.0
    private static let labelWidth = 285.0
    private static let barWidth = 370.0
    private static let rowHeight = 20.0

    // Without a style for the reader's own scheme, colours that can be read on white and on black.
    private static let style = """
        <style>
          text { font: 12px system-ui, sans-serif; fill: #77808b }
          .title { font-weight: 600; font-size: 13px }
          .peer { fill: #9aa3ad }
          .ours { fill: #149089 }
          .budget { stroke: #e0622a; stroke-width: 2 }
          @media (prefers-color-scheme: light) { text { fill: #24292f } .hint { fill: #6e7781 } }
          @media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .hint { fill: #9198a1 } }
        </style>
        """

    var svg: String {
        var body: [String] = []
        var y = 8.0
        for answer in answers where !answer.rows.isEmpty {
            body += bars(answer, &y)
            y += 14
        }
        let size = "\(Self.text(Self.width)) \(Self.text(y))"
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size)" role="img" \
            aria-label="GroupLog beside its peers">
            \(Self.style)
            \(body.joined(separator: "\n"))
            </svg>

            """
    }

    private func bars(_ answer: Answer, _ y: inout Double) -> [String] {
        var lines: [String] = []
        y += 14
        let hint = answer.unit.isMoreBetter ? "longer is better" : "shorter is better"
        lines.append(
            "<text class=\"title\" x=\"8\" y=\"\(Self.text(y))\">\(Self.escaped(answer.title))"
                + "<tspan class=\"hint\" dx=\"8\" font-weight=\"400\">\(answer.unit.rawValue), \(hint)"
                + "</tspan></text>")
        y += 8
        let bounds = answer.rows.flatMap { row in
            row.budgets.compactMap { Self.bound($0.budget, row) }
        }
        let scale = Self.scale(answer.rows.map(\.median) + bounds)
        for row in answer.rows {
            let middle = y + Self.rowHeight / 2
            let isCut = row.median > scale
            let length = max(1, min(row.median / scale, 1) * Self.barWidth)
            lines.append(
                "<text x=\"16\" y=\"\(Self.text(middle + 4))\">\(Self.escaped(row.name))</text>")
            lines.append(
                "<rect class=\"\(row.isOurs ? "ours" : "peer")\" x=\"\(Self.text(Self.labelWidth))\""
                    + " y=\"\(Self.text(y + 3))\" width=\"\(Self.text(length))\""
                    + " height=\"\(Self.text(Self.rowHeight - 6))\" rx=\"2\"/>")
            var textStart = Self.labelWidth + length + 6
            for budget in row.budgets {
                guard let bound = Self.bound(budget.budget, row) else { continue }
                let x = Self.labelWidth + min(bound / scale, 1) * Self.barWidth
                lines.append(
                    "<line class=\"budget\" x1=\"\(Self.text(x))\" x2=\"\(Self.text(x))\""
                        + " y1=\"\(Self.text(y + 1))\""
                        + " y2=\"\(Self.text(y + Self.rowHeight - 1))\"/>")
                // The figure stands at its bar, unless the line would run through it.
                if (textStart - 6...textStart + 60).contains(x) { textStart = x + 6 }
            }
            lines.append(
                "<text class=\"hint\" x=\"\(Self.text(textStart))\" y=\"\(Self.text(middle + 4))\">"
                    + "\(row.median.figure)\(isCut ? ", cut" : "")</text>")
            y += Self.rowHeight
        }
        return lines
    }

    /// What the longest bar stands for. A bar far longer than all others would hide them, and is cut.
    private static func scale(_ values: [Double]) -> Double {
        let sorted = values.sorted(by: >)
        guard let largest = sorted.first, largest > 0 else { return 1 }
        guard sorted.count > 1, sorted[1] > 0, largest > 4 * sorted[1] else { return largest }
        return 1.2 * sorted[1]
    }

    /// Where a budget's line stands, in the unit of the question.
    private static func bound(_ budget: Budget, _ row: Row) -> Double? {
        switch budget.figure {
        case .value: budget.bound
        case .ratio: row.ratio > 0 ? budget.bound * row.median / row.ratio : nil
        case .worstRatio: nil
        }
    }

    private static func text(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(abs(tenths % 10))"
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            default: result.append(character)
            }
        }
        return result
    }
}
