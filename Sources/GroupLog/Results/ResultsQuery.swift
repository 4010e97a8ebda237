/// What a results list shows: which records of a collection, and how many of them, newest first.
struct ResultsQuery<M: Model>: Sendable {
    /// Which records are in the list; nil for all.
    var filter: (@Sendable (M) -> Bool)?
    /// How many it shows at most.
    var limit: Int

    init(filter: (@Sendable (M) -> Bool)? = nil, limit: Int = .max) {
        self.filter = filter
        self.limit = Swift.max(0, limit)
    }

    /// How many records are kept: with those behind the limit a deletion is made up for without a
    /// scan.
    var capacity: Int {
        let (capacity, isOverflow) = limit.addingReportingOverflow(Swift.max(limit, 64))
        return isOverflow ? .max : capacity
    }
}
