extension Timestamp {
    /// Reads an instant; blanks around it do not matter.
    ///
    /// The forms are:
    ///
    /// - ISO 8601 and RFC 3339: `2024-05-06T07:08:09.123+05:30`, a blank for the `T`, a comma for the point, seconds or the
    ///   whole time left out, the zone as `Z`, `UTC`, `GMT`, `+hh:mm`, `+hhmm` or `+hh`; without a zone it is UTC. Years
    ///   have four digits, or a sign and four to nine.
    /// - `10/Oct/2000:13:55:36 +0300`.
    /// - a number of time units since 1970 or 1601, see ``init(unix:)``.
    ///
    /// Days that do not exist and hour 24 are refused. Second 60 is read, where a leap second can stand (23:59 UTC), as
    /// the second after it, like POSIX does.
    package init(_ text: String) throws(TimestampError) {
        guard text.utf8.count <= 1_500 else { throw TimestampError("too long for a date") }
        let bytes = Array(text.utf8).trimmingBlanks
        if bytes.isEmpty { throw TimestampError("the date is empty") }
        if bytes.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: ".") }) {
            try self.init(unix: String(decoding: bytes, as: UTF8.self))
        } else {
            var reader = TimestampReader(bytes[...])
            self = try reader.timestamp()
        }
    }

    /// Reads a count of time units, whose size tells the unit, as the exports of browsers and services have them.
    ///
    /// 9 to 11 digits are seconds since 1970 and may have a fraction, 12 to 14 milliseconds, 15 and 16 microseconds; 17
    /// are microseconds since 1601, which is how Chrome counts. Smaller numbers are refused, not guessed: the day number of
    /// a spreadsheet would become an hour in January 1970.
    package init(unix text: String) throws(TimestampError) {
        let bytes = Array(text.utf8)
        let whole = bytes.prefix(while: \.isDigit)
        let fraction = bytes.dropFirst(whole.count + 1)
        guard !whole.isEmpty, whole.count == bytes.count || !fraction.isEmpty,
            fraction.allSatisfy(\.isDigit),
            let count = Int64(String(decoding: whole, as: UTF8.self))
        else { throw TimestampError("'\(text.prefix(40))' is no count of seconds") }

        let (divisor, epoch): (Int64, Int64) =
            switch count {
            case 100_000_000..<100_000_000_000: (1, 978_307_200)
            case 100_000_000_000..<100_000_000_000_000: (1_000, 978_307_200)
            case 100_000_000_000_000..<10_000_000_000_000_000: (1_000_000, 978_307_200)
            case 10_000_000_000_000_000..<100_000_000_000_000_000: (1_000_000, 12_622_780_800)
            case 20_000..<80_000:
                throw TimestampError(
                    "\(text) looks like the day number of a spreadsheet, not a time")
            default:
                throw TimestampError("the number \(text.prefix(40)) is no time in a known unit")
            }
        guard divisor == 1 || fraction.isEmpty else {
            throw TimestampError("\(text) is no whole number of time units")
        }
        let (seconds, rest) = count.quotientAndRemainder(dividingBy: divisor)
        // The digits of the rest, with the zeros it begins with.
        let digits = String(rest + divisor).utf8.dropFirst()
        self.init(seconds: seconds - epoch, fraction: Array(digits) + fraction)
    }
}

extension [UInt8] {
    var trimmingBlanks: [UInt8] {
        let isBlank = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
        guard let first = firstIndex(where: { !isBlank($0) }),
            let last = lastIndex(where: { !isBlank($0) })
        else { return [] }
        return Array(self[first...last])
    }
}

/// Reads the calendar forms of a date from left to right.
private struct TimestampReader {
    private var rest: ArraySlice<UInt8>
    private let start: Int

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
        start = bytes.startIndex
    }

    mutating func timestamp() throws(TimestampError) -> Timestamp {
        let inWords = rest.dropFirst(2).first == UInt8(ascii: "/")
        let date = inWords ? try dateInWords() : try date()
        var second: Int64 = 0
        var fraction: ArraySlice<UInt8> = []
        if inWords {
            try expect(":")
            (second, fraction) = try timeOfDay()
        } else if take("T") || take("t") || takeBlank() {
            (second, fraction) = try timeOfDay()
        }
        let isLeapSecond = second < 0
        if isLeapSecond { second = -second }
        let offset = try zone()
        let utc = date.daysSince2001 * 86_400 + second - offset
        if isLeapSecond, utc.flooredDivision(by: 86_400).remainder != 0 {
            throw TimestampError("second 60 does not exist there")
        }
        guard rest.isEmpty else { throw unexpectedRest() }
        return Timestamp(seconds: utc, fraction: fraction)
    }

    private mutating func date() throws(TimestampError) -> CivilDate {
        let isNegative = take("-")
        let hasSign = take("+") || isNegative
        let year = try number(digits: hasSign ? 4...9 : 4...4)
        try expect("-")
        let month = try number(digits: 2...2)
        try expect("-")
        let day = try number(digits: 2...2)
        if isNegative, year == 0 { throw TimestampError("there is no year -0") }
        return try existing(year: isNegative ? -year : year, month: Int(month), day: Int(day))
    }

    private mutating func dateInWords() throws(TimestampError) -> CivilDate {
        let day = try number(digits: 2...2)
        try expect("/")
        let name = String(decoding: rest.prefix(3), as: UTF8.self).lowercased()
        let names = [
            "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
        ]
        guard let month = names.firstIndex(of: name) else { throw unexpectedRest() }
        rest = rest.dropFirst(3)
        try expect("/")
        let year = try number(digits: 4...4)
        return try existing(year: year, month: month + 1, day: Int(day))
    }

    private func existing(
        year: Int64, month: Int, day: Int
    ) throws(TimestampError) -> CivilDate {
        guard let date = CivilDate(year: year, month: month, day: day) else {
            throw TimestampError("there is no day \(day) of month \(month) in the year \(year)")
        }
        return date
    }

    /// The second of the day and the digits of its fraction.
    ///
    /// Second 60 comes back as the negative of the second behind it.
    private mutating func timeOfDay() throws(TimestampError) -> (Int64, ArraySlice<UInt8>) {
        let hour = try number(digits: 2...2)
        try expect(":")
        let minute = try number(digits: 2...2)
        var second: Int64 = 0
        var fraction: ArraySlice<UInt8> = []
        if take(":") {
            second = try number(digits: 2...2)
            if take(".") || take(",") {
                fraction = rest.prefix(while: \.isDigit)
                rest = rest.dropFirst(fraction.count)
                if fraction.isEmpty { throw unexpectedRest() }
            }
        }
        guard hour <= 23, minute <= 59, second <= 60 else {
            throw TimestampError("there is no time \(hour):\(minute):\(second)")
        }
        let ofDay = hour * 3600 + minute * 60 + second
        return (second == 60 ? -ofDay : ofDay, fraction)
    }

    /// Seconds east of UTC.
    private mutating func zone() throws(TimestampError) -> Int64 {
        while takeBlank() {}
        for name in ["Z", "z", "UTC", "GMT"] where rest.elementsEqual(name.utf8) {
            rest = []
            return 0
        }
        let isWest = take("-")
        guard isWest || take("+") else { return 0 }
        let hours = try number(digits: 2...2)
        let minutes = take(":") || !rest.isEmpty ? try number(digits: 2...2) : 0
        guard hours <= 23, minutes <= 59 else {
            throw TimestampError("there is no time zone of \(hours) hours \(minutes) minutes")
        }
        return (hours * 3600 + minutes * 60) * (isWest ? -1 : 1)
    }

    private mutating func number(digits count: ClosedRange<Int>) throws(TimestampError) -> Int64 {
        let digits = rest.prefix(count.upperBound).prefix(while: \.isDigit)
        guard digits.count >= count.lowerBound else { throw unexpectedRest() }
        rest = rest.dropFirst(digits.count)
        return digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    }

    private mutating func take(_ sign: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: sign) else { return false }
        rest = rest.dropFirst()
        return true
    }

    private mutating func takeBlank() -> Bool { take(" ") }

    private mutating func expect(_ sign: Unicode.Scalar) throws(TimestampError) {
        guard take(sign) else { throw unexpectedRest() }
    }

    private func unexpectedRest() -> TimestampError {
        if rest.isEmpty { return TimestampError("the date is incomplete") }
        let expected = "expected a date such as 2026-05-04T03:02:01Z"
        guard rest.startIndex > start else { return TimestampError(expected) }
        let surplus = String(decoding: rest.prefix(40), as: UTF8.self)
        return TimestampError("\(expected), where '\(surplus)' cannot stand")
    }
}
