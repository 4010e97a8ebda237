import GroupLog
import GroupLogFormat
import StoreToolSupport
import ToolSupport

/// `edit`: changes fields of a record.
enum EditCommand {
    private static let id = Argument<RecordKey>("id", "The record's id.", as: .key)
    private static let fields = Argument<[FieldAssignment]>(
        repeating: "field=value",
        "FIELD=TEXT sets a text, FIELD:=JSON any other value.", required: false, as: .assignment)
    private static let removed = Option<[String]>(
        repeating: "remove", "field", "Take a field away; may be given again.", as: .name)

    static let command = Command(
        "edit", abstract: "Changes fields of a record.",
        discussion: """
            The record is read, changed and stored in one step, so that what others change in it \
            meanwhile is kept; its other fields stay, and so does its place in lists unless \
            createdAt is changed. A record that was deleted stays deleted: the exit status is 1. \
            In the collection 'items' an empty address, title or text is taken away, and one of them \
            has to be left.
            With --json the outcome is an object with 'id' and 'outcome': changed, unchanged or \
            unknown.
            """,
        examples: [
            .init("Another title", "grouplog-reader edit ID title='A better one'"),
            .init("No tags", "grouplog-reader edit ID --remove tags"),
        ],
        arguments: [id, fields],
        options: [removed, ToolCollection.option, CommonOptions.timeout, CommonOptions.author],
        outlivesReader: true
    ) { invocation in
        let collection = invocation[ToolCollection.option]
        let key = invocation[id]
        let removed = invocation[removed]
        let changes = try invocation[fields].map { try $0.field(in: collection) }
        guard !(changes.isEmpty && removed.isEmpty) else {
            throw ToolError(
                .usage, "there is nothing to change", hint: "give FIELD=TEXT or --remove")
        }
        let store = try invocation.openStore(as: .app)
        let outcome = try collection.records(in: store).update(key) { stored in
            var record = stored.map { RecordField($0.name, $0.value) }
            for change in changes { record.set(change) }
            for name in removed { record.removeAll { ByteString($0.name) == ByteString(name) } }
            if collection.isItems { try checkItem(&record) }
            stored = record.forStoring
        }
        if outcome == .unknown { try invocation.noteMissing(key, in: collection, of: store.view()) }
        try invocation.printOutcome("\(outcome)", of: key)
        return outcome == .unknown ? .notFound : .done
    }

    /// Takes away what is empty, and sees that there is something left.
    private static func checkItem(_ record: inout [RecordField]) throws(ToolError) {
        record.removeAll {
            ItemField.declared.contains($0.name) && ($0.value == .null || $0.value.text == "")
        }
        let names = record.map(\.name)
        guard names.contains(where: ItemField.content.contains) else {
            throw ToolError(
                .usage, "neither an address, a title nor a text would be left",
                hint: "'delete' takes the record away")
        }
        guard names.contains(ItemField.createdAt) else {
            throw ToolError(.usage, "a record of 'items' has a date")
        }
    }
}
