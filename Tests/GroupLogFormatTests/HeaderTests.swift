import Testing

@testable import GroupLogFormat

@Suite struct HeaderTests {
    static let header = LogHeader(
        storeID: StoreID(bytes: Array(1...16)), generation: 7, salt: 0xA5A5_0102_0304_0506)

    @Test("a log begins with two copies of its header, with zeros between them")
    func preamble() throws {
        let bytes = Self.header.encodedPreamble()
        #expect(bytes.count == 4160)
        #expect(bytes[..<64] == bytes[4096...])
        #expect(bytes[64..<4096].allSatisfy { $0 == 0 })
        let copies = try HeaderCopies.decode(unsafe bytes.span.bytes)
        #expect(copies.header == Self.header)
        #expect(copies.firstFault == nil && copies.secondFault == nil)
    }

    @Test("any one bit flipped in either copy is noticed, and the other copy serves")
    func flips() throws {
        let good = Self.header.encodedPreamble()
        for start in [0, 4096] {
            for bit in 0..<64 * 8 {
                var bytes = good
                bytes[start + bit / 8] ^= 1 << UInt8(bit % 8)
                let copies = try HeaderCopies.decode(unsafe bytes.span.bytes)
                #expect(copies.header == Self.header)
                #expect((copies.firstFault != nil) == (start == 0), "bit \(bit)")
                #expect((copies.secondFault != nil) == (start == 4096), "bit \(bit)")
            }
        }
    }

    @Test("with both copies damaged the lock file's copy serves, and without it nothing does")
    func bothDamaged() throws {
        var bytes = Self.header.encodedPreamble()
        bytes[20] ^= 1
        bytes[4096 + 33] ^= 1
        let error = #expect(throws: FormatError.self) {
            try HeaderCopies.decode(unsafe bytes.span.bytes)
        }
        #expect(error?.kind == .badChecksum)
        let copies = try HeaderCopies.decode(unsafe bytes.span.bytes, lockCopy: Self.header)
        #expect(copies.header == Self.header)
        #expect(copies.firstFault != nil && copies.secondFault != nil)
    }

    @Test("a log cut anywhere in its headers is read by the copy that is whole, or refused")
    func cut() throws {
        let good = Self.header.encodedPreamble()
        for length in Array(0...64) + [4095, 4096, 4097, 4159] {
            let bytes = Array(good[..<length])
            let header = try? HeaderCopies.decode(unsafe bytes.span.bytes).header
            #expect(header == (length < 64 ? nil : Self.header), "\(length) bytes")
        }
    }

    @Test("two good copies that differ are reported, and the first one serves")
    func differing() throws {
        var bytes = Self.header.encodedPreamble()
        var other = Self.header
        other.salt += 1
        bytes.replaceSubrange(4096..<4160, with: other.encoded())
        let copies = try HeaderCopies.decode(unsafe bytes.span.bytes)
        #expect(copies.header == Self.header)
        #expect(copies.secondFault?.kind == .malformed)
    }

    @Test("a newer major version or an unknown required feature in either copy is an error")
    func newer() throws {
        let changes: [(inout LogHeader) -> Void] = [
            { $0.majorVersion = LogLayout.majorVersion + 1 },
            { $0.requiredFeatures = 1 },
            { $0.requiredFeatures = 1 << 31 },
        ]
        for change in changes {
            var newer = Self.header
            change(&newer)
            for start in [0, 4096] {
                var bytes = Self.header.encodedPreamble()
                bytes.replaceSubrange(start..<start + 64, with: newer.encoded())
                let error = #expect(throws: FormatError.self) {
                    try HeaderCopies.decode(unsafe bytes.span.bytes, lockCopy: Self.header)
                }
                #expect(error?.kind == .unsupportedVersion)
            }
        }
    }

    @Test("a newer minor version or an unknown optional feature can be read and not written")
    func readable() throws {
        try Self.header.checkWritable()
        let changes: [(inout LogHeader) -> Void] = [
            { $0.minorVersion = LogLayout.minorVersion + 1 }, { $0.optionalFeatures = 1 << 31 },
        ]
        for change in changes {
            var newer = Self.header
            change(&newer)
            let bytes = newer.encodedPreamble()
            #expect(try HeaderCopies.decode(unsafe bytes.span.bytes).header == newer)
            let error = #expect(throws: FormatError.self) { try newer.checkWritable() }
            #expect(error?.kind == .unsupportedVersion)
        }
    }

    @Test("a generation that cannot be counted on from is refused")
    func generations() throws {
        for (generation, isGood) in [
            (0, false), (1, true), (UInt64(Int64.max), true), (UInt64(Int64.max) + 1, false),
            (.max, false),
        ] {
            var header = Self.header
            header.generation = generation
            let bytes = header.encoded()
            #expect(((try? LogHeader.decode(unsafe bytes.span.bytes)) != nil) == isGood)
        }
    }

    @Test("other files are told apart from damaged logs")
    func otherFiles() {
        for text in ["", "SQLite format 3\0", "#!/bin/sh\n", String(repeating: "x", count: 5000)] {
            let bytes = Array(text.utf8)
            let error = #expect(throws: FormatError.self) {
                try HeaderCopies.decode(unsafe bytes.span.bytes)
            }
            #expect(error?.kind == (bytes.count < 64 ? .truncated : .notALog))
        }
    }
}
