import GroupLog
import GroupLogFormat
import StoreToolSupport
import ToolSupport

/// The name of a value.
private let key = Argument<String>("key", "The value's name.", as: .valueKey)

/// `set`: a value by name.
enum SetCommand {
    private static let value = Argument<String>("value", "What it is set to.", as: .text)
    private static let isJSON = Flag("json-value", "Read the value as JSON, not as a text.")

    static let command = Command(
        "set", abstract: "Sets a value by its name.",
        discussion: """
            A value that is there is replaced. 'grouplog-reader value' prints it.
            """,
        examples: [
            .init("A text", "grouplog-capture set theme dark"),
            .init("A number", "grouplog-capture set --json-value limit 50"),
            .init("A text that begins with a dash", "grouplog-capture set sign -- -"),
        ],
        arguments: [key, value], options: [isJSON]
    ) { invocation in
        let text = invocation[value]
        let content = invocation[isJSON] ? try json(text) : .text(text)
        let store = try invocation.openStore(as: .extension, isCreated: true)
        try store.setValue(try content.encoded(), forKey: invocation[key])
        return .done
    }

    private static func json(_ text: String) throws(ToolError) -> CBORValue {
        do throws(InterchangeError) {
            return try ExtendedJSON.value(of: text).value
        } catch {
            throw ToolError(.usage, "the value is not JSON: \(error)")
        }
    }
}

/// `unset`: removes a value by name.
enum UnsetCommand {
    static let command = Command(
        "unset", abstract: "Removes a value by its name.",
        discussion: "The status is 1 where there is no such value.",
        examples: [
            .init("Go back to what a program does without it", "grouplog-capture unset theme")
        ],
        arguments: [key]
    ) { invocation in
        let store = try invocation.openStore(as: .extension)
        guard try store.keyValues.remove(invocation[key]) else {
            throw ToolError(.notFound, "there is no value of the key '\(invocation[key])'")
        }
        return .done
    }
}
