import GroupLogFormat

/// Makes records of CSV rows, by what the header says about their origin.
struct CSVMapping {
    private let origin: Origin
    private let header: [String]
    private let collection: ImportCollection

    private enum Origin {
        /// Our own export, or any columns in another collection.
        case own
        case service(CSVService)
    }

    /// Throws for a header that is not one of those known for `items`.
    init(header: [String], collection: ImportCollection) throws(InterchangeError) {
        self.header = header
        self.collection = collection
        let columns = Set(header)
        if collection == .any {
            origin = .own
        } else if let service = CSVService.all.first(where: { $0.isOrigin(of: columns) }) {
            origin = .service(service)
        } else if CSVMapping.isOwn(columns) {
            origin = .own
        } else {
            throw InterchangeError(
                "no known header: \(header.joined(separator: ",").prefix(200))", line: 1)
        }
    }

    /// Our export has its columns, and the date where it has others as well.
    private static func isOwn(_ columns: Set<String>) -> Bool {
        guard ItemField.content.contains(where: columns.contains) else { return false }
        return columns.isSubset(of: ItemField.known) || columns.contains(ItemField.createdAt)
    }

    func item(_ row: CSVReader.Row, importTime: Timestamp) -> ImportItem {
        if let problem = row.problem { return .rejected(line: row.line, reason: problem) }
        var entry = ImportEntry(line: row.line)
        if row.wasRepaired {
            entry.warn(.repairedText, "broken characters; U+FFFD stands in their place")
        }
        switch origin {
        case .own: return ownItem(row, &entry, importTime)
        case .service(let service): return serviceItem(service, row, &entry, importTime)
        }
    }

    private func ownItem(
        _ row: CSVReader.Row, _ entry: inout ImportEntry, _ importTime: Timestamp
    ) -> ImportItem {
        var date: String?
        let keepsEmpty = collection == .any || hasKey(row)
        for (index, (name, value)) in zip(header, row.fields).enumerated() {
            if value.isEmpty {
                if keepsEmpty, row.emptyTexts.contains(index) { addEmpty(name, to: &entry) }
                continue
            }
            switch name {
            case ItemField.id:
                let key = collection == .items ? ImportKey.uuid(value) : ImportKey.any(.text(value))
                guard let key else {
                    return .rejected(line: row.line, reason: ImportKey.malformed(value))
                }
                entry.key = key
            case ItemField.createdAt: date = value
            case ItemField.tags where collection == .items: entry.add(tags: TagList.tags(value))
            default: entry.add(name, text: value)
            }
        }
        if collection == .items {
            entry.setDate(date, orImportTime: importTime)
            return entry.checkedAsItem
        }
        if let date { entry.addDateOrText(date) }
        return .entry(entry)
    }

    /// Whether a row of `items` was in a store, and comes back as it was there.
    private func hasKey(_ row: CSVReader.Row) -> Bool {
        zip(header, row.fields).contains { $0 == ItemField.id && !$1.isEmpty }
    }

    /// Adds a field of which the file says that it is there, and empty.
    private func addEmpty(_ name: String, to entry: inout ImportEntry) {
        switch name {
        case ItemField.id: break
        case ItemField.createdAt where collection == .items: break
        case ItemField.tags where collection == .items:
            entry.fields.append(RecordField(name, .array([])))
        default: entry.fields.append(RecordField(name, .text("")))
        }
    }

    private func serviceItem(
        _ service: CSVService, _ row: CSVReader.Row, _ entry: inout ImportEntry,
        _ importTime: Timestamp
    ) -> ImportItem {
        let cells = Dictionary(zip(header, row.fields)) { first, _ in first }
        for name in ItemField.content {
            entry.add(name, text: service.columns[name].flatMap { cells[$0] })
        }
        if let column = service.columns[ItemField.tags], let cell = cells[column] {
            entry.add(tags: service.tags(cell))
        }
        entry.setDate(
            service.columns[ItemField.createdAt].flatMap { cells[$0] }, orImportTime: importTime)
        entry.add(ItemField.folder, text: service.columns[ItemField.folder].flatMap { cells[$0] })
        for (name, value) in zip(header, row.fields) where service.kept.contains(name) {
            entry.add(name, text: value)
        }
        return entry.checkedAsItem
    }
}
