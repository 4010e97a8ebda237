import GroupLogFile
import GroupLogFormat

/// The values by name inside a transaction. Made by `transaction.keyValues`.
///
/// Reads see the transaction's own writes, and make the transaction run again where another process
/// changes what was read.
public struct TransactionKeyValues {
    let transaction: Transaction

    /// The value of a key, or nil where it has none.
    ///
    /// - Throws: `StoreError`, or `DecodingError` where the value is of another type.
    public func get<T: Decodable>(_ key: String, as type: T.Type = T.self) throws -> T? {
        let key = try key.requiredKey()
        return try transaction.record(key, in: KeyValues.collection).map {
            try unsafe RecordDecoder().decodeValue(type, from: $0.value.span.bytes)
        }
    }

    /// Sets the value of a key.
    ///
    /// - Throws: `StoreError`, or `EncodingError`.
    public func set(_ value: some Encodable, forKey key: String) throws {
        let bytes = try RecordEncoder().encodeValue(value)
        try transaction.put(try key.requiredKey(), in: KeyValues.collection) { _ in
            FrameBuilder.Content(bytes: bytes, isIndexed: false)
        }
    }

    /// Removes the value of a key.
    ///
    /// - Returns: whether it had one.
    @discardableResult
    public func remove(_ key: String) throws -> Bool {
        try transaction.delete(try key.requiredKey(), in: KeyValues.collection)
    }
}

extension Transaction {
    /// Values by name.
    public var keyValues: TransactionKeyValues { TransactionKeyValues(transaction: self) }
}
