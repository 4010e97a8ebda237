package import GroupLogFormat

/// How values that JSON has no form for are spelled in it; no value changes on the way out and back in.
///
/// | value | JSON |
/// | --- | --- |
/// | text, integers, true, false, null, arrays | themselves; integers in full, also beyond 64 bits |
/// | a double | a number with a point or an exponent |
/// | a double that is not finite | `{"$float": "NaN"}`, `"Infinity"`, `"-Infinity"`; another NaN by its bits, `"nan:7ff8000000000001"` |
/// | a float of four bytes | `{"$float32": 1.5}`, not finite as above with eight digits |
/// | a float of two bytes | `{"$float16": "3e00"}`, its bits |
/// | a map with text keys that differ | an object, unless its only key begins with `$` |
/// | any other map | `{"$map": [[key, value], ...]}` |
/// | a byte string | `{"$bytes": "base64"}` |
/// | a UUID | `{"$uuid": "01234567-89ab-..."}` |
/// | a date | `{"$date": "2024-05-06T07:08:09.123Z"}`; one outside the calendar `{"$date": {"$float": "1e+300"}}`, seconds since 2001 |
/// | any other tag | `{"$tag": [number, value]}` |
/// | undefined, other simple values | `{"$undefined": true}`, `{"$simple": 99}` |
///
/// One field is spelled as people expect it: ``dateField``, directly in a record, is a plain string when it is a date. A
/// text in that place is `{"$text": "..."}`.
package enum ExtendedJSON {
    /// The field of a record whose dates are plain strings.
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
