import Foundation
import TestSupport
import Testing

@testable import ToolSupport

private func seconds(_ text: String) throws -> Double {
    try Timestamp(text).secondsSinceReferenceDate
}

private func text(_ seconds: Double) -> String? {
    Timestamp(secondsSinceReferenceDate: seconds).text
}

@Suite("timestamps")
struct InterchangeTimestampTests {
    @Test(
        "the forms of a date give its instant",
        arguments: [
            ("2001-01-01T00:00:00Z", 0), ("2001-01-01", 0), ("2001-01-01 00:00", 0),
            ("  2000-12-31T23:59:59.5z\n", -0.5), ("2001-01-01T00:00:00,25Z", 0.25),
            ("2015-09-09 11:10:32 UTC", 463_489_832), ("2016-09-08T11:55:58+0200", 495_021_358),
            ("2024-05-06T07:08:09+05:30", 736_652_289), ("2024-05-06T01:38:09-00", 736_652_289),
            ("2016-08-01T05:24:16", 491_721_856), ("10/Oct/2000:13:55:36 +0300", -7_131_864),
            ("2024-02-29", 730_857_600), ("2000-02-29", -26_524_800),
            ("2016-12-31T23:59:60Z", 504_921_600), ("2017-01-01T00:59:60.5+01:00", 504_921_600.5),
            ("0000-12-30T00:00:00Z", -63_114_076_800), ("4001-01-01T00:00:00Z", 63_113_904_000),
            ("+012024-01-01", 316_295_280_000), ("-000001-01-01", -63_177_062_400),
            ("1352708193", 374_400_993), ("1515515697780642", 537_208_497.780642),
            ("1704164645123", 725_857_445.123), ("13118850929335823", 496_070_129.335823),
            ("1704164645.25", 725_857_445.25),
            ("978307200000001", 0.000_001),
        ] as [(String, Double)])
    func forms(text: String, expected: Double) throws {
        #expect(try seconds(text) == expected)
    }

    @Test(
        "the microseconds of a commit are an instant, before 1970 and at both ends too",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (978_307_200_000_001, "2001-01-01T00:00:00.000001Z"),
            (-1, "1969-12-31T23:59:59.999999Z"),
            (1_796_032_817_583_024, "2026-11-30T10:00:17.583024Z"),
            (73_824_917_083_927_942, "4309-06-03T01:24:43.927942Z"),
            (.min, "-290308-12-21T19:59:05.224192Z"), (.max, "+294247-01-10T04:00:54.775807Z"),
        ] as [(Int64, String)])
    func microseconds(microseconds: Int64, expected: String) throws {
        #expect(Timestamp.text(microsecondsSince1970: microseconds) == expected)
    }

    @Test(
        "what is no instant is refused",
        arguments: [
            "", " ", "2024-02-30", "2023-02-29", "1900-02-29", "2024-13-01", "2024-00-10",
            "2024-04-31",
            "2024-01-00", "2024-01-01T24:00:00Z", "2024-01-01T12:60:00Z", "2024-01-01T12:00:61Z",
            "2024-01-01T12:00:60Z", "2024-01-01T12", "2024-01-01T12:00:00.",
            "2024-01-01T12:00:00ZZ",
            "2024-01-01T12:00:00+24:00", "2024-01-01T12:00:00+05:", "24-01-01", "2024-1-1", "2024",
            "20240102", "46224", "0", "99999999", "100000000000000000", "1704164645123.5",
            "1704164645.",
            "-1704164645", "1.7e9", "yesterday", "10/Okt/2000:13:55:36 +0300",
            "31/Feb/2000:00:00:00 Z",
            "-0000-01-01", "+1234567890-01-01", "2024-01-01T12:00:00 CET", "١٧٠٤١٦٤٦٤٥",
            "99999999999999999999999999", "2024/01/02",
        ])
    func refused(text: String) {
        #expect(throws: TimestampError.self) { try Timestamp(text) }
    }

    @Test("a day number of a spreadsheet is refused with that reason")
    func spreadsheetDay() {
        let error = #expect(throws: TimestampError.self) { try Timestamp("46224") }
        #expect(error?.description.contains("spreadsheet") == true)
    }

    @Test(
        "the text is UTC with the fewest fraction digits",
        arguments: [
            (0, "2001-01-01T00:00:00Z"), (0.1, "2001-01-01T00:00:00.1Z"),
            (-0.1, "2000-12-31T23:59:59.9Z"), (0.5e-7, "2001-01-01T00:00:00.00000005Z"),
            (-1e-9, "2000-12-31T23:59:59.999999999Z"),
            (736_652_289.123, "2024-05-06T01:38:09.123Z"),
            (-63_114_076_800, "0000-12-30T00:00:00Z"), (63_113_904_000, "4001-01-01T00:00:00Z"),
            (316_295_280_000, "+012024-01-01T00:00:00Z"),
            (-63_177_062_400, "-000001-01-01T00:00:00Z"),
            (-978_307_200.25, "1969-12-31T23:59:59.75Z"),
        ] as [(Double, String)])
    func printing(seconds: Double, expected: String) {
        #expect(text(seconds) == expected)
    }

    @Test(
        "what no text can carry has none",
        arguments: [Double.nan, .infinity, -.infinity, -0.0, 0x1p53, -0x1p53, 1e300])
    func noText(seconds: Double) {
        #expect(text(seconds) == nil)
    }

    @Test("every instant reads back bit for bit")
    func roundTrip() throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for turn in 0..<50_000 {
            let value: Double =
                switch turn % 5 {
                case 0: Double(bitPattern: random.next())
                case 1: Double.random(in: -1e10...1e10, using: &random)
                case 2: (Double.random(in: 0...1e9, using: &random) * 1000).rounded() / 1000
                case 3:
                    Double.random(in: -1...1, using: &random)
                        * Double.random(in: 0...1e-9, using: &random)
                default: Double.random(in: -0x1p53...0x1p53, using: &random)
                }
            guard let text = text(value) else { continue }
            let back = try seconds(text)
            try #require(back.bitPattern == value.bitPattern, "\(value) printed as \(text)")
        }
    }

    @Test("the calendar agrees with Foundation's on every day of two cycles")
    func calendar() throws {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
        for days in Int64(-150_000)..<150_000 {
            let date = CivilDate(daysSince2001: days)
            #expect(date.daysSince2001 == days)
            guard days % 97 == 0 else { continue }
            let parts = calendar.dateComponents(
                [.year, .month, .day],
                from: Date(timeIntervalSinceReferenceDate: Double(days) * 86_400))
            #expect(
                parts.year == Int(date.year) && parts.month == date.month && parts.day == date.day)
        }
    }
}
