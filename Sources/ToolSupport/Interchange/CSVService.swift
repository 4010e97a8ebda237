/// The CSV exports of services, told apart by their columns.
struct CSVService: Sendable {
    /// Columns without which it is another file.
    let required: Set<String>
    /// Columns that some versions have; with any other it is another file.
    let optional: Set<String>
    /// Their columns for our fields.
    let columns: [String: String]
    /// Columns that are carried over under their own names.
    var kept: Set<String> = []
    let tags: @Sendable (String) -> [String]

    func isOrigin(of header: Set<String>) -> Bool {
        required.isSubset(of: header) && header.isSubset(of: required.union(optional))
    }

    static let all = [pocket, instapaper, raindrop]

    /// The status, unread or archive, is what its other export has as headings.
    static let pocket = CSVService(
        required: ["title", "url", "time_added", "tags", "status"], optional: [],
        columns: [
            "url": "url", "title": "title", "tags": "tags", "createdAt": "time_added",
            "folder": "status",
        ],
        tags: { TagList.split($0, at: "|,") })

    /// Tags are a JSON array.
    static let instapaper = CSVService(
        required: ["URL", "Title", "Selection", "Folder"], optional: ["Timestamp", "Tags"],
        columns: [
            "url": "URL", "title": "Title", "text": "Selection", "tags": "Tags",
            "createdAt": "Timestamp", "folder": "Folder",
        ],
        tags: { cell in
            var parser = JSONParser(ByteSource(Array(cell.utf8)))
            guard let array = (try? parser.document())?.array else {
                return TagList.split(cell, at: ",")
            }
            return array.compactMap(\.string)
        })

    /// Its id is a number of its own.
    static let raindrop = CSVService(
        required: ["url", "title", "note", "tags", "created"],
        optional: ["id", "excerpt", "folder", "cover", "highlights", "favorite"],
        columns: [
            "url": "url", "title": "title", "text": "note", "tags": "tags", "createdAt": "created",
            "folder": "folder",
        ],
        kept: ["excerpt", "cover", "highlights", "favorite"],
        tags: { TagList.split($0, at: ",") })
}
