package import GroupLogFormat

/// Turns values into the CBOR that records hold (FORMAT.md, "Values").
///
/// Whatever a type's Codable conformance can express comes back the same: widths of integers
/// that were given up are given back, floats keep their bits, dates are exact, text keeps its
/// bytes. A key that is encoded twice, or values nested more than 511 deep, are errors.
package struct RecordEncoder: Sendable {
    /// What the values' own `encode(to:)` find as the encoder's user info.
    package var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    package init() {}

    /// Encodes a record's value.
    ///
    /// The fields of a value that has any become indexes into the frame's table of names; where
    /// one of the names has no index, all keep their names, as in a value without a table.
    ///
    /// - Parameters:
    ///   - omitted: the names of fields to leave out, because the record's key has them.
    ///   - indexOf: gives a field's index in the frame's table of names, or nil.
    package func encode<T: Encodable>(
        _ value: T, omitting omitted: [String] = [], indexOf: (String) throws -> Int?
    ) throws -> FrameBuilder.Content {
        try withoutActuallyEscaping(indexOf) { indexOf in
            let session = session(omitting: omitted)
            session.indexOf = indexOf
            // A container that the value has kept must not keep the closure.
            defer { session.indexOf = nil }
            do {
                let bytes = try EncodingState(session).root(value)
                return FrameBuilder.Content(bytes: bytes, isIndexed: session.isIndexed)
            } catch is NoIndexForName {
                let bytes = try EncodingState(self.session(omitting: omitted)).root(value)
                return FrameBuilder.Content(bytes: bytes, isIndexed: false)
            }
        }
    }

    /// Encodes a value that stands alone, its fields by their names.
    package func encodeValue<T: Encodable>(_ value: T) throws -> [UInt8] {
        try EncodingState(session(omitting: [])).root(value)
    }

    private func session(omitting omitted: [String]) -> EncodingSession {
        EncodingSession(omitting: omitted, userInfo: userInfo)
    }
}
