/// A float as its bits, so that neither the width nor the payload of a NaN is lost.
///
/// Conversions here work on the bits where a NaN is concerned: the processor's own quiet a
/// signalling NaN.
public enum CBORFloat: Hashable, Sendable {
    /// Two bytes, IEEE 754 binary16.
    case half(UInt16)
    /// Four bytes, IEEE 754 binary32.
    case single(UInt32)
    /// Eight bytes, IEEE 754 binary64.
    case double(UInt64)

    /// The same number in eight bytes; every half and single is one, payload included.
    public var doubleValue: Double {
        switch self {
        case .half(let bits): Double(bitPattern: Self.widened(half: bits))
        case .single(let bits): Double(bitPattern: Self.widened(single: bits))
        case .double(let bits): Double(bitPattern: bits)
        }
    }

    /// The same number in four bytes; nil where it is not exactly one.
    public var singleValue: Float? {
        if case .single(let bits) = self { return Float(bitPattern: bits) }
        let wide = doubleValue
        guard wide.isNaN else {
            let narrow = Float(wide)
            return Double(narrow) == wide ? narrow : nil
        }
        let payload = wide.bitPattern & (1 << 52 - 1)
        guard payload & (1 << 29 - 1) == 0 else { return nil }
        let sign = UInt32(truncatingIfNeeded: wide.bitPattern >> 63) << 31
        return Float(bitPattern: sign | 0x7F80_0000 | UInt32(truncatingIfNeeded: payload >> 29))
    }

    private static func widened(half bits: UInt16) -> UInt64 {
        let sign = UInt64(bits >> 15) << 63
        let exponent = UInt64(bits >> 10 & 0x1F)
        let fraction = UInt64(bits & 0x3FF)
        switch exponent {
        case 0: return sign | (Double(fraction) * 0x1p-24).bitPattern
        case 0x1F: return sign | 0x7FF << 52 | fraction << 42
        default: return sign | (exponent + 1023 - 15) << 52 | fraction << 42
        }
    }

    private static func widened(single bits: UInt32) -> UInt64 {
        let number = Float(bitPattern: bits)
        guard number.isNaN else { return Double(number).bitPattern }
        return UInt64(bits >> 31) << 63 | 0x7FF << 52 | UInt64(bits & 0x7F_FFFF) << 29
    }
}
