import GroupLog
import GroupLogFormat
import StoreToolSupport
import ToolSupport

/// `value`: what a name of the key-value side stands for.
enum ValueCommand {
    static let key = Argument<RecordKey>("key", "The value's name.", as: .valueName)

    static let command = Command(
        "value", abstract: "Prints the value of a key.",
        discussion: """
            A text is printed as it is, with a line end; every other value as JSON. With --json \
            texts are JSON too. The values are those that 'grouplog-capture set' stores; they are \
            apart from the collections. The status is 1 where there is no such value.
            """,
        examples: [.init("A setting", "grouplog-reader value theme")],
        arguments: [key]
    ) { invocation in
        let key = invocation[key]
        let store = try invocation.openStore(as: .readOnly)
        invocation.tell(try store.receipt())
        guard let bytes = try store.value(forKey: key) else {
            throw ToolError(.notFound, "no value has the key '\(key)'")
        }
        let value = try StoreError.translating(store.path) { try CBORValue.decode(bytes) }
        let output = invocation.output
        if let text = value.text, !invocation[CommonOptions.json] {
            // A terminal obeys what a program must get unchanged.
            try output.write(output.isTerminal ? visible(text) : text)
            try output.write("\n")
        } else {
            var writer = output.jsonWriter()
            writer.value(value)
            try output.line(json: &writer)
        }
        return .done
    }
}

extension ValueReader where Value == RecordKey {
    /// Names of values are texts, also where they look like a number or a UUID.
    fileprivate static var valueName: ValueReader {
        ValueReader { text throws(ValueProblem) in
            guard let key = RecordKey(text: text) else {
                throw ValueProblem("a key has 1 to \(LogLayout.maximumKeyLength) bytes")
            }
            return key
        }
    }
}
