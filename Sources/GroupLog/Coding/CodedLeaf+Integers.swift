import GroupLogFormat

/// Integers are stored by their value, not by their width: what fits is read into any.
///
/// Beyond 64 bits they are bignums (RFC 8949, section 3.4.3).
extension CodedLeaf where Self: FixedWidthInteger {
    func write(to writer: inout CBORWriter) {
        if self >= 0 {
            if let value = UInt64(exactly: self) {
                writer.unsigned(value)
            } else {
                writer.bignum(tag: 2, UInt128(truncatingIfNeeded: self))
            }
        } else if let value = UInt64(exactly: ~self) {
            writer.negative(value)
        } else {
            writer.bignum(tag: 3, UInt128(truncatingIfNeeded: ~self))
        }
    }

    static func read(_ reader: inout CBORReader, in bytes: RawSpan) throws -> Self {
        let start = reader.offset
        let head = try reader.head(in: bytes)
        let value: Self?
        switch (head.major, head.argument) {
        case (.unsigned, let argument): value = Self(exactly: argument)
        case (.negative, let argument): value = negative(UInt128(argument))
        case (.tag, 2): value = try reader.bignum(in: bytes).flatMap { Self(exactly: $0) }
        case (.tag, 3): value = try reader.bignum(in: bytes).flatMap { negative($0) }
        default: throw CBORError(.unexpectedType, at: start)
        }
        guard let value else { throw LeafFault("the integer does not fit \(Self.self)") }
        return value
    }

    /// -1 - n.
    private static func negative(_ n: UInt128) -> Self? {
        Int128(exactly: n).flatMap { Self(exactly: ~$0) }
    }
}

extension Int: CodedLeaf {}
extension Int8: CodedLeaf {}
extension Int16: CodedLeaf {}
extension Int32: CodedLeaf {}
extension Int64: CodedLeaf {}
extension Int128: CodedLeaf {}
extension UInt: CodedLeaf {}
extension UInt8: CodedLeaf {}
extension UInt16: CodedLeaf {}
extension UInt32: CodedLeaf {}
extension UInt64: CodedLeaf {}
extension UInt128: CodedLeaf {}

extension CBORWriter {
    fileprivate mutating func bignum(tag number: UInt64, _ value: UInt128) {
        tag(number)
        let shifts = stride(from: 120, through: 0, by: -8)
        let digits = shifts.map { UInt8(truncatingIfNeeded: value >> UInt128($0)) }
        byteString(Array(digits.drop { $0 == 0 }))
    }
}

extension CBORReader {
    /// The number of a bignum whose tag was read; nil beyond 128 bits.
    fileprivate mutating func bignum(in bytes: RawSpan) throws(CBORError) -> UInt128? {
        let head = try head(.bytes, in: bytes)
        let digits = try byteString(head, in: bytes).drop { $0 == 0 }
        guard digits.count <= 16 else { return nil }
        return digits.reduce(0) { $0 << 8 | UInt128($1) }
    }
}
