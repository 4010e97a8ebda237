import GroupLogFile
package import GroupLogFormat

extension RecordCollection {
    /// What became of one entry of an import.
    package enum ImportOutcome: Hashable, Sendable {
        case added
        /// A record with this key is there, or one that `isDuplicate` recognised.
        case present
        /// The record was deleted here, and is left so.
        case deleted
        /// It cannot be stored, for this reason.
        case refused(String)
    }

    /// Adds those entries whose keys are not there yet, under one lock, so that two imports at once
    /// add nothing twice. Not a transaction. In lists, records of one date have the order of the
    /// entries: each counts as newer than the ones before it.
    ///
    /// - Parameters:
    ///   - isRevived: whether records that were deleted here come back.
    ///   - isDuplicate: whether an entry is there under another key, asked with the state that
    ///     holds while the lock is held, and with what became of the entries before it.
    /// - Returns: an outcome for each entry.
    package func importing(
        _ entries: [(key: RecordKey, fields: Fields)], isRevived: Bool = false,
        isDuplicate: (StoreView, [ImportOutcome]) throws -> Bool = { _, _ in false }
    ) throws -> [ImportOutcome] {
        try engine.checkNotInside()
        let (outcomes, commit) = try engine.commit { log in
            let view = try engine.view()
            var outcomes: [ImportOutcome] = []
            var added: Set<RecordKey> = []
            var frames = BulkFrames(author: engine.options.author)
            var order = ImportOrder()
            for entry in entries {
                var outcome = try view.outcome(
                    ofImporting: entry.key, to: name, isRevived: isRevived
                ) { try added.contains(entry.key) || isDuplicate(view, outcomes) }
                if outcome == .added {
                    do {
                        if !order.continues(with: entry.key, entry.fields) { frames.close() }
                        try add(entry.key, entry.fields, to: &frames)
                        added.insert(entry.key)
                    } catch let error as StoreError {
                        outcome = .refused(error.message)
                    }
                }
                outcomes.append(outcome)
            }
            try log.append(frames.take())
            return outcomes
        }
        try engine.settle(commit, nil)
        return outcomes
    }

    private func add(
        _ key: RecordKey, _ fields: Fields, to frames: inout BulkFrames
    ) throws {
        try StoreError.translating(engine.path) {
            try frames.add(key, in: name) {
                try $0.content(of: fields, declaring: fieldNames, in: name)
            }
        }
    }
}

extension StoreView {
    /// What would become of an entry, if it can be stored.
    package func outcome(
        ofImporting key: RecordKey, to collection: String, isRevived: Bool,
        isDuplicate: () throws -> Bool
    ) throws -> RecordCollection.ImportOutcome {
        switch try find(key, in: collection) {
        case .live: return .present
        case .deleted where !isRevived: return .deleted
        case .deleted, .absent: return try isDuplicate() ? .present : .added
        }
    }
}

/// Whether the records of one commit are listed in the order in which they were added, newest first.
///
/// Records of one date and one commit are listed by their keys, the smallest first. Where that is
/// not the order of the entries, a later commit has to tell which is the newer one.
private struct ImportOrder {
    /// The newest record of each date in this commit.
    private var newest: [Double?: RecordKey] = [:]

    /// Takes up a record; false where it has to begin another commit.
    mutating func continues(with key: RecordKey, _ fields: RecordCollection.Fields) -> Bool {
        let date = CreationDate.of(fields)
        let isOrdered = newest[date].map { key < $0 } ?? true
        if !isOrdered { newest = [:] }
        newest[date] = key
        return isOrdered
    }
}

extension CreationDate {
    /// The date of a record that is given by its fields, as lists see it; nil where it has none.
    fileprivate static func of(_ fields: RecordCollection.Fields) -> Double? {
        let value = fields.first { ByteString($0.name) == ByteString("createdAt") }?.value
        guard case .tagged(tag, .float(.double(let bits))) = value else { return nil }
        let date = Double(bitPattern: bits)
        return date.isNaN ? nil : date
    }
}
