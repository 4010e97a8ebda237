import Foundation
import GroupLog

struct Bookmark: Model {
    static let collection = "items"
    var id = UUID()
    var url: String?
    var title: String
    var createdAt = Date()

    struct Fields: FieldSet {
        let url = Field(CodingKeys.url, \Bookmark.url)
        let title = Field(CodingKeys.title, \Bookmark.title)
        let createdAt = Field(CodingKeys.createdAt, \Bookmark.createdAt)
    }
}

/// The share extension: appends, reads nothing, and may be killed at any moment.
func capture(url: String, title: String, into path: String) throws {
    let options = StoreOptions(role: .extension, author: "share-extension")
    let store = try Store(path: path, options: options)
    try store[Bookmark.self].append(Bookmark(url: url, title: title))
}

/// The app: lists, edits and deletes what any process captured.
func tidy(storeAt path: String) throws -> [Bookmark] {
    let store = try Store(path: path, options: StoreOptions(author: "app"))
    for bookmark in try store[Bookmark.self].newest(limit: 50) where bookmark.title.isEmpty {
        try store[Bookmark.self].update(bookmark.id) { $0.title = $0.url ?? "untitled" }
    }
    try store.keyValues.set(Date(), forKey: "tidied")
    return try store[Bookmark.self].newest(limit: 50)
}
