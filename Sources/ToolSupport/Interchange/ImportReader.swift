import GroupLogFormat

/// Reads a file of records, entry by entry.
///
/// An entry that cannot be used is given as rejected with its line, and the next one follows. An error ends the file: the
/// input cannot be read, or what follows cannot be told apart from the mistake; the entries before it have been given.
/// A file whose format, header or shape is not known is refused.
package struct ImportReader {
    private enum Input {
        case empty
        case lines(JSONLines)
        case elements(JSONElements)
        /// The entries of a document that had to be read whole.
        case document
        case rows(CSVReader, CSVMapping)
        case bookmarks(NetscapeReader)
    }

    /// The format as given or as found; nil for a file with nothing in it.
    package let format: InterchangeFormat?
    private var input: Input
    private var mapping: JSONMapping
    /// Entries of a document that have not been given yet, the next one last.
    private var pending: [JSONEntry] = []

    /// Looks at the beginning of the file.
    ///
    /// `importTime` is the date of the first of the `items` that have none. Each further one counts as a microsecond
    /// younger, so that they keep the order of the file.
    package init(
        _ source: ByteSource, format: InterchangeFormat? = nil, collection: ImportCollection,
        importTime: Timestamp
    ) throws(InterchangeError) {
        var cursor = ByteCursor(source)
        let start = try FormatDetection.start(at: &cursor)
        if let format { try FormatDetection.check(start, is: format) }
        if start.isEmpty {
            self.format = nil
        } else if let format {
            self.format = format
        } else {
            self.format = try FormatDetection.format(of: start, collection: collection)
        }
        // Rows may end with a CR alone, and only in CSV does it end lines.
        cursor.returnsEndLines = self.format == .csv
        mapping = JSONMapping(collection: collection, importTime: importTime)
        let depth = ExtendedJSON.depthLimit
        let size = JSONParser.usualSizeLimit
        switch self.format {
        case nil: input = .empty
        case .jsonl: input = .lines(JSONLines(cursor, depthLimit: depth))
        case .json:
            try cursor.skipByteOrderMark()
            var parser = JSONParser(cursor, depthLimit: depth, sizeLimit: size)
            try parser.skipBlanks()
            if try parser.cursor.peek() == UInt8(ascii: "[") {
                input = .elements(
                    JSONElements(
                        JSONParser(
                            parser.cursor, depthLimit: depth, sizeLimit: size, isRecord: true)))
            } else {
                let document = try parser.document()
                input = .document
                pending = ServiceTree.entries(
                    document, collection: collection, parser.warnings
                ).reversed()
            }
        case .csv:
            let reader = try CSVReader(cursor, delimiter: nil)
            let mapping = try CSVMapping(header: reader.header, collection: collection)
            input = .rows(reader, mapping)
        case .netscape: input = .bookmarks(NetscapeReader(cursor))
        }
    }

    /// The next entry; nil behind the last.
    package mutating func next() throws(InterchangeError) -> ImportItem? {
        let item = try nextItem()
        if case .entry(let entry) = item, entry.hasTimeOfImport {
            mapping.importTime = mapping.importTime.advanced(byMicroseconds: 1)
        }
        return item
    }

    private mutating func nextItem() throws(InterchangeError) -> ImportItem? {
        switch input {
        case .empty: return nil
        case .lines(var lines):
            defer { input = .lines(lines) }
            switch try lines.next() {
            case nil: return nil
            case .malformed(let error, let line):
                return .rejected(line: line, reason: error.withoutLine)
            case .value(let value, let line, let warnings):
                return mapping.item(JSONEntry(value: value, line: line, warnings: warnings))
            }
        case .elements(var elements):
            defer { input = .elements(elements) }
            guard let (line, value) = try elements.next() else { return nil }
            return mapping.item(
                JSONEntry(value: value, line: line, warnings: elements.parser.warnings))
        case .document: return pending.popLast().map(mapping.item)
        case .rows(var reader, let columns):
            defer { input = .rows(reader, columns) }
            return try reader.next().map { columns.item($0, importTime: mapping.importTime) }
        case .bookmarks(var reader):
            defer { input = .bookmarks(reader) }
            return try reader.next().map { $0.item(importTime: mapping.importTime) }
        }
    }
}

extension InterchangeError {
    /// For a place where the line is told anyhow.
    fileprivate var withoutLine: String {
        column.map { "column \($0): \(message)" } ?? message
    }
}

extension NetscapeEntry {
    fileprivate func item(importTime: Timestamp) -> ImportItem {
        if let problem { return .rejected(line: line, reason: problem) }
        var entry = ImportEntry(line: line)
        if let identifier {
            guard let key = ImportKey.uuid(identifier) else {
                return .rejected(line: line, reason: ImportKey.malformed(identifier))
            }
            entry.key = key
        }
        entry.add(ItemField.url, text: url)
        entry.add(ItemField.title, text: title)
        entry.add(ItemField.text, text: text)
        entry.add(tags: tags)
        entry.setDate(exactDate ?? addDate, orImportTime: importTime)
        if let folder { entry.fields.append(.init(ItemField.folder, .text(folder))) }
        if isPrivate { entry.fields.append(.init("private", .true)) }
        if let lastModified, let date = try? Timestamp(lastModified) {
            entry.fields.append(.init("lastModified", .date(date)))
        }
        if wasRepaired {
            entry.warn(.repairedText, "broken characters; U+FFFD stands in their place")
        }
        return entry.checkedAsItem
    }
}
