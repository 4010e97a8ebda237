import Testing

@testable import GroupLogFormat

/// The values that the store writes for itself.
@Suite struct ContentTests {
    static let mark = MarkContent(
        lastSequence: 10, completeSince: 4, firstCommit: 8, checksums: [1, 0, 0xFFFF_FFFF],
        cursors: [
            .init(name: "e\u{301}", sequence: 3, checksum: 9),
            .init(name: "\u{E9}", sequence: 10, checksum: 0xFFFF_FFFF),
        ])
    static let sync = SyncStateContent(
        sentSequence: .max, state: .failed, attempts: .max, nextTry: .min,
        claim: .init(owner: "app", until: -1), reason: "refused")
    static let cursor = CursorContent(sequence: 5, checksum: 6, updated: -7, isRetired: true)
    static let replacement = ReplacementContent(generation: 3)

    /// Each kind of value: its bytes, and what reading makes of some bytes when it does not fail.
    private static let kinds: [(bytes: [UInt8], reread: ([UInt8]) throws -> [UInt8])] = [
        (mark.encoded(), { try MarkContent.decode(unsafe $0.span.bytes).encoded() }),
        (sync.encoded(), { try SyncStateContent.decode(unsafe $0.span.bytes).encoded() }),
        (
            SyncStateContent(sentSequence: 0, state: .pending).encoded(),
            { try SyncStateContent.decode(unsafe $0.span.bytes).encoded() }
        ),
        (cursor.encoded(), { try CursorContent.decode(unsafe $0.span.bytes).encoded() }),
        (replacement.encoded(), { try ReplacementContent.decode(unsafe $0.span.bytes).encoded() }),
    ]

    @Test("every value comes back as it was")
    func roundTrip() throws {
        for (bytes, reread) in Self.kinds { #expect(try reread(bytes) == bytes) }
        #expect(try MarkContent.decode(unsafe Self.mark.encoded().span.bytes) == Self.mark)
        #expect(try SyncStateContent.decode(unsafe Self.sync.encoded().span.bytes) == Self.sync)
        #expect(try CursorContent.decode(unsafe Self.cursor.encoded().span.bytes) == Self.cursor)
    }

    @Test("keys that are not known are passed over, in any order and of any type")
    func unknownKeys() throws {
        for (bytes, reread) in Self.kinds {
            guard case .map(var pairs) = try CBORValue.decode(bytes) else { continue }
            pairs.append(CBORPair(.unsigned(99), .array([.map([]), .null])))
            pairs.append(CBORPair(.text("new"), .true))
            pairs.append(CBORPair(.negative(0), .undefined))
            pairs.reverse()
            #expect(try reread(try CBORValue.map(pairs).encoded()) == bytes)
        }
    }

    @Test("a value without one of its keys, or with one twice, or of another type, is refused")
    func refused() throws {
        for (bytes, reread) in Self.kinds {
            guard case .map(let pairs) = try CBORValue.decode(bytes) else { continue }
            for index in pairs.indices {
                var fewer = pairs
                fewer.remove(at: index)
                // What may be null may also be missing.
                if let result = try? reread(CBORValue.map(fewer).encoded()) {
                    #expect([.unsigned(4), .unsigned(5)].contains(pairs[index].key))
                    #expect(result.contains(0xF6))
                }
                for other in [CBORValue.float(.half(0)), .simple(99), .tagged(1, .unsigned(0))] {
                    var changed = pairs
                    changed[index].value = other
                    #expect(throws: FormatError.self) {
                        try reread(CBORValue.map(changed).encoded())
                    }
                }
                #expect(throws: FormatError.self) {
                    try reread(CBORValue.map(pairs + [pairs[index]]).encoded())
                }
            }
            #expect(throws: FormatError.self) { try reread([0x80]) }
            #expect(throws: FormatError.self) { try reread(bytes + [0]) }
            for cut in bytes.indices {
                #expect(throws: FormatError.self) { try reread(Array(bytes[..<cut])) }
            }
        }
    }

    @Test("random changes are refused or read, and never a trap")
    func mutations() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed)
        for _ in 0..<20_000 {
            for (bytes, reread) in Self.kinds {
                var changed = bytes
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let place = Int.random(in: 0..<bytes.count, using: &random)
                    changed[place] = UInt8.random(in: 0...255, using: &random)
                }
                // What is read must be something that can be read again.
                if let result = try? reread(changed) {
                    #expect((try? reread(result)) == result, "\(changed), seed \(seed)")
                }
            }
        }
    }

    @Test("a mark knows the checksums of its commits, and no others")
    func checksums() {
        let expected: [(UInt64, UInt32?)] = [
            (0, nil), (7, nil), (8, 1), (9, nil), (10, 0xFFFF_FFFF), (11, nil), (.max, nil),
        ]
        for (sequence, checksum) in expected {
            #expect(Self.mark.checksum(ofCommit: sequence) == checksum)
        }
    }

    @Test("a mark with too many checksums, or with some of commits that never were, is refused")
    func hostileMarks() throws {
        func mark(first: UInt64, last: UInt64, bytes: Int) throws -> MarkContent {
            let value = CBORValue.map([
                CBORPair(.unsigned(0), .unsigned(last)), CBORPair(.unsigned(1), .unsigned(0)),
                CBORPair(.unsigned(2), .unsigned(first)),
                CBORPair(.unsigned(3), .bytes([UInt8](repeating: 1, count: bytes))),
                CBORPair(.unsigned(4), .map([])),
            ])
            return try MarkContent.decode(unsafe value.encoded().span.bytes)
        }
        #expect(try mark(first: 1, last: 4096, bytes: 4 * 4096).checksums.count == 4096)
        #expect(try mark(first: 0, last: 0, bytes: 0).checksums.isEmpty)
        for (first, last, bytes) in [
            (1, 9000, 4 * 4097), (1, 3, 16), (2, 5, 20), (0, 5, 4), (6, 5, 4), (1, 5, 6),
            (UInt64.max, UInt64.max, 8),
        ] as [(UInt64, UInt64, Int)] {
            #expect(throws: FormatError.self) { try mark(first: first, last: last, bytes: bytes) }
        }
    }
}
