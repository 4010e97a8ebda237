import GroupLogFormat
import TestSupport
import Testing

@Suite struct CBORRandomTests {
    @Test("random trees come back as they were, and their heads are the shortest")
    func roundTrip() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<5_000 {
            let value = Self.value(depth: 5, using: &random)
            let bytes = try value.encoded()
            let again = try CBORValue.decode(bytes)
            #expect(again == value, "seed \(seed)")
            #expect(try again.encoded() == bytes, "seed \(seed)")
            for (reader, fault) in CBORTests.faults(bytes) {
                #expect(fault == nil, "by \(reader), seed \(seed)")
            }
        }
    }

    @Test("random bytes, and random changes to good ones, give one answer and never a trap")
    func mutations() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        for round in 0..<20_000 {
            var bytes: [UInt8]
            if round.isMultiple(of: 2) {
                bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
            } else {
                bytes = try Self.value(depth: 3, using: &random).encoded()
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    let place = Int.random(in: 0..<bytes.count, using: &random)
                    bytes[place] = UInt8.random(in: 0...255, using: &random)
                }
            }
            let faults = CBORTests.faults(bytes)
            #expect(
                Set(faults.map { $0.fault?.reason }).count == 1,
                "\(faults), \(bytes), seed \(seed)")
        }
    }

    static func value(depth: Int, using random: inout SeededGenerator) -> CBORValue {
        let count = Int.random(in: 0...5, using: &random)
        switch Int.random(in: 0..<(depth == 0 ? 8 : 12), using: &random) {
        case 0: return .unsigned(number(using: &random))
        case 1: return .negative(number(using: &random))
        case 2:
            let length = Int.random(in: 0...300, using: &random)
            return .bytes((0..<length).map { _ in UInt8.random(in: 0...255, using: &random) })
        case 3: return .text(text(using: &random))
        case 4:
            let value = UInt8.random(in: 0...223, using: &random)
            return .simple(value < 24 ? value : value + 32)
        case 5: return .float(.half(UInt16.random(in: 0...UInt16.max, using: &random)))
        case 6: return .float(.single(UInt32.random(in: 0...UInt32.max, using: &random)))
        case 7: return .float(.double(UInt64.random(in: 0...UInt64.max, using: &random)))
        case 8, 9:
            return .array((0..<count).map { _ in value(depth: depth - 1, using: &random) })
        case 10:
            return .map(
                (0..<count).map { _ in
                    CBORPair(
                        value(depth: depth - 1, using: &random),
                        value(depth: depth - 1, using: &random))
                })
        default:
            return .tagged(number(using: &random), value(depth: depth - 1, using: &random))
        }
    }

    /// A number of any magnitude, as often near the edge of a head's width as not.
    static func number(using random: inout SeededGenerator) -> UInt64 {
        let edges: [UInt64] = [0, 23, 24, 255, 256, 65535, 65536, 1 << 32 - 1, 1 << 32, .max]
        if Bool.random(using: &random) { return edges.randomElement(using: &random) ?? 0 }
        return random.next() >> UInt64.random(in: 0..<64, using: &random)
    }

    static func text(using random: inout SeededGenerator) -> String {
        let alphabet = ["a", "Z", "0", " ", "\"", "\n", "\u{E9}", "e\u{301}", "水", "👩‍👩‍👧", "\0"]
        let length = Int.random(in: 0...30, using: &random)
        return (0..<length).map { _ in alphabet.randomElement(using: &random) ?? "" }.joined()
    }
}
