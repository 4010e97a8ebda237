import GroupLogSystem

/// A line on standard error that tells how far long work has come.
///
/// It is shown only on a terminal and only when the work takes longer than a moment, is drawn again
/// at most ten times a second, and is gone when the work is. Before something else is printed on the
/// same terminal, `clear()` makes room for it.
package struct Progress: ~Copyable {
    private static let delayMilliseconds: Int64 = 500
    private static let periodMilliseconds: Int64 = 100

    private let label: String
    private let unit: String
    private let total: Int?
    private let messages: Output
    private let now: @Sendable () -> Int64
    private let isEnabled: Bool
    private var nextDrawing: Int64
    private var isShown = false

    /// Begins to measure the time. `total` is what there is to do, where that is known.
    package init(
        _ label: String, total: Int? = nil, unit: String = "", quiet: Bool = false,
        on messages: Output,
        nanoseconds now: @escaping @Sendable () -> Int64 = Clock.monotonicNanoseconds
    ) {
        self.label = visible(label)
        self.total = total
        self.unit = unit
        self.messages = messages
        self.now = now
        isEnabled = !quiet && messages.isTerminal
        nextDrawing = now() + Self.delayMilliseconds * 1_000_000
    }

    /// Tells how much is done. Costs a look at the clock.
    package mutating func update(_ done: Int) {
        guard isEnabled else { return }
        let time = now()
        guard time >= nextDrawing else { return }
        nextDrawing = time + Self.periodMilliseconds * 1_000_000
        // The last column stays free: terminals differ in what they do after filling it.
        let width = max(1, (messages.width ?? 80) - 1)
        let line = truncated("\(label): \(amount(done))", to: width)
        try? messages.write("\r\u{1B}[K" + line)
        isShown = true
    }

    /// Takes the line away; the next update may draw it again.
    package mutating func clear() {
        guard isShown else { return }
        try? messages.write("\r\u{1B}[K")
        isShown = false
    }

    private func amount(_ done: Int) -> String {
        let suffix = unit.isEmpty ? "" : " " + unit
        guard let total, total > 0 else { return "\(done)\(suffix)" }
        let percent = Int(min(100, max(0, Double(done) / Double(total) * 100)))
        return "\(percent)% (\(done) of \(total)\(suffix))"
    }

    deinit {
        if isShown { try? messages.write("\r\u{1B}[K") }
    }
}
