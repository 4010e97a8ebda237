import GroupLogSystem

/// What a command gets to run with.
package struct Invocation: Sendable {
    package let path: CommandPath
    package let values: ParsedValues
    /// Standard output: the data that was asked for.
    package let output: Output
    /// Standard error: everything said about it.
    package let messages: Output
    package let environment: @Sendable (String) -> String?

    package subscript(flag: Flag) -> Bool { values[flag] }
    package subscript<Result>(option: Option<Result>) -> Result { values[option] }
    package subscript<Result>(argument: Argument<Result>) -> Result { values[argument] }

    /// Runs what has to do with a path, where a subcommand may have been meant by it: there is no
    /// such file then, and the error says so.
    package func suggestingSubcommands<R>(for path: String, _ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch let error as SystemError where error.errno == .noSuchFile {
            let names = suggestions(for: path, among: self.path.root.subcommands.map(\.name))
            guard !names.isEmpty else { throw error }
            let commands = names.map { "'\(self.path.root.name) \($0)'" }
            let failure = ToolError(error)
            throw ToolError(
                failure.status, failure.message, hint: "did you mean \(alternatives(commands))?")
        }
    }

    /// Something worth knowing that stops nothing.
    package func note(_ text: String) {
        try? messages.line("\(path.root.name): \(text)")
    }
}
