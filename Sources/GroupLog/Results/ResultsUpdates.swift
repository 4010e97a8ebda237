public import GroupLogFormat

/// A list of records, and how it became that.
public struct ResultsUpdate<M: Model>: Sendable {
    /// The records, newest first.
    public var list: ResultsList<M>
    /// How the list became another since the last update; in the first one all records are insertions.
    public var difference: ResultsDifference
    /// Why the list could not be brought up to date; nil where it is. What fails is tried again, and the
    /// next update without an error goes on from the list that was delivered last.
    public var error: StoreError?
    /// The keys of records that are left out, since they are damaged or cannot be decoded as the model.
    /// With a limit, or a filter and a limit, only those that were come upon.
    public var unreadable: Set<RecordKey>
}

/// The records of a model as they are, and then each time that they are others, whoever changed them.
///
/// ```swift
/// for await update in store[Bookmark.self].updates(limit: 50) {
///     print(update.list.count, update.difference.insertions)
/// }
/// ```
///
/// The first update has the list as it is, also an empty one, and comes at once. Each later one has what
/// happened since the one before: a consumer that takes its time gets fewer updates, and their
/// differences still go from list to list. A store that cannot be read for a moment, since it is being
/// replaced, is told once for each kind of failure, and does not end the sequence; cancelling its task
/// does. To see each commit follow the store's history instead.
///
/// Each loop works on its own, on the store's own thread, and keeps the records of its list. A change
/// costs what it changes, however long the list is.
public struct ResultsUpdates<M: Model>: AsyncSequence, Sendable {
    /// There is no error that ends the sequence.
    public typealias Failure = Never
    /// What the sequence gives.
    public typealias Element = ResultsUpdate<M>

    let engine: Engine
    let query: ResultsQuery<M>

    /// Begins with the list as it is.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(source: ResultsSource(engine, query))
    }

    /// Waits for one update after another.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let source: ResultsSource<M>

        /// What happened since the last update, as soon as anything did; nil when the task is cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async -> ResultsUpdate<M>? {
            while await source.hasUpdates() {
                if let update = source.takeUpdate() { return update }
            }
            return nil
        }
    }
}

extension ModelCollection {
    /// The records as they are, and then each time that they are others: newest first, of which at most
    /// `limit` are given.
    ///
    /// - Parameters:
    ///   - limit: how many records a list has at most. With a limit the store keeps twice as many, and
    ///     at least 64 more, in memory.
    ///   - filter: which records are in the list; it must depend on nothing but the record. It is asked on
    ///     the store's thread, once for each value of a record.
    public func updates(
        limit: Int = .max, filter: (@Sendable (M) -> Bool)? = nil
    ) -> ResultsUpdates<M> {
        ResultsUpdates(engine: engine, query: ResultsQuery(filter: filter, limit: limit))
    }
}
