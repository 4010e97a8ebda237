import GroupLogFile
import GroupLogFormat

/// The records of one model in one state of a store. Made by `view[Bookmark.self]`.
///
/// What it gives does not change, whatever others write since; so several reads fit together.
public struct ViewCollection<M: Model>: Sendable {
    let view: StoreView

    /// The record with an id, or nil.
    ///
    /// - Throws: `StoreError`, or `DecodingError` where the record is not of this model.
    public func get(_ id: M.ID) throws -> M? {
        let key = try id.requiredKey()
        return try StoreError.translating(view.path) {
            guard case .live(let offset) = try view.find(key, in: M.collection) else { return nil }
            var contexts = view.contexts()
            return try view.model(M.self, at: offset, &contexts)
        }
    }

    /// How many records there are.
    public func count() -> Int {
        view.index.collections[ByteString(M.collection)]?.values.liveCount ?? 0
    }

    /// The records, newest first, of which `offset` are passed over and at most `limit` given. A
    /// negative offset or limit gives none.
    ///
    /// - Throws: `StoreError`, or `DecodingError` where a record is not of this model.
    public func newest(limit: Int = .max, offset: Int = 0) throws -> [M] {
        try StoreError.translating(view.path) {
            var contexts = view.contexts()
            return try view.newestFirst(in: M.collection, limit: limit, offset: offset).map {
                try view.model(M.self, at: $0.offset, &contexts)
            }
        }
    }
}

extension StoreView {
    /// The records of a model.
    public subscript<M: Model>(_ type: M.Type) -> ViewCollection<M> {
        ViewCollection(view: self)
    }
}
