/// The answers as tables: padded for a terminal, or in Markdown.
struct Table {
    var answers: [Answer]
    var isMarkdown: Bool

    var text: String {
        answers.map { isMarkdown ? markdown($0) : plain($0) }.joined(separator: "\n")
    }

    private func cells(_ answer: Answer) -> [[String]] {
        let hasCPU = answer.rows.contains { $0.cpuMicroseconds != nil }
        let hasWorst = answer.rows.contains { $0.worstMilliseconds != nil }
        func row(
            _ name: String, _ figures: [String], cpu: String, worst: String, budget: String
        ) -> [String] {
            [name] + figures + (hasCPU ? [cpu] : []) + (hasWorst ? [worst] : []) + [budget]
        }
        let head = row(
            "", ["median, \(answer.unit.rawValue)", "range", "ratio"], cpu: "processor, µs",
            worst: "worst wait, ms", budget: "budget")
        return [head]
            + answer.rows.map {
                row(
                    $0.name,
                    [
                        $0.median.figure,
                        "\($0.range.lowerBound.figure) to \($0.range.upperBound.figure)",
                        $0.ratio.figure,
                    ], cpu: $0.cpuMicroseconds?.figure ?? "",
                    worst: $0.worstMilliseconds?.figure ?? "", budget: $0.budgetText(answer.unit))
            }
    }

    private func plain(_ answer: Answer) -> String {
        var lines = [answer.title]
        if !answer.rows.isEmpty {
            let cells = cells(answer)
            let widths = cells[0].indices.map { column in cells.map { $0[column].count }.max() ?? 0
            }
            for row in cells {
                var line = "  "
                for (column, cell) in row.enumerated() {
                    let padding = String(repeating: " ", count: widths[column] - cell.count)
                    let isFigure = column > 0 && column < row.count - 1
                    line += (isFigure ? padding + cell : cell + padding) + "  "
                }
                while line.last == " " { line.removeLast() }
                lines.append(line)
            }
        }
        lines += answer.notes.map { "  " + $0 }
        return lines.joined(separator: "\n") + "\n"
    }

    private func markdown(_ answer: Answer) -> String {
        var lines = ["### \(answer.title)", ""]
        if !answer.rows.isEmpty {
            let cells = cells(answer)
            let last = cells[0].count - 1
            let rule = cells[0].indices.map { $0 == 0 || $0 == last ? " --- " : " ---: " }
            lines.append("| " + cells[0].joined(separator: " | ") + " |")
            lines.append("|" + rule.joined(separator: "|") + "|")
            for (row, cells) in zip(answer.rows, cells.dropFirst()) {
                let name = row.isOurs ? "**\(cells[0])**" : cells[0]
                lines.append("| " + ([name] + cells.dropFirst()).joined(separator: " | ") + " |")
            }
            lines.append("")
        }
        for note in answer.notes { lines.append("- \(note)") }
        if !answer.notes.isEmpty { lines.append("") }
        return lines.joined(separator: "\n")
    }
}
