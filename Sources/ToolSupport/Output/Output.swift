package import GroupLogSystem

/// Where bytes go: a standard stream, or a test's memory.
package protocol ByteSink: Sendable {
    func write(_ text: String) throws(StandardStream.Failure)
    func write(_ bytes: [UInt8]) throws(StandardStream.Failure)
    func flush() throws(StandardStream.Failure)
    var isTerminal: Bool { get }
    var terminalWidth: Int? { get }
    /// Whether a write would find that nobody reads any longer.
    var isReaderGone: Bool { get }
}

extension StandardStream: ByteSink {}

/// A stream that a tool prints on. Every write is checked: what was not written is an error, and a
/// command that ignores it would claim to have printed what it has not.
package struct Output: Sendable {
    package let style: Style
    private let sink: any ByteSink
    private let tolerance: Tolerance

    /// Which failures do not reach the command.
    enum Tolerance: Sendable {
        case nothing
        /// For a command that has more to do than to print.
        case closedPipe
        /// For messages: there is no other place for them, and the work goes on.
        case everything
    }

    init(_ sink: any ByteSink, style: Style, tolerating tolerance: Tolerance) {
        self.sink = sink
        self.style = style
        self.tolerance = tolerance
    }

    package var isTerminal: Bool { sink.isTerminal }
    package var isReaderGone: Bool { sink.isReaderGone }

    /// The columns that a line may take; nil where there is no terminal and lines are not cut.
    package var width: Int? { sink.isTerminal ? sink.terminalWidth ?? 80 : nil }

    package func write(_ text: String) throws(StandardStream.Failure) {
        try tolerating { () throws(StandardStream.Failure) in try sink.write(text) }
    }

    package func write(_ bytes: [UInt8]) throws(StandardStream.Failure) {
        try tolerating { () throws(StandardStream.Failure) in try sink.write(bytes) }
    }

    /// A line for people: whatever the text holds, it is one line.
    package func line(_ text: String) throws(StandardStream.Failure) {
        try write(visible(text) + "\n")
    }

    /// A writer that hands over long lines in pieces, each line to be ended by `line(json:)`.
    package func jsonWriter() -> JSONWriter { JSONWriter { try write($0) } }

    /// Ends a line of JSON: what the writer still holds is written, and the writer is empty
    /// afterwards.
    package func line(json writer: inout JSONWriter) throws {
        writer.endLine()
        try write(try writer.take())
    }

    /// Hands over what was gathered. To be called where somebody waits for what was printed.
    package func flush() throws(StandardStream.Failure) {
        try tolerating { () throws(StandardStream.Failure) in try sink.flush() }
    }

    /// Prints what tells of something that has been done, and hands it over. Where that fails, the
    /// error says what was done, since the output does not.
    package func tell(_ done: String, _ print: () throws -> Void) throws {
        do {
            try print()
            try flush()
        } catch StandardStream.Failure.failed(let cause) {
            throw ToolError(cause, writingTo: cause.path, though: done)
        }
    }

    private func tolerating(
        _ body: () throws(StandardStream.Failure) -> Void
    ) throws(StandardStream.Failure) {
        do throws(StandardStream.Failure) {
            try body()
        } catch {
            switch tolerance {
            case .everything: return
            case .closedPipe where error == .brokenPipe: return
            case .closedPipe, .nothing: throw error
            }
        }
    }
}
