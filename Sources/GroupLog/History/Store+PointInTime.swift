import GroupLogFile
package import GroupLogFormat

/// Earlier states, as far back as the log still has them.
extension Store {
    /// The state of the store as it was right after a commit.
    ///
    /// Reads the log up to there, however often it is called. Earlier than the last compaction there
    /// is nothing to go back to.
    ///
    /// - Parameter sequence: the commit's; 0 for the state before the first one.
    /// - Throws: `StoreError`, with the code ``StoreError/Code/historyTooOld`` where a compaction has
    ///   left only the newest records, and ``StoreError/Code/historyFuture`` for a commit that is yet
    ///   to come.
    public func view(at sequence: UInt64) throws -> StoreView {
        let now = try engine.upToDateReader()
        return try StoreError.translating(path) {
            guard sequence <= now.sequence else {
                throw StoreError(
                    .historyFuture, "'\(path)' has come to commit \(now.sequence)", path: path)
            }
            let first = try StoreView(now, path: path).firstState()
            guard sequence >= first else {
                throw StoreError(
                    .historyTooOld,
                    "'\(path)' was compacted at commit \(first): earlier states are gone",
                    path: path)
            }
            return StoreView(try now.state(at: sequence), path: path)
        }
    }

    /// All that the log still has of a record: what it was made with, each change, and its end, the
    /// oldest first. A compaction leaves the last of them.
    ///
    /// Goes through the whole log.
    /// - Throws: `StoreError`.
    public func history<M: Model>(of id: M.ID, in type: M.Type) throws -> [Change] {
        let view = try view()
        return try StoreError.translating(path) {
            try view.changes(of: try id.requiredKey(), in: M.collection)
        }
    }
}

extension StoreView {
    /// The sequence of the earliest state that can be told.
    fileprivate func firstState() throws -> UInt64 {
        guard index.mark != nil else { return 0 }
        // What an unreadable mark said is not known: the state of now is the only one.
        return try mark()?.lastSequence ?? sequence
    }

    /// The changes of a key, found by walking the log.
    package func changes(of key: RecordKey, in collection: String) throws -> [Change] {
        var changes: [Change] = []
        try forEachRecord(of: key, in: collection) { record in
            let before = changes.last?.record
            changes.append(Change(record) { _ in before })
        }
        return changes
    }

    /// Walks the log, and visits the puts and deletes of a key.
    func forEachRecord(
        of key: RecordKey, in collection: String, _ visit: (StoredRecord) throws -> Void
    ) throws {
        let collection = ByteString(collection)
        var walker = LogWalker(BufferedLogBytes(image), salt: header.salt)
        while walker.position < end {
            switch try walker.next() {
            case .frame(let content):
                let source = walker.source
                try source.withBytes(content.offset..<content.end) { bytes in
                    let context = FrameContexts.Context(header: content.header, head: content.head)
                    for record in content.records
                    where [.put, .delete].contains(record.kind)
                        && record.keyKind == key.kind.rawValue
                        && bytes.equals(record.key, key.bytes)
                        && content.collection(of: record).map(ByteString.init) == collection
                    {
                        let offset = content.offset + UInt64(record.range.lowerBound)
                        if let stored = StoredRecord(bytes, record, at: offset, context: context) {
                            try visit(stored)
                        }
                    }
                }
            case .damage: continue
            case .unfinished, .end: return
            }
        }
    }
}
