package import GroupLogFormat

/// How values that JSON has no form for are spelled in it; no value changes on the way out and back in (FORMAT.md,
/// "Values as JSON").
package enum ExtendedJSON {
    /// The field of a record, as exports spell it, whose dates are plain strings, as people expect them; a text in that
    /// place has a key that says so.
    package static let dateField = "createdAt"

    /// Levels of JSON that the deepest value can take: a map in a map adds an object and two arrays.
    package static let depthLimit = CBORValue.maximumDepth * 3 + 8

    static let uuidTag: UInt64 = 37
    /// Seconds since 2001-01-01T00:00:00Z as a double.
    static let dateTag: UInt64 = 44_225
    static let positiveBignumTag: UInt64 = 2
    static let negativeBignumTag: UInt64 = 3
}

extension CBORValue {
    /// A date as records keep it.
    package static func date(_ timestamp: Timestamp) -> CBORValue {
        .tagged(ExtendedJSON.dateTag, .double(timestamp.secondsSinceReferenceDate))
    }

    /// The instant when this is a date as records keep it.
    package var timestamp: Timestamp? {
        guard case .tagged(ExtendedJSON.dateTag, .float(.double(let bits))) = self else {
            return nil
        }
        return Timestamp(secondsSinceReferenceDate: Double(bitPattern: bits))
    }

    package var text: String? {
        if case .text(let text) = self { text } else { nil }
    }
}
