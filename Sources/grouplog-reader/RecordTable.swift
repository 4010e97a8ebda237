import GroupLogFormat
import GroupLogSystem
import StoreToolSupport
import ToolSupport

/// Records as the rows of a table, one line each.
struct RecordTable: ~Copyable {
    private var table: Table
    private let isItems: Bool

    init(of collection: ToolCollection, on output: Output) {
        isItems = collection.isItems
        let columns: [Table.Column] =
            isItems
            ? [
                .init("id"), .init("created"), .init("title", shrinks: true),
                .init("url", shrinks: true), .init("tags", shrinks: true), .init("sync"),
            ] : [.init("id"), .init("created"), .init("fields", shrinks: true)]
        table = Table(columns, on: output)
    }

    mutating func add(
        _ key: RecordKey, _ fields: [RecordField]
    ) throws(StandardStream.Failure) {
        let id = Table.Cell(KeyText.text(key))
        let created = Table.Cell(fields.creationCell)
        guard isItems else {
            return try table.add([id, created, .init(fields.otherFieldsCell)])
        }
        let status = fields.value(of: ItemField.syncStatus)?.text ?? ""
        try table.add([
            id, created, .init(fields.titleCell), .init(fields.cell(ItemField.url)),
            .init(fields.cell(ItemField.tags)), .init(status, SyncStatus.colour(of: status)),
        ])
    }

    mutating func finish() throws(StandardStream.Failure) { try table.finish() }
}

extension [RecordField] {
    func cell(_ name: String) -> String { value(of: name)?.cellBeginning ?? "" }

    /// The title, or how the text begins where there is none.
    var titleCell: String {
        let title = cell(ItemField.title)
        return title.isEmpty ? beginning(of: cell(ItemField.text)) : title
    }

    /// The day and the second in UTC. A table is for looking; JSON has the exact instant.
    fileprivate var creationCell: String {
        let text = cell(ItemField.createdAt)
        guard value(of: ItemField.createdAt)?.timestamp != nil, text.utf8.contains(0x2E) else {
            return text
        }
        return text.prefix { $0 != "." } + "Z"
    }

    fileprivate var otherFieldsCell: String {
        JSONWriter.beginning { writer in
            writer.beginObject()
            for field in self where field.name != ItemField.createdAt {
                writer.field(field.name, field.value)
            }
            writer.endObject()
        }
    }

    private func beginning(of text: String) -> String {
        let most = 80
        let start = text.prefix(most)
        return start.endIndex == text.endIndex ? text : start + "…"
    }
}

extension SyncStatus {
    fileprivate static func colour(of text: String) -> Style.Colour? {
        switch SyncStatus(rawValue: text) {
        case .pending: .yellow
        case .synced: .green
        case .failed: .red
        case nil: nil
        }
    }
}
