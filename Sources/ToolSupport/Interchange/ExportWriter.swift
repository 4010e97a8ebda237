package import GroupLogFormat

/// Writes records in one of the formats that ``ImportReader`` reads.
///
/// `jsonl` and `json` carry every record exactly, in the manner of ``ExtendedJSON``: the id first, then the fields in the
/// order given. The other two carry the fields of `items`, and this is lost in them:
///
/// - `csv`: the types of other columns (they become text, JSON where they are no text), the difference between no value
///   and null, the order of fields, keys that are no UUIDs in `items`; a program that writes the file anew mostly drops
///   the quotes that make an empty text of an empty cell;
/// - `netscape`: other fields than url, title, text, tags, createdAt, folder and private; empty values; keys as above.
///
/// In both, dates beyond the calendar, and tags, titles and texts of another type than text.
///
/// It hands over what it writes in pieces; what the place to go to throws, the call that wrote it throws.
package struct ExportWriter {
    private let sink: PieceBuffer.Sink
    private let format: InterchangeFormat
    private let columns: [String]
    private var bookmarks: NetscapeWriter?
    private var isFirst = true

    /// Begins the file. `otherColumns` are the fields that CSV has beside those of `items`.
    package init(
        _ format: InterchangeFormat, otherColumns: [String] = [],
        to sink: @escaping PieceBuffer.Sink
    ) throws {
        self.sink = sink
        self.format = format
        columns = ItemField.columns + otherColumns.filter { !ItemField.known.contains($0) }
        switch format {
        case .jsonl: break
        case .json: try sink([UInt8(ascii: "[")])
        case .csv: try row(columns)
        case .netscape: bookmarks = NetscapeWriter(to: sink)
        }
    }

    /// Writes a record.
    package mutating func record(_ key: RecordKey, _ fields: [RecordField]) throws {
        switch format {
        case .jsonl, .json:
            if format == .json { try sink(Array((isFirst ? "\n" : ",\n").utf8)) }
            var writer = JSONWriter(to: sink)
            writer.record(key, fields)
            if format == .jsonl { writer.endLine() }
            try writer.flush()
        case .csv:
            try row(
                columns.map { name in
                    if name == ItemField.id { return key.description }
                    return fields.first { $0.name.hasSameBytes(as: name) }?.csvCell
                })
        case .netscape:
            bookmarks?.record(key, fields)
            try bookmarks?.flush()
        }
        isFirst = false
    }

    private func row(_ fields: [String?]) throws {
        var writer = CSVWriter(to: sink)
        writer.row(fields)
        try writer.flush()
    }

    /// Ends the file.
    package mutating func finish() throws {
        switch format {
        case .jsonl, .csv: break
        case .json: try sink(Array("\n]\n".utf8))
        case .netscape:
            bookmarks?.finish()
            try bookmarks?.flush()
        }
    }
}

extension ItemField {
    /// The columns of our CSV, in their order.
    fileprivate static let columns = [id, url, title, text, tags, createdAt]
}

extension JSONWriter {
    /// Writes a record as one object, in the manner of ``ExtendedJSON``.
    package mutating func record(_ key: RecordKey, _ fields: [RecordField]) {
        beginObject()
        self.key(ItemField.id)
        recordKey(key)
        // The key has that name; a field of the same name would be read instead of it.
        for field in fields where !field.name.hasSameBytes(as: ItemField.id) {
            self.field(field.name, field.value)
        }
        endObject()
    }

    /// Writes a key: a UUID or a text as a string, an integer as a number; a text that would be read
    /// as a UUID, and bytes, as objects.
    package mutating func recordKey(_ key: RecordKey) {
        switch key.kind {
        case .uuid: string(key.description)
        case .integer: integer(key.integerValue ?? 0)
        case .bytes: value(.bytes(key.bytes))
        case .text:
            let text = key.textValue ?? ""
            guard UUIDText.bytes(text) != nil else { return string(text) }
            beginObject()
            self.key("$text")
            string(text)
            endObject()
        }
    }
}

extension RecordField {
    /// Nil is written like a field that the record does not have.
    fileprivate var csvCell: String? {
        if let text = value.text { return text }
        if let date = value.timestamp?.text { return date }
        if value == .null { return nil }
        if name == ItemField.tags, case .array(let tags) = value,
            tags.allSatisfy({ $0.text != nil })
        {
            return TagList.text(tags.compactMap(\.text))
        }
        var writer = JSONWriter()
        writer.value(value)
        return writer.text
    }
}

extension NetscapeWriter {
    fileprivate mutating func record(_ key: RecordKey, _ fields: [RecordField]) {
        let value = { (name: String) in fields.first { $0.name.hasSameBytes(as: name) }?.value }
        var entry = NetscapeEntry(line: 0)
        entry.identifier = key.kind == .uuid ? key.description : nil
        entry.url = value(ItemField.url)?.text
        entry.title = value(ItemField.title)?.text
        entry.text = value(ItemField.text)?.text
        entry.folder = value(ItemField.folder)?.text
        entry.isPrivate = value("private") == .true
        if case .array(let tags) = value(ItemField.tags) { entry.tags = tags.compactMap(\.text) }
        self.entry(entry, createdAt: value(ItemField.createdAt)?.timestamp)
    }
}
