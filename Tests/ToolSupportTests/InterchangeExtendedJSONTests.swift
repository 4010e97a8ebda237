import GroupLogFormat
import TestSupport
import Testing

@testable import ToolSupport

private func json(_ value: CBORValue) -> String {
    var writer = JSONWriter()
    writer.value(value)
    return writer.text
}

private func value(_ json: String) throws -> CBORValue {
    try ExtendedJSON.value(of: json).value
}

@Suite("values as JSON")
struct InterchangeExtendedJSONTests {
    static let spellings: [(CBORValue, String)] = [
        (.null, "null"), (.true, "true"), (.false, "false"), (.undefined, #"{"$undefined":true}"#),
        (.simple(99), #"{"$simple":99}"#), (.unsigned(0), "0"),
        (.unsigned(.max), "18446744073709551615"),
        (.negative(0), "-1"), (.negative(.max), "-18446744073709551616"),
        (.tagged(2, .bytes([1] + [UInt8](repeating: 0, count: 8))), "18446744073709551616"),
        (.tagged(3, .bytes([1] + [UInt8](repeating: 0, count: 8))), "-18446744073709551617"),
        (
            .tagged(2, .bytes([UInt8](repeating: 0xFF, count: 16))),
            "340282366920938463463374607431768211455"
        ),
        (
            .tagged(3, .bytes([0x7F] + [UInt8](repeating: 0xFF, count: 15))),
            "-170141183460469231731687303715884105728"
        ),
        (.tagged(2, .bytes([5])), #"{"$tag":[2,{"$bytes":"BQ=="}]}"#),
        (
            .tagged(3, .bytes([0x80] + [UInt8](repeating: 0, count: 15))),
            #"{"$tag":[3,{"$bytes":"gAAAAAAAAAAAAAAAAAAAAA=="}]}"#
        ),
        (.double(1), "1.0"), (.double(-0.0), "-0.0"), (.double(1e300), "1e+300"),
        (.double(.leastNonzeroMagnitude), "5e-324"),
        (.double(.nan), #"{"$float":"NaN"}"#), (.double(-.infinity), #"{"$float":"-Infinity"}"#),
        (.float(.double(0x7FF0_0000_0000_0001)), #"{"$float":"nan:7ff0000000000001"}"#),
        (.float(.single(Float(1.5).bitPattern)), #"{"$float32":1.5}"#),
        (.float(.single(Float.infinity.bitPattern)), #"{"$float32":"Infinity"}"#),
        (.float(.single(0xFF80_0001)), #"{"$float32":"nan:ff800001"}"#),
        (.float(.half(0x3E00)), #"{"$float16":"3e00"}"#),
        (.text("a\"\n😀"), #""a\"\n😀""#), (.bytes([]), #"{"$bytes":""}"#),
        (.bytes([1, 2]), #"{"$bytes":"AQI="}"#),
        (.bytes([0xFB, 0xFF, 0xBF]), #"{"$bytes":"+/+/"}"#),
        (
            .tagged(37, .bytes(Array(0..<16))), #"{"$uuid":"00010203-0405-0607-0809-0a0b0c0d0e0f"}"#
        ),
        (.tagged(37, .bytes([1])), #"{"$tag":[37,{"$bytes":"AQ=="}]}"#),
        (.date(Timestamp(secondsSinceReferenceDate: 0.1)), #"{"$date":"2001-01-01T00:00:00.1Z"}"#),
        (.date(Timestamp(secondsSinceReferenceDate: .nan)), #"{"$date":{"$float":"NaN"}}"#),
        (.date(Timestamp(secondsSinceReferenceDate: -0.0)), #"{"$date":{"$float":"-0.0"}}"#),
        (.date(Timestamp(secondsSinceReferenceDate: 1e300)), #"{"$date":{"$float":"1e+300"}}"#),
        (.tagged(44_225, .unsigned(1)), #"{"$tag":[44225,1]}"#), (.array([.array([])]), "[[]]"),
        (.map([]), "{}"), (.map([.init(.text("$a"), .null)]), #"{"$map":[["$a",null]]}"#),
        (.map([.init(.text("$a"), .null), .init(.text("b"), .null)]), #"{"$a":null,"b":null}"#),
        (.map([.init(.unsigned(1), .text("x"))]), #"{"$map":[[1,"x"]]}"#),
        (
            .map([.init(.text("a"), .unsigned(1)), .init(.text("a"), .unsigned(2))]),
            #"{"$map":[["a",1],["a",2]]}"#
        ),
        (
            .map([.init(.text("e\u{301}"), .null), .init(.text("\u{E9}"), .null)]),
            "{\"e\u{301}\":null,\"\u{E9}\":null}"
        ),
    ]

    @Test("every kind of value has one spelling, which reads back the same", arguments: spellings)
    func spelling(original: CBORValue, expected: String) throws {
        #expect(json(original) == expected)
        #expect(try value(expected) == original)
    }

    @Test(
        "JSON of others is read for what it says",
        arguments: [
            ("1e2", .double(100)), ("-0", .double(-0.0)),
            (#"{"$ref":"x"}"#, .map([.init(.text("$ref"), .text("x"))])),
            (
                #"{"$uuid":"{00010203-0405-0607-0809-0A0B0C0D0E0F}"}"#,
                .tagged(37, .bytes(Array(0..<16)))
            ),
        ] as [(String, CBORValue)])
    func foreign(text: String, expected: CBORValue) throws {
        #expect(try value(text) == expected)
    }

    @Test("an integer beyond 128 bits becomes a double with a warning")
    func largeInteger() throws {
        let (value, warnings) = try ExtendedJSON.value(
            of: "[\n{\"a\":1000000000000000000000000000000000000000}]")
        #expect(value == .array([.map([.init(.text("a"), .double(1e39))])]))
        #expect(warnings.map(\.kind) == [.inexactNumber])
        #expect(warnings.first?.line == 2)
    }

    @Test(
        "a known name with other than its content is refused, never guessed",
        arguments: [
            #"{"$date":5}"#, #"{"$date":"2024-02-30"}"#, #"{"$uuid":"x"}"#, #"{"$bytes":"a"}"#,
            #"{"$bytes":"AB=="}"#,
            #"{"$bytes":"AA=A"}"#, #"{"$bytes":"===="}"#, #"{"$float":1}"#, #"{"$float":"1e999"}"#,
            #"{"$float":"nan:0000000000000000"}"#,
            #"{"$float32":0.1}"#, #"{"$float32":"1.5"}"#, #"{"$float16":"+e00"}"#,
            #"{"$map":[[1]]}"#, #"{"$map":{}}"#,
            #"{"$tag":[-1,null]}"#, #"{"$tag":[1]}"#, #"{"$simple":24}"#, #"{"$simple":256}"#,
            #"{"$undefined":false}"#,
            #"{"$text":1}"#, "1e400", "-1e400",
        ])
    func malformed(text: String) {
        #expect(throws: InterchangeError.self) { try value(text) }
    }

    @Test("random values read back the same")
    func roundTrip() throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<5_000 {
            let original = CBORValue.random(depth: 5, &random)
            try #require(try value(json(original)) == original, "\(json(original))")
        }
    }

    @Test("the deepest values there are fit the limit of the parser")
    func depth() throws {
        var map = CBORValue.map([])
        for _ in 1..<CBORValue.maximumDepth { map = .map([.init(.unsigned(1), map)]) }
        #expect(try value(json(map)) == map)
    }
}

extension CBORValue {
    static func random(depth: Int, _ random: inout SeededGenerator) -> CBORValue {
        let number = random.next() >> UInt64.random(in: 0...63, using: &random)
        let count = Int.random(in: 0...3, using: &random)
        let bytes = (0..<Int.random(in: 0...18, using: &random)).map { _ in
            UInt8(truncatingIfNeeded: random.next())
        }
        switch Int.random(in: 0...(depth > 0 ? 16 : 12), using: &random) {
        case 0: return .unsigned(number)
        case 1: return .negative(number)
        case 2: return .bytes(bytes)
        case 3:
            return .text(
                ["", "$date", "a\u{301}", "\u{2028}", "\"\\\u{7}", "id"].randomElement(
                    using: &random) ?? "")
        case 4: return .simple(UInt8.random(in: 32 ... .max, using: &random))
        case 5: return .simple(UInt8.random(in: 0...23, using: &random))
        case 6: return .double(Double(bitPattern: random.next()))
        case 7: return .float(.single(UInt32(truncatingIfNeeded: random.next())))
        case 8: return .float(.half(UInt16(truncatingIfNeeded: random.next())))
        case 9: return .tagged(37, .bytes(bytes))
        case 10: return .tagged(UInt64.random(in: 0...4, using: &random), .bytes(bytes))
        case 11:
            return .date(Timestamp(secondsSinceReferenceDate: Double(bitPattern: random.next())))
        case 12: return .double(Double(Int64(bitPattern: number)))
        case 13: return .array((0..<count).map { _ in .random(depth: depth - 1, &random) })
        case 14: return .tagged(number, .random(depth: depth - 1, &random))
        default:
            return .map(
                (0..<count).map { _ in
                    CBORPair(.random(depth: 0, &random), .random(depth: depth - 1, &random))
                })
        }
    }
}
