/// What stands on a command line besides the words that name commands.
///
/// A tool keeps its parameters as constants, lists them in its `Command`s, and asks the
/// `ParsedValues` for them by the same constants, so that a value has its type without a cast and
/// without a name that could be misspelt.

/// An option as the parser, the help and the completion scripts see it.
package protocol CommandOption: Sendable {
    var spec: OptionSpec { get }
}

/// An operand as they see it.
package protocol CommandArgument: Sendable {
    var spec: ArgumentSpec { get }
}

/// Turns the texts given for one parameter into its value.
typealias Resolver = @Sendable ([String]) throws(InvalidValue) -> any Sendable

/// A text that a reader refused.
struct InvalidValue: Error {
    let text: String
    let problem: ValueProblem
}

package struct OptionSpec: Sendable {
    /// The name behind the two dashes, in ASCII.
    package let long: String
    /// The letter behind one dash.
    package let short: Character?
    /// What stands for the value in help; nil for a flag, which has none.
    package let placeholder: String?
    package let help: String
    package let isRequired: Bool
    package let repeats: Bool
    package let defaultText: String?
    package let completion: Completion
    let resolve: Resolver
}

package struct ArgumentSpec: Sendable {
    package let name: String
    package let help: String
    package let isRequired: Bool
    package let repeats: Bool
    package let completion: Completion
    let resolve: Resolver
}

/// An option without a value: `--json`. Naming it twice is naming it.
package struct Flag: CommandOption {
    package let spec: OptionSpec

    package init(_ long: String, short: Character? = nil, _ help: String) {
        spec = OptionSpec(
            long: long, short: short, placeholder: nil, help: help, isRequired: false,
            repeats: false, defaultText: nil, completion: .none, resolve: { _ in true })
    }
}

/// An option with a value: `--limit 5`, `--limit=5`, `-n 5`, `-n5`. One that does not repeat is
/// given once: of two titles nobody knows which one was meant.
package struct Option<Result: Sendable>: CommandOption {
    package let spec: OptionSpec

    private init(
        _ long: String, _ short: Character?, _ placeholder: String, _ help: String,
        isRequired: Bool = false, repeats: Bool = false, defaultText: String? = nil,
        _ completion: Completion,
        _ resolve: @escaping @Sendable ([String]) throws(InvalidValue) -> Result
    ) {
        spec = OptionSpec(
            long: long, short: short, placeholder: placeholder, help: help, isRequired: isRequired,
            repeats: repeats, defaultText: defaultText, completion: completion,
            resolve: { texts throws(InvalidValue) in try resolve(texts) })
    }

    /// An option that may be left out.
    package init<Value>(
        _ long: String, short: Character? = nil, _ placeholder: String, _ help: String,
        as reader: ValueReader<Value>
    ) where Result == Value? {
        self.init(long, short, placeholder, help, reader.completion) {
            texts throws(InvalidValue) in try texts.last.map(reader)
        }
    }

    /// An option that has this value where it is left out.
    package init(
        _ long: String, short: Character? = nil, _ placeholder: String, _ help: String,
        as reader: ValueReader<Result>, default value: Result
    ) {
        self.init(
            long, short, placeholder, help, defaultText: reader.show(value), reader.completion
        ) { texts throws(InvalidValue) in try texts.last.map(reader) ?? value }
    }

    /// An option that may be given any number of times.
    package init<Value>(
        repeating long: String, short: Character? = nil, _ placeholder: String, _ help: String,
        as reader: ValueReader<Value>
    ) where Result == [Value] {
        self.init(long, short, placeholder, help, repeats: true, reader.completion) {
            texts throws(InvalidValue) in try texts.map(reader)
        }
    }

    /// An option that must be given.
    package init(
        required long: String, short: Character? = nil, _ placeholder: String, _ help: String,
        as reader: ValueReader<Result>
    ) {
        self.init(long, short, placeholder, help, isRequired: true, reader.completion) {
            texts throws(InvalidValue) in try texts.last.required(by: reader)
        }
    }
}

/// An operand, told from others by its place. Optional ones stand behind required ones, and one
/// that repeats stands last.
package struct Argument<Result: Sendable>: CommandArgument {
    package let spec: ArgumentSpec

    private init(
        _ name: String, _ help: String, isRequired: Bool, repeats: Bool = false,
        _ completion: Completion,
        _ resolve: @escaping @Sendable ([String]) throws(InvalidValue) -> Result
    ) {
        spec = ArgumentSpec(
            name: name, help: help, isRequired: isRequired, repeats: repeats,
            completion: completion,
            resolve: { texts throws(InvalidValue) in try resolve(texts) })
    }

    package init(_ name: String, _ help: String, as reader: ValueReader<Result>) {
        self.init(name, help, isRequired: true, reader.completion) {
            texts throws(InvalidValue) in try texts.last.required(by: reader)
        }
    }

    /// An operand that may be left out.
    package init<Value>(
        optional name: String, _ help: String, as reader: ValueReader<Value>
    ) where Result == Value? {
        self.init(name, help, isRequired: false, reader.completion) {
            texts throws(InvalidValue) in try texts.last.map(reader)
        }
    }

    /// All operands from here on, at least one of them if required.
    package init<Value>(
        repeating name: String, _ help: String, required: Bool, as reader: ValueReader<Value>
    ) where Result == [Value] {
        self.init(name, help, isRequired: required, repeats: true, reader.completion) {
            texts throws(InvalidValue) in try texts.map(reader)
        }
    }
}

extension String {
    fileprivate func read<Value>(by reader: ValueReader<Value>) throws(InvalidValue) -> Value {
        do throws(ValueProblem) {
            return try reader.read(self)
        } catch {
            throw InvalidValue(text: self, problem: error)
        }
    }
}

extension String? {
    fileprivate func map<Value>(_ reader: ValueReader<Value>) throws(InvalidValue) -> Value? {
        guard let self else { return nil }
        return try self.read(by: reader)
    }

    /// The parser has made sure that a required parameter is there before it asks for its value.
    fileprivate func required<Value>(by reader: ValueReader<Value>) throws(InvalidValue) -> Value {
        guard let self else { preconditionFailure("a required parameter was resolved unchecked") }
        return try self.read(by: reader)
    }
}

extension [String] {
    fileprivate func map<Value>(_ reader: ValueReader<Value>) throws(InvalidValue) -> [Value] {
        var values: [Value] = []
        for text in self { values.append(try text.read(by: reader)) }
        return values
    }
}
