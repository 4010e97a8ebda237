import GroupLogSystem

/// A program: a command with what surrounds it in a process.
package struct Tool: Sendable {
    private let command: Command
    private let version: String
    private let explain: @Sendable (any Error) -> ToolError?

    /// The version that all tools have.
    package static let currentVersion = "0.1.0"

    /// `explain` gives the words for errors of layers that this one does not know.
    package init(
        _ command: Command, version: String = currentVersion,
        explain: @escaping @Sendable (any Error) -> ToolError? = { _ in nil }
    ) {
        self.command = command
        self.version = version
        self.explain = explain
        assert(command.contradictions.isEmpty, "\(command.contradictions)")
    }

    /// Runs as the whole of a process.
    ///
    /// SIGPIPE is ignored, since it could end a command between two steps that belong together.
    /// What closes the pipe is then a write that fails; the tool ends quietly, and with 0: that the
    /// reader has seen enough (`| head`) is no failure of the writer.
    package func main() -> Never {
        returnLargeBlocks()
        ignoreSIGPIPE()
        ignoreSIGXFSZ()
        Interrupt.install()
        let status: ExitStatus
        do {
            try reserveStandardDescriptors()
            status = run(
                try ProcessArguments.texts(), output: StandardStream.output,
                messages: StandardStream.error, environment: environmentVariable)
        } catch {
            status = report(described(error), on: StandardStream.error)
        }
        exitProcess(status.rawValue)
    }

    /// Runs with the words behind the program's name.
    package func run(
        _ words: [String], output sink: any ByteSink, messages: any ByteSink,
        environment: @escaping @Sendable (String) -> String?
    ) -> ExitStatus {
        var status = ExitStatus.done
        do {
            status = try answer(words, sink, messages, environment)
        } catch StandardStream.Failure.brokenPipe {
            return .done
        } catch {
            status = report(described(error), on: messages)
        }
        do throws(StandardStream.Failure) {
            try sink.flush()
        } catch {
            // A failure of the stream that ended the command has been reported already.
            guard case .failed = error, status != .io else { return status }
            let reported = report(described(error), on: messages)
            return status == .done ? reported : status
        }
        return status
    }

    private func answer(
        _ words: [String], _ sink: any ByteSink, _ messages: any ByteSink,
        _ environment: @escaping @Sendable (String) -> String?
    ) throws -> ExitStatus {
        switch try command.parse(words) {
        case .run(let path, let values):
            guard let run = path.command.run else {
                preconditionFailure("'\(path.words)' has neither subcommands nor work to do")
            }
            let choice = values.value(of: CommonOptions.color) ?? .auto
            func stream(_ sink: any ByteSink, _ tolerance: Output.Tolerance) -> Output {
                let style = Style(choice, isTerminal: sink.isTerminal, environment: environment)
                return Output(sink, style: style, tolerating: tolerance)
            }
            return try run(
                Invocation(
                    path: path, values: values,
                    output: stream(sink, path.command.outlivesReader ? .closedPipe : .nothing),
                    messages: stream(messages, .everything), environment: environment))
        case .help(let path):
            let width = sink.isTerminal ? sink.terminalWidth ?? 80 : 80
            try sink.write(path.help(width: min(max(width, 40), 100)))
        case .version:
            try sink.write("\(command.name) \(version)\n")
        case .completionScript(let shell):
            try sink.write(command.completionScript(for: shell))
        case .manualPage:
            try sink.write(command.manualPage(version: version))
        }
        return .done
    }

    private func described(_ error: any Error) -> ToolError {
        switch error {
        case let error as ToolError: error
        case let error as UsageError: ToolError(error)
        case let error as SystemError: ToolError(error)
        case let error as ProcessArguments.NotText:
            ToolError(.usage, "argument \(error.position) is not valid UTF-8")
        case StandardStream.Failure.failed(let cause): ToolError(cause, writingTo: cause.path)
        default: explain(error) ?? ToolError(.io, String(describing: error))
        }
    }

    private func report(_ error: ToolError, on messages: any ByteSink) -> ExitStatus {
        var text = "\(command.name): \(visible(error.message))\n"
        if let hint = error.hint { text += "hint: \(visible(hint))\n" }
        // Where standard error is gone, the status is all that can be told.
        try? messages.write(text)
        return error.status
    }
}
