extension Timestamp {
    /// The instant in UTC in the form of RFC 3339, with the fewest fraction digits that read back as the same double.
    ///
    /// Years from 0000 to 9999 have four digits, others a sign and at least six, as ISO 8601 allows. Nil for what no such
    /// text can carry: NaN, the infinities, minus zero, and instants so far away that a double does not tell seconds
    /// apart any more (285 million years).
    package var text: String? {
        let seconds = secondsSinceReferenceDate
        guard seconds.magnitude < 0x1p53, !(seconds == 0 && seconds.sign == .minus) else {
            return nil
        }
        var (whole, fraction) = seconds.magnitude.decimalParts
        if seconds < 0 {
            whole = -whole - (fraction.complementDecimalFraction() ? 1 : 0)
        }
        return Self.text(wholeSeconds: whole, fraction: fraction)
    }

    /// Microseconds since 1970 as an instant in the same form, to the last digit: a double has no room for
    /// microseconds some centuries from now.
    package static func text(microsecondsSince1970 microseconds: Int64) -> String {
        let (seconds, rest) = microseconds.flooredDivision(by: 1_000_000)
        let digits = Array(String(1_000_000 + rest).utf8.dropFirst())
        return text(wholeSeconds: seconds - 978_307_200, fraction: digits.withoutTrailingZeros)
    }

    /// Seconds since 2001, rounded down, and the digits of what is left, without zeros at the end.
    private static func text(wholeSeconds whole: Int64, fraction: [UInt8]) -> String {
        let (days, secondOfDay) = whole.flooredDivision(by: 86_400)
        let date = CivilDate(daysSince2001: days)

        var text = date.year.magnitude.padded(to: (0...9999).contains(date.year) ? 4 : 6)
        if date.year < 0 { text = "-" + text } else if date.year > 9999 { text = "+" + text }
        text += "-\(date.month.magnitude.padded(to: 2))-\(date.day.magnitude.padded(to: 2))T"
        text += (secondOfDay / 3600).magnitude.padded(to: 2)
        text += ":" + (secondOfDay / 60 % 60).magnitude.padded(to: 2)
        text += ":" + (secondOfDay % 60).magnitude.padded(to: 2)
        if !fraction.isEmpty { text += "." + String(decoding: fraction, as: UTF8.self) }
        return text + "Z"
    }
}

extension Double {
    /// The shortest decimal number that reads back as this one, cut at its point.
    ///
    /// For numbers from 0 to below 2^53; the standard library prints these with an exponent only when they are small.
    fileprivate var decimalParts: (whole: Int64, fraction: [UInt8]) {
        let text = description.utf8
        let mantissa = text.prefix { $0 != UInt8(ascii: "e") }
        let exponent = Int(String(decoding: text.dropFirst(mantissa.count + 1), as: UTF8.self)) ?? 0
        let whole = mantissa.prefix { $0 != UInt8(ascii: ".") }
        let digits = mantissa.dropFirst(whole.count + 1)
        guard exponent < 0 else {
            let seconds = Int64(String(decoding: whole, as: UTF8.self)) ?? 0
            return (seconds, Array(digits).withoutTrailingZeros)
        }
        let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: -exponent - 1)
        return (0, (zeros + whole + digits).withoutTrailingZeros)
    }
}

extension [UInt8] {
    fileprivate var withoutTrailingZeros: [UInt8] {
        let end = lastIndex { $0 != UInt8(ascii: "0") }.map { $0 + 1 } ?? 0
        return Array(prefix(end))
    }
}

extension UnsignedInteger {
    fileprivate func padded(to width: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(0, width - digits.utf8.count)) + digits
    }
}
