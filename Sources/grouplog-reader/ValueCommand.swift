import GroupLog
import GroupLogFormat
import StoreToolSupport
import ToolSupport

/// `value`: what a name of the key-value side stands for, or all names.
enum ValueCommand {
    static let key = Argument<String?>(
        optional: "key", "The value's name. (default: all, in a list)", as: .valueKey)

    static let command = Command(
        "value", abstract: "Prints the value of a key, or lists all keys with their values.",
        discussion: """
            A text is printed as it is, with a line end; every other value as JSON. With --json \
            texts are JSON too. The values are those that 'grouplog-capture set' stores; they are \
            apart from the collections. The status is 1 where there is no such value.
            Without a key all of them are listed, sorted by their keys; with --json each is an \
            object with 'key' and 'value'.
            """,
        examples: [
            .init("A setting", "grouplog-reader value theme"),
            .init("All settings", "grouplog-reader value"),
            .init("Their names", "grouplog-reader value --json | jq -r .key"),
        ],
        arguments: [key]
    ) { invocation in
        guard let key = invocation[key] else {
            try list(invocation)
            return .done
        }
        let store = try invocation.openStore(as: .readOnly)
        invocation.tell(try store.receipt())
        guard let value = try storedValue(of: key, in: store) else {
            throw ToolError(.notFound, "no value has the key '\(key)'")
        }
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

    private static func list(_ invocation: Invocation) throws {
        let store = try invocation.openStore(as: .readOnly)
        invocation.tell(try store.receipt())
        var table = Table([.init("key"), .init("value", shrinks: true)], on: invocation.output)
        for name in try store.keyValues.keys() {
            let value: CBORValue
            do {
                guard let stored = try storedValue(of: name, in: store) else { continue }
                value = stored
            } catch let error as StoreError where error.code == .corrupt {
                invocation.note("cannot read the value of '\(name)': \(error)")
                continue
            }
            guard invocation[CommonOptions.json] else {
                try table.add([.init(name), .init(value.cellText)])
                continue
            }
            var writer = JSONWriter()
            writer.beginObject()
            writer.member("key", name)
            writer.key("value")
            writer.value(value)
            writer.endObject()
            try invocation.output.line(json: &writer)
        }
        try table.finish()
    }

    private static func storedValue(of name: String, in store: Store) throws -> CBORValue? {
        guard let key = RecordKey(text: name), let bytes = try store.value(forKey: key) else {
            return nil
        }
        return try StoreError.translating(store.path) { try CBORValue.decode(bytes) }
    }
}
