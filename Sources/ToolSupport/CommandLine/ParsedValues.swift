/// The values of a command line, asked for by the parameters that describe them.
package struct ParsedValues: Sendable {
    private var options: [String: any Sendable] = [:]
    private var arguments: [String: any Sendable] = [:]

    package subscript(flag: Flag) -> Bool { options[flag.spec.long] != nil }

    package subscript<Result>(option: Option<Result>) -> Result {
        guard let value = value(of: option) else {
            preconditionFailure("'--\(option.spec.long)' is no option of the command that was run")
        }
        return value
    }

    package subscript<Result>(argument: Argument<Result>) -> Result {
        guard let value = arguments[argument.spec.name] as? Result else {
            preconditionFailure("<\(argument.spec.name)> is no operand of the command that was run")
        }
        return value
    }

    /// The option's value, or nil if the command that was run has no such option.
    package func value<Result>(of option: Option<Result>) -> Result? {
        options[option.spec.long] as? Result
    }

    mutating func set(_ option: OptionSpec, to texts: [String]) throws(InvalidValue) {
        options[option.long] = try option.resolve(texts)
    }

    mutating func set(_ argument: ArgumentSpec, to texts: [String]) throws(InvalidValue) {
        arguments[argument.name] = try argument.resolve(texts)
    }
}
