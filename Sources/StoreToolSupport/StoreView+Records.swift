package import GroupLog
package import GroupLogFile
package import GroupLogFormat
package import ToolSupport

/// How far the upload of a record has come.
package enum SyncStatus: String, CaseIterable, Sendable {
    /// What is stored now has not been sent.
    case pending
    case synced
    /// The other side refused it for good.
    case failed
}

extension StoreView {
    /// The state of a record's upload. A record that was changed since it was sent is pending.
    package func syncStatus(
        of record: StoredRecord, in collection: ToolCollection, _ contexts: inout FrameContexts
    ) throws -> SyncStatus {
        try StoreError.translating(path) {
            let found = try index.findSyncState(record.key, in: collection.name, log: image)
            guard let found else { return .pending }
            let bytes = try self.record(at: found, &contexts).value
            let state = try SyncStateContent.decode(unsafe bytes.span.bytes)
            guard state.sentSequence == record.sequence else { return .pending }
            switch state.state {
            case .pending: return .pending
            case .synced: return .synced
            case .failed: return .failed
            }
        }
    }

    /// The fields of a record as tools print them; the items have `syncStatus` behind the others.
    package func printedFields(
        of record: StoredRecord, in collection: ToolCollection, _ contexts: inout FrameContexts
    ) throws -> [RecordField] {
        var fields = try StoreError.translating(path) { try record.recordFields() }
        guard collection.isItems else { return fields }
        let status = try syncStatus(of: record, in: collection, &contexts)
        fields.removeAll { $0.name == ItemField.syncStatus }
        fields.append(RecordField(ItemField.syncStatus, .text(status.rawValue)))
        return fields
    }
}

extension StoredRecord {
    /// The fields that are stored.
    package func recordFields() throws -> [RecordField] {
        try fields().map { RecordField($0.name, $0.value) }
    }
}

extension [RecordField] {
    /// The value of a field; of two with one name the last.
    package func value(of name: String) -> CBORValue? {
        last { ByteString($0.name) == ByteString(name) }?.value
    }

    /// Sets a field where it stands, or adds it.
    package mutating func set(_ field: RecordField) {
        if let place = lastIndex(where: { ByteString($0.name) == ByteString(field.name) }) {
            self[place] = field
        } else {
            append(field)
        }
    }

    /// As a collection takes them.
    package var forStoring: RecordCollection.Fields { map { ($0.name, $0.value) } }
}

extension CBORValue {
    /// How `cellText` begins: at least as much as a cell shows of it.
    package var cellBeginning: String {
        let most = Table.Cell.mostBytes
        switch self {
        case .array(let items) where items.allSatisfy({ $0.text != nil }):
            var texts: [String] = []
            var left = most
            for item in items where left > 0 {
                let text = (item.text ?? "").beginning(ofAtMost: most)
                texts.append(text)
                left -= text.utf8.count + 1
            }
            return texts.joined(separator: ", ")
        case .array, .map, .bytes: return JSONWriter.beginning { $0.value(self) }
        default: return cellText.beginning(ofAtMost: most)
        }
    }

    /// The value in a cell of a table: texts, dates and lists of texts as people write them, the
    /// rest as JSON.
    package var cellText: String {
        if let text { return text }
        if let date = timestamp?.text { return date }
        switch self {
        case .null: return ""
        case .array(let items) where items.allSatisfy({ $0.text != nil }):
            return items.compactMap(\.text).joined(separator: ", ")
        default:
            var writer = JSONWriter()
            writer.value(self)
            return writer.text
        }
    }
}
