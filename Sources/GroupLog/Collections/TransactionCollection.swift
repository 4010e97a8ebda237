import GroupLogFile
import GroupLogFormat

/// The records of one model inside a transaction. Made by `transaction[Bookmark.self]`.
///
/// Reads see the transaction's own writes.
public struct TransactionCollection<M: Model> {
    let transaction: Transaction

    /// The record with an id, or nil.
    public func get(_ id: M.ID) throws -> M? {
        try transaction.record(try id.requiredKey(), in: M.collection)?.model(M.self)
    }

    /// All records, newest first; with it the transaction depends on the whole collection. Records
    /// that the transaction itself wrote come first.
    public func all() throws -> [M] {
        transaction.noteListing(of: M.collection)
        let pending = transaction.pendingWrites(in: M.collection)
        let written = try pending.filter(\.value).keys.sorted().compactMap {
            try transaction.record($0, in: M.collection)?.model(M.self)
        }
        var contexts = transaction.view.contexts()
        let others = try transaction.view.newestFirst(in: M.collection)
            .filter { pending[$0.key] == nil }
            .map { try transaction.view.record(at: $0.offset, &contexts).model(M.self) }
        return written + others
    }

    /// Adds a record whose id must not exist yet.
    ///
    /// - Throws: `StoreError.Code.exists`.
    public func insert(_ model: M) throws {
        guard try transaction.record(try model.id.requiredKey(), in: M.collection) == nil else {
            throw StoreError(.exists, "'\(M.collection)' has a record with the id \(model.id)")
        }
        try put(model)
    }

    /// Stores a record, in place of the one with its id where there is one.
    public func put(_ model: M) throws {
        try transaction.put(try model.id.requiredKey(), in: M.collection) {
            try $0.content(of: model)
        }
    }

    /// Reads a record, changes it and stores it.
    ///
    /// - Throws: `StoreError.Code.notFound`, or what `change` throws.
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
