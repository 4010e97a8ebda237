import GroupLogFile
import GroupLogFormat

/// Values by name, for what an app keeps in shared user defaults: settings, tokens, the last state.
/// Reached by `store.keyValues`; costs nothing to make.
///
/// The same guarantees as for records: a value that was set is there for every process at once, and
/// survives what the durability says. Keys are texts of 1 to 1,024 bytes, equal only when their bytes
/// are. To change several values at once, or values and records, use `transaction.keyValues`.
///
/// Every writing call exists twice, blocking and `async`, as those of ``ModelCollection`` do.
public struct KeyValues: Sendable {
    package static let collection = "$values"
    let engine: Engine

    /// The value of a key, or nil where it has none. Sees what others wrote.
    ///
    /// - Throws: `StoreError`, or `DecodingError` where the value is of another type.
    public func get<T: Decodable>(_ key: String, as type: T.Type = T.self) throws -> T? {
        let key = try key.requiredKey()
        let view = try engine.view()
        return try StoreError.translating(view.path) {
            try view.record(key, in: Self.collection).map {
                try unsafe RecordDecoder().decodeValue(type, from: $0.value.span.bytes)
            }
        }
    }

    /// Sets the value of a key. Setting what is set already writes nothing; in the role
    /// `.extension`, which reads nothing to write, it is written again.
    ///
    /// A value that is nil is a value too, and found as one by `keys()`; a key is made to have none
    /// by `remove`.
    ///
    /// - Throws: `StoreError`, or `EncodingError`.
    public func set(
        _ value: some Encodable, forKey key: String, durability: StoreOptions.Durability? = nil
    ) throws {
        let bytes = try RecordEncoder().encodeValue(value)
        let (_, commit) = try setting(bytes, forKey: key)
        try engine.settle(commit, durability)
    }

    /// Sets the value of a key, on the store's own thread.
    ///
    /// - Throws: `StoreError`, or `EncodingError`.
    public func set(
        _ value: some Encodable & Sendable, forKey key: String,
        durability: StoreOptions.Durability? = nil
    ) async throws {
        let bytes = try RecordEncoder().encodeValue(value)
        try await engine.asyncWriter.perform(engine, durability) { wait in
            try setting(bytes, forKey: key, wait: wait)
        }
    }

    /// Sets a key to a value that is CBOR already.
    func setting(
        _ bytes: [UInt8], forKey key: String,
        wait: QueuedWait = QueuedWait()
    ) throws -> ((), Commit?) {
        let key = try key.requiredKey()
        let content = FrameBuilder.Content(bytes: bytes, isIndexed: false)
        guard engine.options.role == .extension else {
            return try engine.transaction(wait: wait) { transaction in
                try transaction.put(key, in: Self.collection) { _ in content }
            }
        }
        try engine.checkNotInside()
        return try StoreError.translating(engine.path) {
            var builder = FrameBuilder(author: engine.options.author)
            try builder.append(kind: .put, collection: Self.collection, key: key, content: content)
            return try engine.commit(wait: wait) { try $0.append([builder]) }
        }
    }

    /// Removes the value of a key.
    ///
    /// - Returns: whether it had one.
    /// - Throws: `StoreError`.
    @discardableResult
    public func remove(
        _ key: String, durability: StoreOptions.Durability? = nil
    ) throws -> Bool {
        let key = try key.requiredKey()
        let (wasThere, commit) = try engine.transaction {
            try $0.delete(key, in: Self.collection)
        }
        try engine.settle(commit, durability)
        return wasThere
    }

    /// Removes the value of a key, on the store's own thread.
    ///
    /// - Returns: whether it had one.
    /// - Throws: `StoreError`.
    @discardableResult
    public func remove(
        _ key: String, durability: StoreOptions.Durability? = nil
    ) async throws -> Bool {
        let key = try key.requiredKey()
        return try await engine.asyncWriter.perform(engine, durability) { wait in
            try engine.transaction(wait: wait) {
                try $0.delete(key, in: Self.collection)
            }
        }
    }

    /// The keys that have values, sorted by their bytes.
    ///
    /// - Throws: `StoreError`.
    public func keys() throws -> [String] {
        let view = try engine.view()
        return try StoreError.translating(view.path) {
            try view.keys(in: Self.collection).compactMap(\.textValue)
        }
    }
}

extension Store {
    /// Values by name, beside the records.
    public var keyValues: KeyValues { KeyValues(engine: engine) }
}
