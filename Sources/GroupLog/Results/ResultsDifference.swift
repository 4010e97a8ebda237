/// How a list became another one: at most one event a record.
///
/// Applied to the old list it gives the new one: first remove what ``deletions`` and the sources of
/// ``moves`` name, by the old indexes, from the back; then insert what ``insertions`` and the targets of
/// the moves name, by the new indexes, from the front; then replace what ``updates`` names. That is what
/// a table view does with a batch of changes. No move goes to the index that it comes from.
public struct ResultsDifference: Hashable, Sendable {
    /// A record that stands elsewhere, perhaps with another value.
    public struct Move: Hashable, Sendable {
        /// Its index in the old list.
        public var old: Int
        /// Its index in the new list.
        public var new: Int
    }

    /// A record with another value, which stands where it stood among those that stay.
    public struct Update: Hashable, Sendable {
        /// Its index in the old list.
        public var old: Int
        /// Its index in the new list.
        public var new: Int
    }

    /// The indexes in the new list of records that were not in the old one, ascending.
    public internal(set) var insertions: [Int] = []
    /// The indexes in the old list of records that are not in the new one, ascending.
    public internal(set) var deletions: [Int] = []
    /// The records that stand elsewhere, ascending by their new indexes. A move carries the record's
    /// new value, where that changed too. Where neighbours changed places, it may be either of them.
    public internal(set) var moves: [Move] = []
    /// The records with other values, ascending.
    public internal(set) var updates: [Update] = []

    /// The difference between two lists that are the same.
    public init() {}

    /// Whether nothing changed.
    public var isEmpty: Bool {
        insertions.isEmpty && deletions.isEmpty && moves.isEmpty && updates.isEmpty
    }

    /// How many events there are.
    public var count: Int { insertions.count + deletions.count + moves.count + updates.count }

    /// The indexes of the old list from which something goes away, ascending.
    private var removals: [Int] { (deletions + moves.map(\.old)).sorted() }

    /// The indexes of the new list to which something comes, ascending.
    private var additions: [Int] { (insertions + moves.map(\.new)).sorted() }
}

extension ResultsDifference {
    /// Makes the new list of the old one, and takes from the new list the elements that the difference
    /// names, and no others.
    ///
    /// For mirrors of a list in another form: `old` and `new` may be arrays of what is shown of the
    /// records. Traps where they are not the lists that the difference is between.
    public func applying<Element>(
        to old: [Element], from new: some RandomAccessCollection<Element>
    ) -> [Element] {
        func element(_ index: Int) -> Element { new[new.index(new.startIndex, offsetBy: index)] }
        var result: [Element] = []
        result.reserveCapacity(old.count + insertions.count)
        var (removals, additions) = (removals[...], additions[...])
        func add() {
            while additions.first == result.count {
                result.append(element(additions.removeFirst()))
            }
        }
        for (index, kept) in old.enumerated() {
            if removals.first == index {
                removals.removeFirst()
            } else {
                add()
                result.append(kept)
            }
        }
        add()
        for update in updates { result[update.new] = element(update.new) }
        precondition(
            removals.isEmpty && additions.isEmpty && result.count == new.count,
            "the difference is one between other lists")
        return result
    }

    /// The same as the standard library's type: a move is a removal and an insertion that are
    /// associated, and so is an update.
    public func collectionDifference<Element>(
        from old: ResultsList<Element>, to new: ResultsList<Element>
    ) -> CollectionDifference<Element> {
        typealias Change = CollectionDifference<Element>.Change
        func remove(_ index: Int, _ other: Int? = nil) -> Change {
            .remove(offset: index, element: old[index], associatedWith: other)
        }
        func insert(_ index: Int, _ other: Int? = nil) -> Change {
            .insert(offset: index, element: new[index], associatedWith: other)
        }
        var changes = deletions.map { remove($0) } + insertions.map { insert($0) }
        for move in moves { changes += [remove(move.old, move.new), insert(move.new, move.old)] }
        for update in updates {
            changes += [remove(update.old, update.new), insert(update.new, update.old)]
        }
        guard let difference = CollectionDifference(changes) else {
            preconditionFailure("at most one event a record makes a difference")
        }
        return difference
    }
}
