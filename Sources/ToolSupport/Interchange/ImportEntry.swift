package import GroupLogFormat

/// The file formats of import and export.
package enum InterchangeFormat: String, CaseIterable, Sendable {
    /// One JSON object a line.
    case jsonl
    /// An array of JSON objects, or one object in which an export of a known service has them.
    case json
    case csv
    /// Bookmark HTML.
    case netscape
}

/// What is known about the collection that is imported into.
package enum ImportCollection: Sendable {
    /// `items`: an entry has an address, a title or a text, and a date; exports of other services are understood.
    case items
    /// Any other: every object and every row comes as it is.
    case any
}

/// A field of a record.
package struct RecordField: Sendable, Equatable {
    package let name: String
    package var value: CBORValue

    package init(_ name: String, _ value: CBORValue) {
        self.name = name
        self.value = value
    }
}

/// A record to be stored.
package struct ImportEntry: Sendable {
    /// The line it begins in.
    package let line: Int
    /// Its key; where the file has none, ``naturalKey`` is one that comes out the same next time.
    package var key: RecordKey?
    /// No name occurs twice. The order is that of the file, but for services: those come in one order.
    package var fields: [RecordField] = []
    package var warnings: [InterchangeWarning] = []

    package subscript(name: String) -> CBORValue? {
        fields.first { $0.name.hasSameBytes(as: name) }?.value
    }
}

/// What one entry of a file turned out to be.
package enum ImportItem: Sendable {
    case entry(ImportEntry)
    case rejected(line: Int, reason: String)
}

/// The names of the fields that the collection `items` knows.
package enum ItemField {
    package static let url = "url"
    package static let title = "title"
    package static let text = "text"
    package static let tags = "tags"
    package static let createdAt = ExtendedJSON.dateField
    /// Where a service has folders; their names are joined by `/`.
    static let folder = "folder"
    /// The record's key, which is not one of its fields.
    package static let id = "id"
    /// How far the upload of a record has come, which is told of it and never stored in it.
    package static let syncStatus = "syncStatus"

    /// The fields of which an item has at least one.
    package static let content = [url, title, text]
    /// All that are stored, in the order in which they are declared.
    package static let declared = content + [tags, createdAt]
    static let known = Set(declared + [id])
}

extension ImportEntry {
    /// Why an entry is refused of which a text was not kept.
    static let excess =
        "a text of more than \(LogLayout.maximumRecordLength >> 20) MiB, which is the limit of a record"

    init(line: Int) {
        self.line = line
    }

    /// Adds a text unless it is empty: in the files of others that is how they say that there is none.
    mutating func add(_ name: String, text: String?) {
        if let text, !text.isEmpty { fields.append(RecordField(name, .text(text))) }
    }

    mutating func add(tags: [String]) {
        let tags = tags.filter { !$0.isEmpty }
        if !tags.isEmpty {
            fields.append(RecordField(ItemField.tags, .array(tags.map(CBORValue.text))))
        }
    }

    /// Whether the time of the import stands for a date that it did not have.
    package var hasTimeOfImport: Bool {
        warnings.contains { $0.kind == .withoutDate || $0.kind == .badDate }
    }

    mutating func warn(_ kind: InterchangeWarning.Kind, _ message: String) {
        warnings.append(InterchangeWarning(kind, line: line, message))
    }

    /// Sets the date from what a file says about it.
    ///
    /// Without a date, or with an impossible one, the record has the time of the import, and a warning tells it.
    mutating func setDate(_ text: String?, orImportTime now: Timestamp) {
        if let text, !text.isEmpty, text != "0" {
            do {
                return setDate(try Timestamp(text))
            } catch {
                warn(.badDate, "\(error.description); the time of the import stands for it")
            }
        } else {
            warn(.withoutDate, "no date; the time of the import stands for it")
        }
        setDate(now)
    }

    mutating func setDate(_ date: Timestamp) {
        let field = RecordField(ItemField.createdAt, .date(date))
        if let place = fields.firstIndex(where: { $0.name.hasSameBytes(as: ItemField.createdAt) }) {
            fields[place] = field
        } else {
            fields.append(field)
        }
    }

    /// Adds a date as one, and as a text with a warning what is no date: in most collections that is no mistake.
    mutating func addDateOrText(_ text: String) {
        if let date = try? Timestamp(text) {
            setDate(date)
        } else {
            fields.append(RecordField(ItemField.createdAt, .text(text)))
            warn(.badDate, "\(ItemField.createdAt) is no date and stays a text")
        }
    }

    /// An entry for `items` as it is, or the reason why it is none.
    ///
    /// One with a key was in a store already, and comes back whatever it holds.
    var checkedAsItem: ImportItem {
        if key != nil { return .entry(self) }
        var hasContent = false
        for name in ItemField.content {
            guard let value = self[name], value != .null else { continue }
            guard let text = value.text else {
                return .rejected(line: line, reason: "the field '\(name)' takes a text")
            }
            hasContent = hasContent || !text.isEmpty
        }
        guard hasContent else {
            return .rejected(line: line, reason: "neither an address nor a title nor a text")
        }
        return .entry(self)
    }
}
