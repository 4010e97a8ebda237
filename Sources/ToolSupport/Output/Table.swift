package import GroupLogSystem

/// Rows in columns, for people.
///
/// The widths come from the first rows, so that a list of any length prints as it comes and takes
/// no memory; later rows that need more push what stands behind them aside. On a terminal a row
/// is cut to the terminal's width, with an ellipsis. Elsewhere only cells of more than 4 KiB are cut. A row is one line,
/// whatever its cells hold. A table without rows prints nothing, no titles either.
package struct Table: ~Copyable {
    package struct Column: Sendable {
        package let title: String
        package let alignsRight: Bool
        /// Whether it gives way when a row is wider than the terminal.
        package let shrinks: Bool

        package init(_ title: String, alignsRight: Bool = false, shrinks: Bool = false) {
            self.title = title
            self.alignsRight = alignsRight
            self.shrinks = shrinks
        }
    }

    package struct Cell: Sendable, ExpressibleByStringLiteral {
        /// How many bytes of UTF-8 are shown at most. What is longer is not for looking at, and rows
        /// wait in memory until the widths are known.
        package static let mostBytes = 4096

        package let text: String
        package let colour: Style.Colour?

        package init(_ text: String, _ colour: Style.Colour? = nil) {
            self.text = visible(text.beginning(ofAtMost: Self.mostBytes))
            self.colour = colour
        }

        package init(stringLiteral text: String) { self.init(text) }
    }

    private static let rowsToMeasure = 200
    /// No column is filled up to more than this: one long cell must not widen all other rows.
    private static let widestPadding = 60
    private static let narrowestShrunk = 8
    private static let gap = 2

    private let columns: [Column]
    private let output: Output
    private let titles: [Cell]?
    /// The rows before the widths are known.
    private var waiting: [[Cell]] = []
    private var widths: [Int]?

    package init(_ columns: [Column], on output: Output, showsTitles: Bool = true) {
        self.columns = columns
        self.output = output
        titles = showsTitles ? columns.map { Cell($0.title, .bold) } : nil
    }

    package mutating func add(_ row: [Cell]) throws(StandardStream.Failure) {
        precondition(row.count == columns.count, "a row has a cell for each column")
        if let widths {
            try write(row, widths)
        } else {
            waiting.append(row)
            if waiting.count == Self.rowsToMeasure { try writeWaiting() }
        }
    }

    /// Prints what still waits for widths. To be called after the last row.
    package mutating func finish() throws(StandardStream.Failure) {
        if widths == nil, !waiting.isEmpty { try writeWaiting() }
    }

    private mutating func writeWaiting() throws(StandardStream.Failure) {
        if let titles { waiting.insert(titles, at: 0) }
        let widths = measured()
        self.widths = widths
        for row in waiting { try write(row, widths) }
        waiting = []
    }

    private func measured() -> [Int] {
        let limit = output.width ?? Self.widestPadding
        var widths = columns.indices.map { column in
            waiting.reduce(0) { max($0, min(displayWidth($1[column].text), limit)) }
        }
        guard let width = output.width else { return widths }
        var surplus = widths.reduce(0, +) + Self.gap * (columns.count - 1) - width
        while surplus > 0 {
            let shrinkable = columns.indices.filter {
                columns[$0].shrinks && widths[$0] > Self.narrowestShrunk
            }
            guard let widest = shrinkable.max(by: { widths[$0] < widths[$1] }) else { break }
            widths[widest] -= 1
            surplus -= 1
        }
        return widths
    }

    private func write(_ row: [Cell], _ widths: [Int]) throws(StandardStream.Failure) {
        var line = ""
        /// The columns that the line takes, and the column where the next cell begins.
        var (used, start) = (0, 0)
        for (column, (cell, width)) in zip(columns, zip(row, widths)) {
            var text = cell.text
            var width = width
            if let room = output.width.map({ $0 - start }) {
                if room <= 0 { break }
                width = min(width, room)
                text = truncated(text, to: column.shrinks ? width : room)
            }
            let needed = displayWidth(text)
            let begin = column.alignsRight ? start + max(0, width - needed) : start
            if !text.isEmpty {
                line += String(repeating: " ", count: begin - used)
                line += output.style(text, cell.colour)
                used = begin + needed
            }
            start = max(start + width, begin + needed) + Self.gap
        }
        try output.write(line + "\n")
    }
}
