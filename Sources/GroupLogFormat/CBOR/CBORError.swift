/// Why bytes are not the CBOR item that was asked for, or why a value cannot be written as one.
public struct CBORError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of fault.
    public enum Reason: Hashable, Sendable {
        /// The bytes end before the item does, or a length says more than there are.
        case truncated
        /// Additional information 28 to 30, or 31 where no indefinite length exists.
        case reservedHead
        /// A break outside of an indefinite-length item, or between a key and its value.
        case unexpectedBreak
        /// A simple value of 24 to 31, or one below 32 in two bytes.
        case invalidSimple
        /// A chunk of an indefinite-length string is not a definite string of the same type.
        case invalidChunk
        /// Text that is not UTF-8.
        case invalidText
        /// More than `CBORValue.maximumDepth` items inside one another.
        case tooDeep
        /// Bytes behind the end of the item.
        case trailingBytes
        /// Well-formed, but of another type than the one asked for.
        case unexpectedType
    }

    /// What kind of fault it is.
    public var reason: Reason
    /// Where, in bytes from the start of what was read or written.
    public var offset: Int

    /// Makes an error.
    @inlinable public init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    /// A sentence without a full stop.
    public var description: String { "\(sentence) (at byte \(offset))" }

    private var sentence: String {
        switch reason {
        case .truncated: "the CBOR item ends too early"
        case .reservedHead: "the CBOR item begins with a reserved byte"
        case .unexpectedBreak: "a CBOR break stands where an item is expected"
        case .invalidSimple: "the CBOR simple value does not exist"
        case .invalidChunk: "a chunk of a CBOR string is of the wrong type"
        case .invalidText: "a CBOR text is not UTF-8"
        case .tooDeep: "CBOR items are nested more than \(CBORValue.maximumDepth) deep"
        case .trailingBytes: "bytes follow the CBOR item"
        case .unexpectedType: "the CBOR item is of another type"
        }
    }
}
