/// Why bytes are not what the format says.
public struct FormatError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of fault.
    public enum Kind: String, Hashable, Sendable {
        /// The bytes end before what they announce does.
        case truncated
        /// Not a log: the magic bytes are missing.
        case notALog
        /// A checksum does not fit the bytes.
        case badChecksum
        /// A field has a value that the format does not allow.
        case malformed
        /// Written by a newer format that this code must not guess at.
        case unsupportedVersion
        /// Larger than the format allows.
        case tooLarge
    }

    /// What kind of fault it is.
    public var kind: Kind
    /// A sentence without a full stop that says what was found.
    public var reason: String
    /// Where in the log, in bytes, the faulty structure begins.
    public var offset: UInt64?

    /// Makes an error.
    public init(_ kind: Kind, _ reason: String, offset: UInt64? = nil) {
        self.kind = kind
        self.reason = reason
        self.offset = offset
    }

    /// The reason, and the offset where there is one.
    public var description: String {
        guard let offset else { return reason }
        return "\(reason) (at offset \(offset))"
    }
}
