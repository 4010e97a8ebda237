import Testing

@testable import GroupLog

/// What a table view has that takes up the updates of results by their differences, and checks them.
final class ResultsMirror {
    private let source: ResultsSource<Bookmark>
    private(set) var rows: [Bookmark] = []
    private(set) var updateCount = 0
    /// The events of all updates.
    private(set) var eventCount = 0

    init(
        _ store: Store, limit: Int = .max, filter: (@Sendable (Bookmark) -> Bool)? = nil
    ) {
        source = ResultsSource(store.engine, ResultsQuery(filter: filter, limit: limit))
    }

    /// Has the results look for changes, and takes up what they tell.
    @discardableResult
    func look(_ comment: Comment = "") -> [ResultsUpdate<Bookmark>] {
        source.refreshAndWait()
        return take(comment)
    }

    /// Has the results evaluate anew, and takes up what they tell.
    @discardableResult
    func reload(_ comment: Comment = "") -> [ResultsUpdate<Bookmark>] {
        _ = source.reloadAndWait()
        return take(comment)
    }

    private func take(_ comment: Comment) -> [ResultsUpdate<Bookmark>] {
        var updates: [ResultsUpdate<Bookmark>] = []
        while let update = source.takeUpdate() {
            rows = checkedRows(update, on: rows, comment)
            updateCount += 1
            eventCount += update.difference.count
            updates.append(update)
        }
        return updates
    }
}

/// The rows that an update gives, with a check of all that holds for updates.
func checkedRows(
    _ update: ResultsUpdate<Bookmark>, on rows: [Bookmark], _ comment: Comment = ""
) -> [Bookmark] {
    let (difference, list) = (update.difference, update.list)
    let result = difference.applying(to: rows, from: list)
    #expect(result == Array(list), comment)
    let ids =
        difference.insertions.map { list[$0].id } + difference.deletions.map { rows[$0].id }
        + difference.moves.map { list[$0.new].id } + difference.updates.map { list[$0.new].id }
    #expect(Set(ids).count == ids.count, comment)
    #expect(difference.moves.allSatisfy { $0.old != $0.new }, comment)
    #expect(difference.moves.allSatisfy { rows[$0.old].id == list[$0.new].id }, comment)
    #expect(difference.updates.allSatisfy { rows[$0.old].id == list[$0.new].id }, comment)
    return result
}
