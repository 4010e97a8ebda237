import GroupLogFormat

/// Makes records of JSON objects, those of our own exports and those of services.
struct JSONMapping {
    let collection: ImportCollection
    /// The date of the next item that has none.
    var importTime: Timestamp

    func item(_ json: JSONEntry) -> ImportItem {
        guard let object = json.value.object else {
            return .rejected(line: json.line, reason: "not an object")
        }
        do {
            var entry = ImportEntry(line: json.line)
            entry.warnings = json.warnings
            if collection == .items, object[ItemField.createdAt] == nil,
                let service = JSONService.all.first(where: { $0.isOrigin(of: object) })
            {
                return try serviceItem(service, object, json, &entry)
            }
            return try ownItem(object, &entry)
        } catch {
            return .rejected(line: error.line ?? json.line, reason: error.message)
        }
    }

    /// An object whose fields are the record's.
    private func ownItem(
        _ object: JSONObject, _ entry: inout ImportEntry
    ) throws(InterchangeError) -> ImportItem {
        var reader = ExtendedJSONReader(line: object.line)
        for member in object.members {
            if member.name.hasSameBytes(as: ItemField.id) {
                if !member.value.isNull { entry.key = try key(member.value, line: entry.line) }
            } else if member.name.hasSameBytes(as: ItemField.createdAt),
                takeDate(member.value, &entry)
            {
                continue
            } else {
                entry.fields.append(RecordField(member.name, try reader.value(member.value)))
            }
        }
        entry.warnings += reader.warnings
        guard collection == .items else { return .entry(entry) }
        if entry.key == nil, let name = ServiceTree.containerName(of: object) {
            return .rejected(
                line: entry.line,
                reason: "'\(name)' holds further entries, in a form that is not known; give the "
                    + "entries themselves, as an array or one a line")
        }
        if entry[ItemField.createdAt] == nil { entry.setDate(nil, orImportTime: importTime) }
        return entry.checkedAsItem
    }

    /// Reads a date that is spelled plainly; false for a value that is read like any other.
    private func takeDate(_ value: JSONValue, _ entry: inout ImportEntry) -> Bool {
        switch (collection, value) {
        case (.items, .null):
            return true
        case (.items, .number(let number)):
            entry.setDate(number.text, orImportTime: importTime)
        case (.items, .string(let text)):
            entry.setDate(text, orImportTime: importTime)
        case (.any, .string(let text)):
            entry.addDateOrText(text)
        default:
            return false
        }
        return true
    }

    private func key(_ value: JSONValue, line: Int) throws(InterchangeError) -> RecordKey {
        if collection == .items {
            guard let text = value.string, let key = ImportKey.uuid(text) else {
                throw InterchangeError(ImportKey.malformed(value.shortText), line: line)
            }
            return key
        }
        // {"$text": ...} is for texts that would be read as a UUID.
        if let wrapped = value.object, wrapped.members.count == 1,
            let text = wrapped["$text"]?.string,
            let key = RecordKey(text: text)
        {
            return key
        }
        var reader = ExtendedJSONReader(line: line)
        guard let key = ImportKey.any(try reader.value(value)) else {
            throw InterchangeError(
                "the id is no text, integer, UUID or bytes of 1 to 1024 bytes", line: line)
        }
        return key
    }

    private func serviceItem(
        _ service: JSONService, _ object: JSONObject, _ json: JSONEntry, _ entry: inout ImportEntry
    ) throws(InterchangeError) -> ImportItem {
        // What is looked for by name would not be missed.
        guard !json.value.hasExcess else {
            throw InterchangeError(ImportEntry.excess, line: object.line)
        }
        if service.hasKey, let text = object[ItemField.id]?.string {
            entry.key = ImportKey.uuid(text)
        }
        for name in ItemField.content {
            guard let text = service.names(for: name).lazy.compactMap({ object[$0]?.string }).first
            else { continue }
            entry.add(name, text: service.isHTML(name) ? text.decodingHTML : text)
        }
        if entry[ItemField.text] == nil {
            entry.add(ItemField.text, text: object.firefoxDescription)
        }
        entry.add(
            tags: service.names(for: ItemField.tags).flatMap { object[$0]?.tags(service) ?? [] })
        let dates = service.names(for: ItemField.createdAt).compactMap { object[$0] }
        entry.setDate(
            dates.lazy.compactMap { $0.string ?? number($0) }.first, orImportTime: importTime)
        entry.add(ItemField.folder, text: json.folder)

        var reader = ExtendedJSONReader(line: object.line)
        let taken = Set(entry.fields.map { ByteString($0.name) })
        for member in object.members where !member.value.isNull && service.keeps(member.name) {
            guard !taken.contains(ByteString(member.name)) else {
                entry.warn(.ignoredValue, "the field '\(member.name)' of the file is not kept")
                continue
            }
            entry.fields.append(RecordField(member.name, try reader.value(member.value)))
        }
        entry.warnings += reader.warnings
        return entry.checkedAsItem
    }

    private func number(_ value: JSONValue) -> String? {
        if case .number(let number) = value { number.text } else { nil }
    }
}

extension String {
    fileprivate var decodingHTML: String {
        String(decoding: HTMLEntities.decode(Array(utf8)), as: UTF8.self)
    }
}

extension JSONValue {
    /// Tags in an array, or in a text that is cut as the service does it.
    fileprivate func tags(_ service: JSONService) -> [String] {
        if let elements = array { return elements.compactMap(\.string) }
        return (string ?? "").utf8.split { $0 == service.tagSeparator }
            .map { String(decoding: Array($0).trimmingBlanks, as: UTF8.self) }
    }
}

extension JSONValue {
    /// What it is, for messages.
    fileprivate var shortText: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let number): number.text
        case .string(let text): text
        case .array: "[...]"
        case .object: "{...}"
        case .excess: "..."
        }
    }
}

extension JSONObject {
    /// Where Firefox kept descriptions while it had them.
    fileprivate var firefoxDescription: String? {
        self["annos"]?.array?.lazy.compactMap(\.object)
            .first { $0["name"]?.string == "bookmarkProperties/description" }?["value"]?.string
    }
}
