import Foundation
import GroupLog

/// What a screen with a list of bookmarks is made from; its view shows `results.items`.
@MainActor
final class BookmarkList {
    let results: FetchedResults<Bookmark>

    init(_ store: Store) { results = FetchedResults(store[Bookmark.self], limit: 500) }

    func delete(at indexes: IndexSet) throws { try results.delete(at: indexes) }
}
