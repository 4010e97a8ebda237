public import GroupLogFormat
public import Observation

/// The records of a model as a user interface shows them: a list that stays right, whoever writes.
///
/// ```swift
/// @MainActor @Observable final class BookmarksModel {
///     let results: FetchedResults<Bookmark>
///     init(_ store: Store) { results = FetchedResults(store[Bookmark.self], limit: 500) }
/// }
/// ```
///
/// It belongs to the actor on which it is made, the main actor for a user interface, and is changed
/// nowhere else. Reading, decoding and comparing happen on the store's own thread; the actor receives
/// a list that is ready, so that it waits for no more than a reference. Changes are delivered in order, at most
/// once a frame of a screen with 60 Hz, with all that happened since.
///
/// A store that cannot be read for a moment is told in ``error``, and the list stays as it was until it
/// can be. The observation ends with the object, which does not keep its actor.
@Observable
public final class FetchedResults<M: Model> {
    /// The records, newest first; empty until they are loaded.
    public private(set) var items = ResultsList<M>()
    /// Whether the records were read once.
    public private(set) var isLoaded = false
    /// Why the list could not be brought up to date; nil where it is.
    public private(set) var error: StoreError?
    /// The keys of records that are left out, since they are damaged or cannot be decoded as the model.
    public private(set) var unreadable: Set<RecordKey> = []
    /// How the list became what it is from the one before.
    public private(set) var lastDifference = ResultsDifference()

    /// Called on the actor with each update, when ``items`` has its list: where a table view takes up
    /// the differences. Observation, which brings several changes together, may leave out some.
    @ObservationIgnored public var onUpdate: ((ResultsUpdate<M>) -> Void)?

    @ObservationIgnored let collection: ModelCollection<M>
    @ObservationIgnored let source: ResultsSource<M>
    @ObservationIgnored let sectionName: ((M) -> String)?
    @ObservationIgnored var knownSections: [ResultsSection<M>]?
    @ObservationIgnored private var observation: Task<Void, Never>?

    /// Begins to observe the records of a model, newest first, of which at most `limit` are shown.
    ///
    /// Returns at once; the records come when they are read.
    ///
    /// - Parameters:
    ///   - limit: how many records are shown at most.
    ///   - sectionName: the name of the section that a record is in, see ``sections``.
    ///   - filter: which records are shown; it must depend on nothing but the record. It is asked on the
    ///     store's thread.
    ///   - isolation: the actor to which the results belong; the one that the caller is on. Code that is
    ///     on no actor cannot make any. In the initializer of an actor this is so, and traps, until all
    ///     of its properties have values: let the results be an optional one.
    public convenience init(
        _ collection: ModelCollection<M>, limit: Int = .max,
        sectionedBy sectionName: ((M) -> String)? = nil,
        filter: (@Sendable (M) -> Bool)? = nil, isolation: isolated any Actor = #isolation
    ) {
        self.init(
            collection, ResultsQuery(filter: filter, limit: limit), sectionName, isolation)
    }

    private init(
        _ collection: ModelCollection<M>, _ query: ResultsQuery<M>,
        _ sectionName: ((M) -> String)?, _ isolation: isolated any Actor
    ) {
        self.collection = collection
        self.sectionName = sectionName
        source = ResultsSource(collection.engine, query)
        let observer = ResultsObserver(self, isolation)
        // In an actor's own initializer `#isolation` is nil at first, whatever its type says.
        precondition(
            observer.hasActor, "results are made on an actor, and not while that is being made")
        observation = Task { [source] in await observer.run(source) }
    }

    deinit { observation?.cancel() }

    /// Takes up what was found since, and gives back the lists that are shown no more.
    func takeUpdates() -> [ResultsList<M>] {
        var retired: [ResultsList<M>] = []
        while let update = source.takeUpdate() {
            retired.append(items)
            if !update.difference.isEmpty {
                items = update.list
                lastDifference = update.difference
                knownSections = nil
            }
            if error != nil || update.error != nil { error = update.error }
            if unreadable != update.unreadable { unreadable = update.unreadable }
            if !isLoaded, update.error == nil { isLoaded = true }
            onUpdate?(update)
        }
        return retired
    }
}

/// Brings what a source finds to the results, on their actor, for as long as there are any.
///
/// It keeps neither the results nor their actor, which may itself be what keeps them.
///
/// Sendable although it holds the results: they are reached only on their actor, in `deliver`.
private final class ResultsObserver<M: Model>: @unchecked Sendable {
    private weak var results: FetchedResults<M>?
    private weak var actor: (any Actor)?

    /// A frame of a screen with 60 Hz.
    private static var shortestPause: Duration { .milliseconds(16) }

    init(_ results: FetchedResults<M>, _ actor: any Actor) {
        self.results = results
        self.actor = actor
    }

    var hasActor: Bool { actor != nil }

    func run(_ source: ResultsSource<M>) async {
        while await source.hasUpdates() {
            guard let actor else { return }
            // What it gives back is freed here, and not on the actor.
            guard await deliver(actor) != nil else { return }
            do {
                try await Task.sleep(for: Self.shortestPause)
            } catch {
                // Cancelled, so that the loop ends.
                continue
            }
        }
    }

    private func deliver(_ actor: isolated any Actor) -> [ResultsList<M>]? {
        results?.takeUpdates()
    }
}
