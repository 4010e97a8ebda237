import Foundation
import GroupLog
import GroupLogFormat
import Testing

@Suite struct CodingLeafTests {
    @Test("integers of every width come back, and only where they fit")
    func integers() throws {
        func bounds<I: FixedWidthInteger & Codable>(_: I.Type) throws {
            for value: I in [.min, .min + 1, .max, .max - 1, 0, 1, 23, 24, ~0, I.max / 3] {
                #expect(try stored(value) == value)
                #expect(try stored([value]) == [value])
                #expect(try stored([1: value]) == [1: value])
                let bytes = try RecordEncoder().encodeValue(value)
                #expect((try? decode(Int8.self, bytes)) == Int8(exactly: value))
                #expect((try? decode(UInt8.self, bytes)) == UInt8(exactly: value))
                #expect((try? decode(Int64.self, bytes)) == Int64(exactly: value))
                #expect((try? decode(UInt64.self, bytes)) == UInt64(exactly: value))
                #expect((try? decode(Int128.self, bytes)) == Int128(exactly: value))
                #expect((try? decode(UInt128.self, bytes)) == UInt128(exactly: value))
            }
        }
        try bounds(Int8.self)
        try bounds(Int16.self)
        try bounds(Int32.self)
        try bounds(Int64.self)
        try bounds(Int.self)
        try bounds(Int128.self)
        try bounds(UInt8.self)
        try bounds(UInt16.self)
        try bounds(UInt32.self)
        try bounds(UInt64.self)
        try bounds(UInt.self)
        try bounds(UInt128.self)
        #expect(try notation(UInt128(1) << 64) == "2(h'010000000000000000')")
        #expect(try notation(Int128(-1) << 64) == "-18446744073709551616")
        #expect(try notation(Int128(-1) << 65) == "3(h'01ffffffffffffffff')")
        #expect(try decode(UInt8.self, hex("c2420007")) == 7)
        #expect(throws: DecodingError.self) {
            try decode(UInt128.self, hex("c25101ffffffffffffffffffffffffffffffff"))
        }
    }

    @Test("floats come back bit for bit, and narrower only where nothing is lost")
    func floats() throws {
        let patterns: [UInt64] = [
            0, 1 << 63, 1, 0x7FF0_0000_0000_0000, 0xFFF0_0000_0000_0000, 0x7FF8_0000_0000_0000,
            0x7FF0_0000_0000_0001, 0xFFFF_FFFF_FFFF_FFFF, (0.1).bitPattern, (1.5).bitPattern,
            Double.greatestFiniteMagnitude.bitPattern,
        ]
        for bits in patterns {
            #expect(try stored(Double(bitPattern: bits)).bitPattern == bits)
        }
        let singles: [UInt32] = [
            0, 1 << 31, 1, 0x7F80_0000, 0x7FC0_0000, 0x7F80_0001, 0xFFFF_FFFF,
            Float(0.1).bitPattern,
        ]
        for bits in singles {
            let value = Float(bitPattern: bits)
            #expect(try stored(value).bitPattern == bits)
            let wide = try decode(Double.self, RecordEncoder().encodeValue(value))
            let again = try decode(Float.self, RecordEncoder().encodeValue(wide))
            #expect(again.bitPattern == bits)
        }
        #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
            for bits in UInt16.min...UInt16.max {
                #expect(try stored(Float16(bitPattern: bits)).bitPattern == bits)
            }
            #expect(throws: DecodingError.self) { try decode(Float16.self, hex("fa47c35000")) }
        #endif
        #expect(throws: DecodingError.self) {
            try decode(Float.self, RecordEncoder().encodeValue(0.1))
        }
        #expect(try decode(Double.self, hex("1a000f4240")) == 1_000_000)
        #expect(try decode(Float.self, hex("20")) == -1)
        #expect(throws: DecodingError.self) { try decode(Double.self, hex("1bffffffffffffffff")) }
        #expect(throws: DecodingError.self) { try decode(Int.self, hex("f93c00")) }
    }

    @Test("dates come back bit for bit, the distant ones and those that are no number too")
    func dates() throws {
        let seconds = [
            0, -0.0, 0.1, 1e-300, 700_000_000.123_456_7, .nan, .infinity, -.infinity,
            Date.distantPast.timeIntervalSinceReferenceDate,
            Date.distantFuture.timeIntervalSinceReferenceDate,
            Date().timeIntervalSinceReferenceDate, Double(bitPattern: 0x7FF0_0000_0000_0001),
        ]
        for value in seconds {
            let date = Date(timeIntervalSinceReferenceDate: value)
            let again = try stored([date])
            #expect(again[0].timeIntervalSinceReferenceDate.bitPattern == value.bitPattern)
        }
        let date = Date(timeIntervalSinceReferenceDate: 1.5)
        #expect(try notation(date) == "44225(1.5)")
        #expect(try decode(Date.self, hex("c11a514b67b0")).timeIntervalSince1970 == 1_363_896_240)
        #expect(throws: DecodingError.self) { try decode(Date.self, hex("f93e00")) }
    }

    @Test("text comes back byte for byte, empty, huge, and in the spelling it was given")
    func text() throws {
        let huge = String(repeating: "0123456789é", count: 200_000)
        for text in ["", "a", "\0", "caf\u{E9}", "cafe\u{301}", "👩‍👩‍👧", "\u{FEFF}x\r\n", huge] {
            #expect(try stored(text).utf8.elementsEqual(text.utf8))
        }
        #expect(throws: DecodingError.self) { try decode(String.self, hex("61ff")) }
    }

    @Test("data is a byte string, an array of bytes an array")
    func data() throws {
        for data in [Data(), Data([0, 255]), Data(repeating: 7, count: 100_000)] {
            #expect(try stored(data) == data)
            let slice = (Data([9]) + data).dropFirst()
            #expect(try stored(slice) == data)
        }
        #expect(try notation(Data([1, 2])) == "h'0102'")
        #expect(try notation([1, 2] as [UInt8]) == "[1, 2]")
        #expect(try stored([1, 2, 255] as [UInt8]) == [1, 2, 255])
    }

    @Test("a UUID is 16 bytes under its tag, and is read from its text")
    func uuids() throws {
        let id = try #require(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF"))
        #expect(try notation(id) == "37(h'00112233445566778899aabbccddeeff')")
        #expect(try stored(id) == id)
        let text = try RecordEncoder().encodeValue("00112233-4455-6677-8899-aabbccddeeff")
        #expect(try decode(UUID.self, text) == id)
        #expect(throws: DecodingError.self) { try decode(UUID.self, hex("6161")) }
        #expect(throws: DecodingError.self) { try decode(UUID.self, hex("d8254101")) }
        #expect(throws: DecodingError.self) {
            try decode(UUID.self, hex("5000112233445566778899aabbccddeeff"))
        }
    }

    @Test("a URL is its text, never changed; one with a base keeps both parts")
    func urls() throws {
        let texts = [
            "http://example.com", "HTTP://EXAMPLE.com:80/%7euser/../b//c?q=%C3%A9&x#f", "a/b",
            "mailto:a@b.c", "data:text/plain,hello", "?q", "//host", "http://[::1]:8080/",
        ]
        for text in texts {
            let url = try #require(URL(string: text))
            #expect(try notation(url) == "\"\(text)\"")
            let again = try stored(url)
            #expect(again == url && again.relativeString == text && again.baseURL == nil)
        }
        let relative = try #require(
            URL(string: "b?x", relativeTo: URL(string: "http://example.com/a/")))
        let again = try stored(relative)
        #expect(again.relativeString == "b?x" && again.baseURL == relative.baseURL)
        let files = [URL(fileURLWithPath: "/tmp/a b/ü"), URL(fileURLWithPath: "relative")]
        #expect(try stored(files) == files)
        let tagged = hex("d82076687474703a2f2f7777772e6578616d706c652e636f6d")
        #expect(try decode(URL.self, tagged).absoluteString == "http://www.example.com")
        #expect(throws: DecodingError.self) {
            try decode(URL.self, RecordEncoder().encodeValue("http://a b"))
        }
    }

    @Test("decimals come back with every digit")
    func decimals() throws {
        let texts = [
            "0", "1", "-1", "0.1", "-123456789.987654321", "99999999999999999999999999999999999999",
            "1e-100", "-7e90",
        ]
        for text in texts {
            let value = try #require(Decimal(string: text))
            #expect(try stored(value) == value)
            #expect(try stored(value).description == value.description)
        }
        #expect(try stored(Decimal.nan).isNaN)
    }
}
