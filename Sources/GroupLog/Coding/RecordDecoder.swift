import GroupLogFormat

/// Makes values of the CBOR that records hold: the counterpart of `RecordEncoder`.
///
/// Fields that a type does not ask for are passed over. Bytes that are not one well-formed item,
/// or a map with the same key twice, are corrupted data, and so is a number that the type asked
/// for does not hold exactly.
package struct RecordDecoder: Sendable {
    /// What the types' own `init(from:)` find as the decoder's user info.
    package var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    package init() {}

    /// Decodes a record's value.
    ///
    /// - Parameters:
    ///   - isIndexed: whether the keys are indexes into the frame's table of names.
    ///   - fields: fields that the record's key has, as CBOR; they take the place of those that
    ///     the value itself has by these names.
    ///   - nameAt: gives the name at an index of the table.
    package func decode<T: Decodable>(
        _ type: T.Type, from bytes: RawSpan, isIndexed: Bool,
        injecting fields: [(name: String, value: [UInt8])] = [],
        nameAt: (Int) throws -> String?
    ) throws -> T {
        try withoutActuallyEscaping(nameAt) { nameAt in
            let state = try DecodingState(
                bytes, nameAt: isIndexed ? nameAt : nil, injecting: fields, userInfo: userInfo)
            // A container that the value has kept must not keep the closure.
            defer { state.end() }
            return try DecodingPlace(state: state).decode(type)
        }
    }

    /// Decodes a value that stands alone, its fields by their names.
    package func decodeValue<T: Decodable>(_ type: T.Type, from bytes: RawSpan) throws -> T {
        let state = try DecodingState(bytes, nameAt: nil, injecting: [], userInfo: userInfo)
        return try DecodingPlace(state: state).decode(type)
    }
}
