import GroupLogFile
import GroupLogFormat

/// Keeps the results of one query up to date with the states of a store that it is shown.
///
/// A state that goes on from the one before costs what was committed in between. Any other is evaluated
/// anew, and compared with what was known record by record: of a record that is the same neither the
/// model is decoded again nor the filter asked.
struct ResultsEvaluator<M: Model>: Sendable {
    private let query: ResultsQuery<M>
    private var results = SortedResults<M>()
    /// The state that the results are of; nil before the first.
    private var position: LogPosition?
    /// Records of the collection that are damaged, or none of this model; with a limit those that were
    /// come upon.
    private(set) var unreadable: Set<RecordKey> = []

    /// Changes of so many records are looked up one by one, however few others there are.
    private static var fewChanges: Int { 256 }

    init(_ query: ResultsQuery<M>) { self.query = query }

    /// What the list shows.
    var list: ResultsList<M> { results.models.first(query.limit) }

    /// Takes up a state of the store, and says how the list became another. What throws leaves
    /// everything as it was.
    mutating func update(to view: StoreView, anew: Bool = false) throws -> ResultsDifference {
        if !anew, view.position == position { return ResultsDifference() }
        if !anew, let position, let keys = try view.keysChanged(in: M.collection, since: position),
            keys.count <= max(Self.fewChanges, view[M.self].count() / 2),
            let difference = try update(keys, in: view)
        {
            self.position = view.position
            return difference
        }
        let difference = try evaluate(view)
        position = view.position
        return difference
    }

    // MARK: What was committed since

    /// Looks up the records that may have changed. Nil where that does not tell which records are in
    /// the list now, since others come up from behind the reserve.
    private mutating func update(
        _ keys: Set<RecordKey>, in view: StoreView
    ) throws -> ResultsDifference? {
        var reader = RecordReader(view, query)
        var changes: [SortedResults<M>.Change] = []
        var unreadable = unreadable
        for key in keys {
            unreadable.remove(key)
            var record: ResultsRecord<M>?
            switch try reader.record(of: key, unlessIn: results) {
            case .same: continue
            case .unreadable: unreadable.insert(key)
            case .record(let found): record = found
            case .none: break
            }
            if record != nil || results.place(of: key) != nil {
                changes.append(.init(key: key, record: record))
            }
        }
        if results.boundary != nil, results.count(after: changes) < query.limit { return nil }
        if reader.sawDamage { try view.checkNotOverwritten() }
        self.unreadable = unreadable
        return results.apply(changes, boundary: results.boundary, query)
    }

    // MARK: Everything

    private mutating func evaluate(_ view: StoreView) throws -> ResultsDifference {
        // Without a filter the first of all records are those of the results, if they can be read.
        var scan = try scan(view, limit: query.filter == nil ? query.capacity : .max)
        if scan.boundary != nil, scan.matching.count < query.capacity {
            scan = try self.scan(view, limit: .max)
        }
        for key in results.known.keys where !scan.matching.contains(key) {
            scan.changes.append(.init(key: key, record: nil))
        }
        unreadable = scan.unreadable
        return results.apply(scan.changes, boundary: scan.boundary, query)
    }

    /// What a look at all records found.
    private struct Scan {
        var matching: Set<RecordKey> = []
        /// Those of the matching records that are not in the results as they are.
        var changes: [SortedResults<M>.Change] = []
        var unreadable: Set<RecordKey> = []
        /// See `SortedResults`.
        var boundary: ResultsPlace?
    }

    /// Looks at the first records of the collection, until there are enough that match.
    private func scan(_ view: StoreView, limit: Int) throws -> Scan {
        var scan = Scan()
        var reader = RecordReader(view, query)
        let positions = try view.newestFirst(in: M.collection, limit: limit) { offset, error in
            guard error.kind != .truncated else { throw error }
            reader.sawDamage = true
            scan.unreadable.insert(try view.unverifiedKey(at: offset))
        }
        var last: ResultsPlace?
        var isWhole = positions.count < limit
        for position in positions {
            if scan.matching.count == query.capacity {
                isWhole = false
                break
            }
            let found = try reader.record(at: position.offset, unlessIn: results) { place in
                last = place
                return true
            }
            switch found {
            case .same(let key): scan.matching.insert(key)
            case .unreadable: scan.unreadable.insert(try view.unverifiedKey(at: position.offset))
            case .record(let record):
                scan.matching.insert(record.place.key)
                scan.changes.append(.init(key: record.place.key, record: record))
            case .none: break
            }
        }
        if reader.sawDamage { try view.checkNotOverwritten() }
        scan.boundary = isWhole ? nil : last
        return scan
    }
}

/// Reads of one state of a store the records that a query asks for.
private struct RecordReader<M: Model> {
    enum Found {
        /// There is no such record, or it does not match.
        case none
        /// It is in the results as it is.
        case same(RecordKey)
        /// It is damaged, or none of this model.
        case unreadable
        /// It is in the results with another value or in another place, or new.
        case record(ResultsRecord<M>)
    }

    private let view: StoreView
    private let query: ResultsQuery<M>
    private var contexts: FrameContexts
    /// Whether something was damaged, as also shows where another log is being written over this one.
    var sawDamage = false

    init(_ view: StoreView, _ query: ResultsQuery<M>) {
        self.view = view
        self.query = query
        contexts = view.contexts()
    }

    /// The record of a key, if it stands where the results are known.
    mutating func record(
        of key: RecordKey, unlessIn results: SortedResults<M>
    ) throws -> Found {
        guard case .live(let offset) = try view.find(key, in: M.collection) else { return .none }
        let boundary = results.boundary
        return try record(at: offset, unlessIn: results) { place in
            boundary.map { !($0 < place) } ?? true
        }
    }

    /// The record at an offset, if its place is one that is wanted.
    mutating func record(
        at offset: UInt64, unlessIn results: SortedResults<M>,
        isWanted: (ResultsPlace) -> Bool
    ) throws -> Found {
        let stored: StoredRecord
        do {
            stored = try view.record(at: offset, &contexts)
        } catch let error as FormatError where error.kind != .truncated {
            sawDamage = true
            return .unreadable
        }
        let place = ResultsPlace(stored)
        guard isWanted(place) else { return .none }
        let hash = stored.contentHash
        if results.has(place, hash: hash) { return .same(place.key) }
        let model: M
        do {
            model = try stored.model(M.self)
        } catch {
            // Whatever the model's own coding throws.
            return .unreadable
        }
        if let filter = query.filter, !filter(model) { return .none }
        return .record(ResultsRecord(place: place, hash: hash, model: model))
    }
}
