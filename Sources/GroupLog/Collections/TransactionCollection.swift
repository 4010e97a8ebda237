import GroupLogFile
import GroupLogFormat

/// The records of one model inside a transaction. Made by `transaction[Bookmark.self]`.
///
/// Reads see the transaction's own writes, and make the transaction run again where another process
/// changes what was read before it is committed. Nothing is written before the closure has returned.
public struct TransactionCollection<M: Model> {
    let transaction: Transaction

    /// The record with an id, or nil.
    ///
    /// - Throws: `StoreError`, or `DecodingError` where the record is not of this model.
    public func get(_ id: M.ID) throws -> M? {
        try transaction.record(try id.requiredKey(), in: M.collection)?.model(M.self)
    }

    /// All records, newest first; with it the transaction depends on the whole collection. Records
    /// that the transaction itself wrote come first.
    ///
    /// - Throws: `StoreError`, or `DecodingError` where a record is not of this model.
    public func all() throws -> [M] {
        transaction.noteListing(of: M.collection)
        let pending = transaction.pendingWrites(in: M.collection)
        let written = try pending.filter(\.value).keys.sorted().compactMap {
            try transaction.record($0, in: M.collection)?.model(M.self)
        }
        var contexts = transaction.view.contexts()
        let others = try transaction.view.newestFirst(in: M.collection)
            .compactMap { position in
                let record = try transaction.view.record(at: position.offset, &contexts)
                return pending[record.key] == nil ? try record.model(M.self) : nil
            }
        return written + others
    }

    /// Adds a record whose id must not exist yet.
    ///
    /// - Throws: `StoreError`, with the code ``StoreError/Code/exists`` where the id is taken.
    public func insert(_ model: M) throws {
        guard try transaction.record(try model.id.requiredKey(), in: M.collection) == nil else {
            throw StoreError(.exists, "'\(M.collection)' has a record with the id \(model.id)")
        }
        try put(model)
    }

    /// Stores a record, in place of the one with its id where there is one. Where that is the same
    /// already, nothing is written.
    ///
    /// - Throws: `StoreError`, or what the model's coding throws.
    public func put(_ model: M) throws {
        try transaction.put(try model.id.requiredKey(), in: M.collection) {
            try $0.content(of: model)
        }
    }

    /// Reads a record, changes it and stores it.
    ///
    /// - Returns: the record as this transaction stores it.
    /// - Throws: `StoreError`, with the code ``StoreError/Code/notFound`` where there is no such
    ///   record and ``StoreError/Code/invalidValue`` where `change` gave it another id; or what
    ///   `change` throws.
    @discardableResult
    public func update(_ id: M.ID, _ change: (inout M) throws -> Void) throws -> M {
        guard var model = try get(id) else {
            throw StoreError(.notFound, "'\(M.collection)' has no record with the id \(id)")
        }
        try change(&model)
        guard try model.id.requiredKey() == id.requiredKey() else {
            throw StoreError(.invalidValue, "an update must not change the id of a record")
        }
        try put(model)
        return model
    }

    /// Removes a record.
    ///
    /// - Returns: whether there was one.
    /// - Throws: `StoreError`.
    @discardableResult
    public func delete(_ id: M.ID) throws -> Bool {
        try transaction.delete(try id.requiredKey(), in: M.collection)
    }
}

extension Transaction {
    /// The records of a model.
    public subscript<M: Model>(_ type: M.Type) -> TransactionCollection<M> {
        TransactionCollection(transaction: self)
    }
}
