import GroupLogFormat
import TestSupport
import Testing

@Suite struct CBORTests {
    @Test("every example of RFC 8949 is read, noted and written back byte for byte")
    func appendixA() throws {
        for (hex, notation) in CBORExamples.appendixA {
            let bytes = CBORExamples.bytes(hex)
            let value = try CBORValue.decode(bytes)
            #expect(value.diagnostic == notation)
            #expect(try value.encoded() == bytes, "\(notation)")
        }
    }

    @Test("items of indefinite length are read, noted as such, and written in definite length")
    func indefinite() throws {
        for (hex, notation, definite) in CBORExamples.indefinite {
            let bytes = CBORExamples.bytes(hex)
            #expect(try CBORValue.diagnostic(of: unsafe bytes.span.bytes) == notation)
            let value = try CBORValue.decode(bytes)
            #expect(try value.encoded() == CBORExamples.bytes(definite), "\(notation)")
            #expect(try value == CBORValue.decode(CBORExamples.bytes(definite)))
        }
    }

    @Test("a number's head is as short as can be on both sides of every edge")
    func shortest() throws {
        let edges: [(UInt64, length: Int)] = [
            (0, 1), (23, 1), (24, 2), (255, 2), (256, 3), (65535, 3), (65536, 5),
            (1 << 32 - 1, 5), (1 << 32, 9), (.max, 9),
        ]
        for (number, length) in edges {
            #expect(try CBORValue.unsigned(number).encoded().count == length)
            #expect(try CBORValue.negative(number).encoded().count == length)
            #expect(try CBORValue.tagged(number, .null).encoded().count == length + 1)
        }
        for (count, length) in [(23, 24), (24, 26), (255, 257), (256, 259), (65536, 65541)] {
            #expect(
                try CBORValue.bytes(Array(repeating: 0, count: count)).encoded().count == length)
        }
    }

    @Test("every ill-formed item of RFC 8949 is refused by all who read, for the same reason")
    func illFormed() {
        for (reason, list) in CBORExamples.illFormed {
            for hex in list {
                let bytes = CBORExamples.bytes(hex)
                for (reader, fault) in Self.faults(bytes) {
                    #expect(fault?.reason == reason, "\(hex) by \(reader)")
                }
            }
        }
    }

    @Test("every truncation of every example is an error, and so is a byte too many")
    func truncations() {
        let examples =
            CBORExamples.appendixA.map(\.hex) + CBORExamples.indefinite.map(\.hex)
        for hex in examples {
            let bytes = CBORExamples.bytes(hex)
            for end in 0..<bytes.count {
                for (reader, fault) in Self.faults(Array(bytes[..<end])) {
                    #expect(fault?.reason == .truncated, "\(hex) cut at \(end) by \(reader)")
                }
            }
            for (reader, fault) in Self.faults(bytes + [0]) {
                #expect(fault?.reason == .trailingBytes, "\(hex) by \(reader)")
                #expect(fault?.offset == bytes.count, "\(hex) by \(reader)")
            }
        }
    }

    @Test("nesting is read to its limit and refused beyond it, however deep it is")
    func depth() throws {
        let limit = CBORValue.maximumDepth
        for head: [UInt8] in [[0x81], [0x9F], [0xA1, 0x00], [0xC1]] {
            let closing: [UInt8] = head == [0x9F] ? [0xFF] : []
            func nested(_ depth: Int) -> [UInt8] {
                Array(repeatElement(head, count: depth).joined()) + [0x00]
                    + Array(repeatElement(closing, count: depth).joined())
            }
            for (reader, fault) in Self.faults(nested(limit)) {
                #expect(fault == nil, "by \(reader)")
            }
            for depth in [limit + 1, 100_000] {
                for (reader, fault) in Self.faults(nested(depth)) {
                    #expect(fault?.reason == .tooDeep, "\(depth) by \(reader)")
                }
            }
        }
        var value = CBORValue.unsigned(0)
        for _ in 0..<limit { value = .array([value]) }
        #expect(try CBORValue.decode(value.encoded()) == value)
        #expect(throws: CBORError(.tooDeep, at: limit + 1)) {
            try CBORValue.tagged(1, value).encoded()
        }
        #expect(CBORValue.tagged(1, value).diagnostic.hasPrefix("<CBOR items are nested"))
    }

    @Test("text that is not UTF-8 is refused, also in a chunk, and named by its offset")
    func invalidText() throws {
        let invalid = [
            "80", "bf", "c080", "c1bf", "c3", "c328", "e08080", "e09fbf", "eda080", "edbfbf",
            "e282", "e28228", "f0808080", "f08fbfbf", "f4908080", "f5808080", "f09f98", "ff", "fe",
            "41414141414141418080", "4141414141414141e282",
        ]
        for hex in invalid {
            let text = CBORExamples.bytes(hex)
            let whole = [0x60 | UInt8(text.count)] + text
            for (reader, fault) in Self.faults(whole) {
                #expect(fault == CBORError(.invalidText, at: 1), "\(hex) by \(reader)")
            }
            for (reader, fault) in Self.faults([0x81, 0x7F, 0x61, 0x41] + whole + [0xFF]) {
                #expect(fault == CBORError(.invalidText, at: 5), "\(hex) by \(reader)")
            }
        }
        // A character split between chunks is not valid, though the bytes joined would be.
        for (reader, fault) in Self.faults([0x7F, 0x61, 0xC3, 0x61, 0xBC, 0xFF]) {
            #expect(fault?.reason == .invalidText, "by \(reader)")
        }
    }

    @Test("the check for UTF-8 agrees with the standard library's on random bytes")
    func utf8() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let alphabet: [UInt8] = [
            0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xED,
            0xEE, 0xEF, 0xF0, 0xF1, 0xF4, 0xF5, 0xFF,
        ]
        for _ in 0..<50_000 {
            let bytes = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                alphabet.randomElement(using: &random) ?? 0
            }
            let expected = String(validating: bytes, as: UTF8.self) != nil
            let found = unsafe bytes.span.bytes.isUTF8(0..<bytes.count)
            #expect(found == expected, "\(bytes), seed \(seed)")
        }
    }

    @Test("text of any length is made byte for byte, and one bad byte anywhere refuses it")
    func textOfAnyLength() {
        for length in [0, 1, 7, 8, 9, 15, 16, 63, 64, 65, 72, 200] {
            let good = (0..<length).map { UInt8(0x20 + $0 % 95) }
            let text = unsafe good.span.bytes.text(0..<length)
            #expect(text.map { Array($0.utf8) } == good)
            for place in 0..<length {
                var bad = good
                bad[place] = 0x80
                #expect(unsafe bad.span.bytes.text(0..<length) == nil, "\(place) of \(length)")
            }
        }
    }

    @Test("values differ when their items do, however alike they look")
    func equality() {
        let composed = CBORValue.text("caf\u{E9}")
        let decomposed = CBORValue.text("cafe\u{301}")
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
        #expect(CBORValue.double(0) != .double(-0.0))
        #expect(CBORValue.float(.half(0x3C00)) != .float(.single(0x3F80_0000)))
        #expect(CBORValue.double(.nan) == .double(.nan))
        #expect(CBORValue.unsigned(0) != .negative(0))
        #expect(CBORValue.integer(.min) == .negative(UInt64(Int64.max)))
    }

    @Test("a float keeps its number in every width that can hold it, a NaN its payload")
    func floats() {
        for bits in UInt16.min...UInt16.max {
            let half = CBORFloat.half(bits)
            let single = half.singleValue
            #expect(single != nil)
            let again = CBORFloat.single(single?.bitPattern ?? 0)
            #expect(again.doubleValue.bitPattern == half.doubleValue.bitPattern, "\(bits)")
        }
        #expect(CBORFloat.half(0x0001).doubleValue == 0x1p-24)
        #expect(CBORFloat.half(0x3555).doubleValue == 0.333251953125)
        let signalling = CBORFloat.single(0xFFA0_0001)
        #expect(signalling.doubleValue.bitPattern == 0xFFF4_0000_2000_0000)
        let narrowed = CBORFloat.double(0xFFF4_0000_2000_0000).singleValue
        #expect(narrowed?.bitPattern == 0xFFA0_0001)
        #expect(CBORFloat.double(0x7FF0_0000_0000_0001).singleValue == nil)
        #expect(CBORFloat.double((0.1).bitPattern).singleValue == nil)
        #expect(CBORFloat.double((1e300).bitPattern).singleValue == nil)
    }

    @Test("a simple value that does not exist is not written, nor anything around it")
    func invalidSimple() {
        var writer = CBORWriter(appendingTo: [0x01])
        for number in UInt8(24)..<32 {
            #expect(throws: CBORError(.invalidSimple, at: 2)) {
                try writer.value(.array([.simple(number)]))
            }
        }
        #expect(writer.bytes == [0x01])
    }

    @Test("the notation escapes what would move a cursor or turn the writing")
    func escapes() {
        let text = CBORValue.text("\u{1B}[31m\n\t\0\u{7F}\u{9B}\u{202E}\u{2066}é\u{301}")
        let expected =
            #""\u001b[31m\n\t\u0000\u007f\u009b\u202e\u2066"# + "é\u{301}\""
        #expect(text.diagnostic.utf8.elementsEqual(expected.utf8))
    }

    /// What each of the three ways to read an item says to these bytes.
    static func faults(_ bytes: [UInt8]) -> [(reader: String, fault: CBORError?)] {
        func fault(_ body: () throws(CBORError) -> Int) -> CBORError? {
            do {
                let end = try body()
                return end == bytes.count ? nil : CBORError(.trailingBytes, at: end)
            } catch {
                return error
            }
        }
        return [
            (
                "decode",
                fault { () throws(CBORError) in
                    _ = try CBORValue.decode(bytes)
                    return bytes.count
                }
            ),
            (
                "skip",
                fault { () throws(CBORError) in
                    var reader = CBORReader()
                    try reader.skip(in: unsafe bytes.span.bytes, checkingText: true)
                    return reader.offset
                }
            ),
            (
                "diagnostic",
                fault { () throws(CBORError) in
                    _ = try CBORValue.diagnostic(of: unsafe bytes.span.bytes)
                    return bytes.count
                }
            ),
        ]
    }
}
