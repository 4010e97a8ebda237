import GroupLogFormat

/// The records of a results list in their order, with what lies behind its limit in reserve.
///
/// Invariants: `places` and `models` are side by side, and `known` has the same records by their keys.
/// `boundary` is nil where these are all records that match the query; otherwise they are all that
/// match up to that place, and none behind it.
struct SortedResults<M: Model>: Sendable {
    /// A record that was another before, or is another now.
    struct Change: Sendable {
        var key: RecordKey
        /// nil where the record does not belong to the results any more.
        var record: ResultsRecord<M>?
    }

    /// What is known of a record beside its model.
    struct Known: Sendable {
        var createdAt: Double
        var creation: UInt64
        var hash: Int

        init(_ record: ResultsRecord<M>) {
            createdAt = record.place.createdAt
            creation = record.place.creation
            hash = record.hash
        }
    }

    private(set) var models = ResultsList<M>()
    private var places = ResultsList<ResultsPlace>()
    private(set) var known: [RecordKey: Known] = [:]
    private(set) var boundary: ResultsPlace?

    var count: Int { places.count }

    /// The place of a record that is among the results.
    func place(of key: RecordKey) -> ResultsPlace? {
        known[key].map {
            ResultsPlace(createdAt: $0.createdAt, creation: $0.creation, key: key)
        }
    }

    /// Whether a record is in the results just so.
    func has(_ place: ResultsPlace, hash: Int) -> Bool {
        self.place(of: place.key) == place && known[place.key]?.hash == hash
    }

    /// How many records there would be after some changes.
    func count(after changes: [Change]) -> Int {
        changes.reduce(count) { count, change in
            count - (known[change.key] == nil ? 0 : 1) + (change.record == nil ? 0 : 1)
        }
    }

    /// Brings the results up to date with one change for each record that has one, and says what that
    /// means for the list of the first `limit`. What does not fit into `capacity` is let go.
    ///
    /// Costs what the changes and the chunks cost that these hit.
    mutating func apply(
        _ changes: [Change], boundary newBoundary: ResultsPlace?, _ query: ResultsQuery<M>
    ) -> ResultsDifference {
        boundary = newBoundary
        var removals: [Int] = []
        var indexes: [ResultsChange] = []
        indexes.reserveCapacity(changes.count)
        for change in changes {
            let old = place(of: change.key)
            let index = old.map { old in places.lowerBound { $0 < old } }
            if let index { removals.append(index) }
            let isReordered = old != change.record?.place
            indexes.append(ResultsChange(old: index, new: nil, isReordered: isReordered))
        }
        removals.sort()
        let targets = targets(of: changes, removals)
        for (position, index) in targets { indexes[position].new = index }
        let records = targets.map { (position, index) in (index, changes[position].record) }
        let oldCount = count
        models = models.edited(
            removing: removals,
            inserting: records.compactMap { index, record in record.map { (index, $0.model) } })
        places = places.edited(
            removing: removals,
            inserting: records.compactMap { index, record in record.map { (index, $0.place) } })
        for change in changes { known[change.key] = change.record.map(Known.init) }
        let difference = ResultsDifference(
            indexes, oldCount: oldCount, newCount: count, limit: query.limit)
        trim(to: query.capacity)
        return difference
    }

    /// Where the changed records go: the positions of their changes, with their new indexes,
    /// ascending.
    private func targets(
        of changes: [Change], _ removals: [Int]
    ) -> [(position: Int, index: Int)] {
        let arriving = changes.enumerated()
            .compactMap { position, change in change.record.map { (position, $0.place) } }
            .sorted { $0.1 < $1.1 }
        return arriving.enumerated().map { order, arrival in
            let (position, place) = arrival
            let before = places.lowerBound { $0 < place }
            let removed = removals.partitioningIndex { $0 >= before }
            return (position, before - removed + order)
        }
    }

    private mutating func trim(to capacity: Int) {
        guard count > capacity else { return }
        for place in places[capacity...] { known[place.key] = nil }
        boundary = places[capacity - 1]
        models = models.first(capacity)
        places = places.first(capacity)
    }
}
