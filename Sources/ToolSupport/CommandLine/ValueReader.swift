/// How the text of an option or operand becomes a value.
///
/// A reader throws a `ValueProblem` that completes the sentence "invalid value 'x' for '--y': ...".
package struct ValueReader<Value: Sendable>: Sendable {
    package let read: @Sendable (String) throws(ValueProblem) -> Value
    /// The spelling that reads back as the value, for the default shown in help.
    package let show: @Sendable (Value) -> String
    package let completion: Completion

    package init(
        completion: Completion = .none,
        show: @escaping @Sendable (Value) -> String = { String(describing: $0) },
        read: @escaping @Sendable (String) throws(ValueProblem) -> Value
    ) {
        self.read = read
        self.show = show
        self.completion = completion
    }
}

/// Why a text is not a value, as the end of a sentence: "expected a whole number".
package struct ValueProblem: Error, Hashable, Sendable {
    package let reason: String
    package init(_ reason: String) { self.reason = reason }
}

/// What a shell offers when somebody asks it to complete a value.
package enum Completion: Hashable, Sendable {
    case none
    case choices([String])
    case file
    case directory
}

extension ValueReader where Value == String {
    /// Any text, also an empty one.
    package static var text: ValueReader { ValueReader { $0 } }

    /// A path. An empty one is refused: it is what an unset variable in a script leaves behind.
    package static var file: ValueReader { path(.file) }
    package static var directory: ValueReader { path(.directory) }

    /// A name: any text that is not empty.
    package static var name: ValueReader {
        ValueReader { text throws(ValueProblem) in
            guard !text.isEmpty else { throw ValueProblem("expected a name, not an empty text") }
            return text
        }
    }

    private static func path(_ completion: Completion) -> ValueReader {
        ValueReader(completion: completion) { text throws(ValueProblem) in
            guard !text.isEmpty else { throw ValueProblem("expected a path, not an empty text") }
            return text
        }
    }
}

extension ValueReader where Value: FixedWidthInteger {
    /// A whole number in decimal digits, within the range.
    package static func integer(in range: ClosedRange<Value>) -> ValueReader {
        ValueReader { text throws(ValueProblem) in
            guard let value = Value(text), range.contains(value) else {
                throw ValueProblem(
                    range.upperBound == .max && !isNumber(text)
                        ? "expected a whole number, \(range.lowerBound) or more"
                        : "expected a whole number from \(range.lowerBound) to \(range.upperBound)")
            }
            return value
        }
    }
}

/// Whether a text is a whole number of any size.
private func isNumber(_ text: String) -> Bool {
    let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
    return !digits.isEmpty
        && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
}

extension ValueReader where Value == Double {
    /// Seconds in decimal digits with at most one point, from 0 to the limit. Spellings that only
    /// a parser of floating-point numbers knows (`1e9`, `0x1p3`, `nan`) are refused.
    package static func seconds(upTo limit: Int) -> ValueReader {
        ValueReader(show: { $0 == $0.rounded() ? String($0.description.dropLast(2)) : "\($0)" }) {
            text throws(ValueProblem) in
            let digits = text.utf8.count { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            let points = text.utf8.count { $0 == UInt8(ascii: ".") }
            guard digits > 0, points <= 1, digits + points == text.utf8.count,
                let value = Double(text), value <= Double(limit)
            else { throw ValueProblem("expected seconds from 0 to \(limit), such as 2.5") }
            return value
        }
    }
}

extension ValueReader where Value: CaseIterable & RawRepresentable<String> {
    /// One of an enumeration's raw values.
    package static var choice: ValueReader {
        let names = Value.allCases.map(\.rawValue)
        return ValueReader(completion: .choices(names), show: { $0.rawValue }) {
            text throws(ValueProblem) in
            guard let value = Value(rawValue: text) else {
                throw ValueProblem("expected \(alternatives(names))")
            }
            return value
        }
    }
}

/// "a, b or c".
func alternatives(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " or " + last
}
