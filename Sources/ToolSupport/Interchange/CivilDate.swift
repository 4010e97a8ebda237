/// A day of the Gregorian calendar, carried on before its introduction as ISO 8601 does; year 0 is 1 BC.
struct CivilDate: Equatable {
    let year: Int64
    let month: Int
    let day: Int

    /// Nil for a day that does not exist, such as 30 February.
    init?(year: Int64, month: Int, day: Int) {
        guard (1...12).contains(month), day >= 1,
            day <= CivilDate.length(ofMonth: month, year: year)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The day that many days after 1 January 2001.
    ///
    /// Counts from 1 March 2000, so that a leap day ends its year, and the cycle of 400 years its leap day.
    init(daysSince2001 days: Int64) {
        let (cycle, dayOfCycle) = (days + CivilDate.fromMarch2000To2001).flooredDivision(
            by: 146_097)
        // A leap day would make one century, or one year, too many; the last one is that day longer.
        let century = min(dayOfCycle / 36_524, 3)
        let dayOfCentury = dayOfCycle - century * 36_524
        let leapCycle = dayOfCentury / 1_461
        let dayOfLeapCycle = dayOfCentury - leapCycle * 1_461
        let yearOfLeapCycle = min(dayOfLeapCycle / 365, 3)
        let dayOfYear = dayOfLeapCycle - yearOfLeapCycle * 365
        let marchYear = cycle * 400 + century * 100 + leapCycle * 4 + yearOfLeapCycle
        // Months from March on are 31, 30, 31, 30, 31 days, again and again: 153 days for five.
        let marchMonth = (dayOfYear * 5 + 2) / 153
        day = Int(dayOfYear - (marchMonth * 153 + 2) / 5) + 1
        month = Int(marchMonth < 10 ? marchMonth + 3 : marchMonth - 9)
        year = 2000 + marchYear + (month <= 2 ? 1 : 0)
    }

    /// Days since 1 January 2001; negative before.
    var daysSince2001: Int64 {
        let (cycle, marchYear) = ((month <= 2 ? year - 1 : year) - 2000).flooredDivision(by: 400)
        let marchMonth = Int64(month > 2 ? month - 3 : month + 9)
        let dayOfYear = (marchMonth * 153 + 2) / 5 + Int64(day) - 1
        let dayOfCycle = marchYear * 365 + marchYear / 4 - marchYear / 100 + dayOfYear
        return cycle * 146_097 + dayOfCycle - CivilDate.fromMarch2000To2001
    }

    private static let fromMarch2000To2001: Int64 = 306

    private static func length(ofMonth month: Int, year: Int64) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension Int64 {
    /// Quotient towards negative infinity and the remainder, which is never negative; `divisor` is positive.
    func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
