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

    /// Something worth knowing that stops nothing.
    package func note(_ text: String) {
        try? messages.line("\(path.root.name): \(text)")
    }
}
