import GroupLog
import GroupLogFormat
import StoreToolSupport
import ToolSupport

/// `add`: one record from the command line, at a cost that does not grow with the store.
enum AddCommand {
    private static let id = Option<RecordKey?>(
        "id", "id", "The record's id, which must not exist yet. (default: a new UUID)", as: .key)
    private static let url = Option<String?>(
        "url", "url", "Its address, kept byte for byte.", as: .text)
    private static let title = Option<String?>("title", "title", "Its title.", as: .text)
    private static let text = Option<String?>(
        "text", "text", "Its text; '-' reads it from standard input.", as: .text)
    private static let tags = Option<[String]>(
        repeating: "tag", "tag", "A tag; may be given again.", as: .name)
    private static let created = Option<Timestamp?>(
        "created", "date", "When it came to be, such as 2026-05-04T03:02:01Z. (default: now)",
        as: .timestamp)
    private static let fields = Argument<[FieldAssignment]>(
        repeating: "field=value",
        "Further fields: FIELD=TEXT is a text, FIELD:=JSON any other value.", required: false,
        as: .assignment)

    static let command = Command(
        "add", abstract: "Adds a record and prints its id.",
        discussion: """
            The id is printed when the record is durable, with --json as an object with 'id'. In \
            the collection 'items' a record has an address, a title or a text, its id is a UUID, \
            and its date is the time of the call where none is given. An empty address, title or \
            text is left out. Of a field that is given twice, the last one counts. A record has at \
            most 32 MiB.
            In other collections an id in digits is a number, one spelled like a UUID is a UUID, and \
            any other is a text; 'int:', 'uuid:', 'text:' or 'bytes:' in front of it says which it is.
            With --id the record is added only if there is none with this id, which reads the whole \
            store; the status is 3 if there is one.
            """,
        examples: [
            .init(
                "Keep an address",
                "grouplog-capture add --url https://example.com --title 'An example'"),
            .init("Keep a long text", "grouplog-capture add --title Notes --text - < notes.txt"),
            .init(
                "Use a collection and fields of your own",
                "grouplog-capture add --collection runs host=build1 seconds:=12.5"),
        ],
        arguments: [fields],
        options: [id, url, title, text, tags, created, ToolCollection.option]
    ) { invocation in
        let collection = invocation[ToolCollection.option]
        let key = invocation[id]
        if collection.isItems, let key, key.kind != .uuid {
            throw ToolError(.usage, "the id '\(KeyText.text(key))' is not a UUID")
        }
        let fields = try record(invocation, collection)
        let store = try invocation.openStore(as: .extension, isCreated: true)
        let records = collection.records(in: store)
        let stored: RecordKey
        if let key {
            try records.insert(key, fields.forStoring)
            stored = key
        } else {
            stored = .randomUUID()
            try records.append(stored, fields.forStoring)
        }
        try invocation.output.tell("the record \(KeyText.text(stored)) was added") {
            try print(stored, invocation)
        }
        return .done
    }

    /// The record's fields, from the options and the assignments.
    private static func record(
        _ invocation: Invocation, _ collection: ToolCollection
    ) throws -> [RecordField] {
        var fields: [RecordField] = []
        for (name, text) in [
            (ItemField.url, invocation[url]), (ItemField.title, invocation[title]),
            (ItemField.text, try textOption(invocation)),
        ] {
            // Whoever shares an address may send an empty text along; it must not count.
            if let text, !text.isEmpty { fields.append(RecordField(name, .text(text))) }
        }
        let tags = invocation[tags]
        if !tags.isEmpty {
            fields.append(RecordField(ItemField.tags, .array(tags.map(CBORValue.text))))
        }
        if let date = invocation[created] {
            fields.append(RecordField(ItemField.createdAt, .date(date)))
        }
        for assignment in invocation[Self.fields] {
            fields.set(try assignment.field(in: collection))
        }
        return collection.isItems ? try item(fields) : try any(fields)
    }

    private static func textOption(_ invocation: Invocation) throws -> String? {
        let text = invocation[text]
        return text == "-" ? try StandardText.read() : text
    }

    /// An item of its fields. The declared ones come first and in order, so that items have the same
    /// bytes where they have the same fields.
    private static func item(_ fields: [RecordField]) throws(ToolError) -> [RecordField] {
        var item: [RecordField] = []
        for name in ItemField.declared {
            let value = fields.value(of: name)
            if let value, value != .null, value.text?.isEmpty != true {
                item.append(RecordField(name, value))
            } else if name == ItemField.createdAt {
                item.append(RecordField(name, .date(.now)))
            }
        }
        guard item.contains(where: { ItemField.content.contains($0.name) }) else {
            throw ToolError(
                .usage, "there is nothing to add", hint: "give --url, --title or --text")
        }
        return item + fields.filter { !ItemField.declared.contains($0.name) }
    }

    private static func any(_ fields: [RecordField]) throws(ToolError) -> [RecordField] {
        guard !fields.isEmpty else {
            throw ToolError(.usage, "there is nothing to add", hint: "give FIELD=TEXT")
        }
        return fields
    }

    private static func print(_ key: RecordKey, _ invocation: Invocation) throws {
        guard invocation[CommonOptions.json] else {
            return try invocation.output.line(KeyText.text(key))
        }
        var writer = JSONWriter()
        writer.record(key, [])
        try invocation.output.line(json: &writer)
    }
}

extension RecordKey {
    /// A new UUID of version 4 (RFC 9562, section 5.4).
    fileprivate static func randomUUID() -> RecordKey {
        var bytes = unsafe withUnsafeBytes(of: UInt128.random(in: .min ... .max)) {
            unsafe [UInt8]($0)
        }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        guard let key = RecordKey(kind: .uuid, bytes: bytes) else {
            preconditionFailure("sixteen bytes are a UUID")
        }
        return key
    }
}

extension ValueReader where Value == Timestamp {
    fileprivate static var timestamp: ValueReader {
        ValueReader(show: { $0.text ?? "" }) { text throws(ValueProblem) in
            do throws(TimestampError) {
                return try Timestamp(text)
            } catch {
                throw ValueProblem(error.description)
            }
        }
    }
}
