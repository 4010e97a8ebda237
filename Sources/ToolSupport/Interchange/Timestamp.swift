/// An instant as a store keeps it: seconds since 2001-01-01T00:00:00Z in a double, which is what `Foundation.Date` holds.
///
/// Between text and double no rounding happens but the one that a double needs: text is read as an exact decimal number
/// of seconds, and printed with the fewest digits that read back as the same double, bit for bit. There are no leap
/// seconds; days have 86,400 seconds.
package struct Timestamp: Sendable, Equatable {
    package var secondsSinceReferenceDate: Double

    package init(secondsSinceReferenceDate: Double) {
        self.secondsSinceReferenceDate = secondsSinceReferenceDate
    }

    /// The instant so many microseconds later, to the microsecond.
    func advanced(byMicroseconds microseconds: Int64) -> Timestamp {
        let sum = (secondsSinceReferenceDate * 1e6).rounded() + Double(microseconds)
        return Timestamp(secondsSinceReferenceDate: sum / 1e6)
    }

    /// The double nearest to whole seconds and a fraction given by its decimal digits.
    ///
    /// Handing the digits as one number to the standard library rounds once; adding the fraction to the seconds would
    /// round twice.
    init(seconds: Int64, fraction digits: some Collection<UInt8>) {
        var whole = seconds
        var fraction = Array(digits)
        let isNegative = seconds < 0
        if isNegative {
            whole = fraction.complementDecimalFraction() ? -(seconds + 1) : -seconds
        }
        let text = "\(isNegative ? "-" : "")\(whole).\(String(decoding: fraction, as: UTF8.self))0"
        secondsSinceReferenceDate = Double(text) ?? .nan
    }
}

/// Why a text is no instant.
package struct TimestampError: Error, Equatable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}

extension [UInt8] {
    /// Turns the digits of a fraction f into those of 1 - f; leaves zero alone and gives false for it.
    mutating func complementDecimalFraction() -> Bool {
        guard let last = lastIndex(where: { $0 != UInt8(ascii: "0") }) else { return false }
        for place in startIndex..<last {
            self[place] = UInt8(ascii: "9") - (self[place] - UInt8(ascii: "0"))
        }
        self[last] = UInt8(ascii: "9") + 1 - (self[last] - UInt8(ascii: "0"))
        return true
    }
}
