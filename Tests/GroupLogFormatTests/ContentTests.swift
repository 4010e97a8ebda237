import TestSupport
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

    /// The kinds of values.
    private enum Kind: CaseIterable {
        case mark, sync, emptySync, cursor, replacement

        var bytes: [UInt8] {
            switch self {
            case .mark: ContentTests.mark.encoded()
            case .sync: ContentTests.sync.encoded()
            case .emptySync: SyncStateContent(sentSequence: 0, state: .pending).encoded()
            case .cursor: ContentTests.cursor.encoded()
            case .replacement: ContentTests.replacement.encoded()
            }
        }

        /// Reads bytes, and writes what was read.
        func reread(_ bytes: [UInt8]) throws -> [UInt8] {
            let span = unsafe bytes.span.bytes
            switch self {
            case .mark: return try MarkContent.decode(span).encoded()
            case .sync, .emptySync: return try SyncStateContent.decode(span).encoded()
            case .cursor: return try CursorContent.decode(span).encoded()
            case .replacement: return try ReplacementContent.decode(span).encoded()
            }
        }
    }

    @Test("every value comes back as it was")
    func roundTrip() throws {
        for kind in Kind.allCases { #expect(try kind.reread(kind.bytes) == kind.bytes) }
        let cursor = Self.cursor.encoded()
        #expect(try CursorContent.decode(unsafe cursor.span.bytes) == Self.cursor)
        let sync = Self.sync.encoded()
        let state = try SyncStateContent.decode(unsafe sync.span.bytes)
        #expect(state.sentSequence == .max && state.state == .failed && state.attempts == .max)
        #expect(state.nextTry == .min && state.reason == "refused")
        #expect(state.claim?.owner == "app" && state.claim?.until == -1)
    }

    @Test("keys that are not known are passed over, in any order and of any type")
    func unknownKeys() throws {
        for kind in Kind.allCases {
            let bytes = kind.bytes
            guard case .map(var pairs) = try CBORValue.decode(bytes) else { continue }
            pairs.append(CBORPair(.unsigned(99), .array([.map([]), .null])))
            pairs.append(CBORPair(.text("new"), .true))
            pairs.append(CBORPair(.negative(0), .undefined))
            pairs.reverse()
            #expect(try kind.reread(try CBORValue.map(pairs).encoded()) == bytes)
        }
    }

    @Test("a value without one of its keys, or with one twice, or of another type, is refused")
    func refused() throws {
        for kind in Kind.allCases {
            let bytes = kind.bytes
            guard case .map(let pairs) = try CBORValue.decode(bytes) else { continue }
            for index in pairs.indices {
                var fewer = pairs
                fewer.remove(at: index)
                // What may be null may also be missing.
                if let result = try? kind.reread(CBORValue.map(fewer).encoded()) {
                    #expect([.unsigned(4), .unsigned(5)].contains(pairs[index].key))
                    #expect(result.contains(0xF6))
                }
                for other in [CBORValue.float(.half(0)), .simple(99), .tagged(1, .unsigned(0))] {
                    var changed = pairs
                    changed[index].value = other
                    #expect(throws: FormatError.self) {
                        try kind.reread(CBORValue.map(changed).encoded())
                    }
                }
                #expect(throws: FormatError.self) {
                    try kind.reread(CBORValue.map(pairs + [pairs[index]]).encoded())
                }
            }
            #expect(throws: FormatError.self) { try kind.reread([0x80]) }
            #expect(throws: FormatError.self) { try kind.reread(bytes + [0]) }
            for cut in bytes.indices {
                #expect(throws: FormatError.self) { try kind.reread(Array(bytes[..<cut])) }
            }
        }
    }

    @Test("random changes are refused or read, and never a trap")
    func mutations() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20_000 {
            for kind in Kind.allCases {
                let bytes = kind.bytes
                var changed = bytes
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let place = Int.random(in: 0..<bytes.count, using: &random)
                    changed[place] = UInt8.random(in: 0...255, using: &random)
                }
                // What is read must be something that can be read again.
                if let result = try? kind.reread(changed) {
                    #expect((try? kind.reread(result)) == result, "\(changed), seed \(seed)")
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
            let encoded = try value.encoded()
            return try MarkContent.decode(unsafe encoded.span.bytes)
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
