package import GroupLogFile
package import GroupLogFormat

/// The records of a collection by their fields, for programs that know no model: the tools.
package struct RecordCollection: Sendable {
    /// A record as it is written.
    package typealias Fields = [(name: String, value: CBORValue)]

    package let store: Store
    package let name: String
    /// The names that get the first indexes, as a model's declared fields do.
    package let fieldNames: [String]

    package init(_ store: Store, name: String, declaring fieldNames: [String]) {
        self.store = store
        self.name = name
        self.fieldNames = fieldNames
    }

    var engine: Engine { store.engine }

    /// Captures a record with a new key; reads nothing.
    package func append(_ key: RecordKey, _ fields: Fields) throws {
        try append(key, fields) { _ in }
    }

    /// Adds a record whose key must not exist yet.
    package func insert(_ key: RecordKey, _ fields: Fields) throws {
        // What is there already is read before the lock is taken.
        _ = try engine.view()
        try append(key, fields) { engine in
            if case .live = try engine.view().find(key, in: name) {
                throw StoreError(.exists, "'\(name)' has a record with the id \(key)")
            }
        }
    }

    /// Appends a record, if the check that is made with the lock held does not throw.
    private func append(
        _ key: RecordKey, _ fields: Fields, unless check: (Engine) throws -> Void
    ) throws {
        try engine.checkNotInside()
        let commit = try StoreError.translating(engine.path) {
            var builder = FrameBuilder(author: engine.options.author)
            let content = try builder.content(of: fields, declaring: fieldNames, in: name)
            try builder.append(kind: .put, collection: name, key: key, content: content)
            return try engine.commit { log in
                try check(engine)
                try log.append([builder])
            }.commit
        }
        try engine.settle(commit, nil)
    }

    /// Removes a record; gives false where there is none.
    package func delete(_ key: RecordKey) throws -> Bool {
        try store.transaction { try $0.delete(key, in: name) }
    }

    private func put(_ key: RecordKey, _ fields: Fields, _ transaction: Transaction) throws {
        try transaction.put(key, in: name) {
            try $0.content(of: fields, declaring: fieldNames, in: name)
        }
    }

    /// What `update` found.
    package enum UpdateOutcome: Hashable, Sendable {
        case changed
        /// The record has the same fields as before.
        case unchanged
        /// There is no such record.
        case unknown
    }

    /// Reads a record, changes its fields and stores it, in one step.
    package func update(
        _ key: RecordKey, _ change: (inout Fields) throws -> Void
    ) throws -> UpdateOutcome {
        try store.transaction { transaction in
            guard let record = try transaction.record(key, in: name) else { return .unknown }
            let before = try record.fields()
            var fields = before
            try change(&fields)
            let isSame = fields.elementsEqual(before) {
                ByteString($0.name) == ByteString($1.name) && $0.value == $1.value
            }
            if isSame { return .unchanged }
            try put(key, fields, transaction)
            return .changed
        }
    }

    // MARK: Bringing back what was deleted

    /// What `restore` found.
    package enum Restoration: Hashable, Sendable {
        case restored
        /// The record is not deleted.
        case live
        case unknown
        /// It is deleted, and its last value is no longer in the log.
        case gone
    }

    /// Makes a deleted record have its last value again, as a new commit. Looks through the log for
    /// that value.
    package func restore(_ key: RecordKey) throws -> Restoration {
        try store.transaction { transaction in
            switch try transaction.find(key, in: name) {
            case .absent: return .unknown
            case .live: return .live
            case .deleted: break
            }
            guard let record = try transaction.view.lastPut(key, in: name) else { return .gone }
            let fields = try record.fields()
            try put(key, fields, transaction)
            return .restored
        }
    }
}

extension StoreView {
    /// The last put of a key: mostly the one that its delete names, else found by walking the log.
    package func lastPut(_ key: RecordKey, in collection: String) throws -> StoredRecord? {
        var contexts = contexts()
        if case .deleted(let offset) = try find(key, in: collection) {
            let end = try record(at: offset, &contexts)
            let before = try image.predecessor(of: end, salt: header.salt, contexts: &contexts)
            if let before, before.kind == .put { return before }
        }
        var found: StoredRecord?
        try forEachRecord(of: key, in: collection) { if $0.kind == .put { found = $0 } }
        return found
    }
}

extension Store {
    /// The lock's last holder, as waiting writers are told it.
    package func lastHolder() -> LockHolder? { engine.volume.lastHolder() }

    /// What recovery has taken out of the log's way.
    package var quarantine: Quarantine { Quarantine(engine.volume) }

    /// Sets a key of the key-value side to a value that is CBOR already.
    package func setValue(_ bytes: [UInt8], forKey key: String) throws {
        let (_, commit) = try keyValues.setting(bytes, forKey: key)
        try engine.settle(commit, nil)
    }

    /// The CBOR of a key's value.
    package func value(forKey key: RecordKey) throws -> [UInt8]? {
        let view = try view()
        return try StoreError.translating(path) {
            try view.record(key, in: KeyValues.collection)?.value
        }
    }
}
