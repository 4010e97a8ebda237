import Foundation
import GroupLog
import GroupLogFormat
import TestSupport
import Testing

@Suite struct CodingRandomTests {
    struct Tree: Codable, Equatable {
        var id: UUID
        var name: String
        var created: Date
        var small: Int8
        var large: UInt64
        var anything: Anything
        var shape: CodingContainerTests.Shape?
        var children: [Tree]
        var byNumber: [Int: String]
        var byText: [String: Data]
    }

    @Test("20,000 random values of models come back as they were")
    func models() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20_000 {
            let tree = Self.tree(depth: Int.random(in: 0...1, using: &random), using: &random)
            let bytes = try RecordEncoder().encodeValue(tree)
            #expect(try decode(Tree.self, bytes) == tree, "seed \(seed)")
        }
    }

    @Test("20,000 random values of no fixed type come back as they were, indexed and not")
    func anything() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20_000 {
            let value = Self.anything(depth: 3, using: &random)
            #expect(try stored(value) == value, "seed \(seed)")
            let names = CodingRecordTests.Names()
            let content = try RecordEncoder().encode(value) { names.index(of: $0) }
            let again = try RecordDecoder().decode(
                Anything.self, from: unsafe content.bytes.span.bytes, isIndexed: content.isIndexed
            ) { names.name(at: $0) }
            #expect(again == value, "seed \(seed)")
            let reader = try CBORValue.decode(content.bytes)
            #expect(try reader.encoded() == content.bytes, "not the shortest, seed \(seed)")
        }
    }

    @Test("damaged values are an error or another value, never a trap")
    func damage() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        var refused = 0
        for _ in 0..<5_000 {
            var bytes = try RecordEncoder().encodeValue(Self.tree(depth: 1, using: &random))
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                bytes[place] = UInt8.random(in: 0...255, using: &random)
            }
            if Bool.random(using: &random) {
                bytes.removeLast(Int.random(in: 0...min(5, bytes.count), using: &random))
            }
            do {
                _ = try decode(Tree.self, bytes)
            } catch is DecodingError {
                refused += 1
            }
            if let value = try? decode(Anything.self, bytes) { _ = try? stored(value) }
        }
        #expect(refused > 500, "seed \(seed)")
    }

    static func tree(depth: Int, using random: inout SeededGenerator) -> Tree {
        let count = depth == 0 ? 0 : Int.random(in: 0...3, using: &random)
        let many = Int.random(in: 0..<20, using: &random) == 0 ? 30 : 3
        let bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
        return Tree(
            id: unsafe bytes.withUnsafeBytes {
                UUID(uuid: unsafe $0.loadUnaligned(as: uuid_t.self))
            },
            name: text(using: &random), created: date(using: &random, isNumber: true),
            small: Int8.random(in: .min ... .max, using: &random),
            large: random.next() >> UInt64.random(in: 0..<64, using: &random),
            anything: anything(depth: depth, using: &random),
            shape: Bool.random(using: &random) ? shape(depth: depth, using: &random) : nil,
            children: (0..<count).map { _ in tree(depth: depth - 1, using: &random) },
            byNumber: Dictionary(
                (0..<Int.random(in: 0...many, using: &random)).map { _ in
                    (Int.random(in: -50...300, using: &random), text(using: &random))
                }, uniquingKeysWith: { first, _ in first }),
            byText: Dictionary(
                (0..<count).map { (text(using: &random), Data(bytes.prefix($0))) },
                uniquingKeysWith: { first, _ in first }))
    }

    static func shape(
        depth: Int, using random: inout SeededGenerator
    ) -> CodingContainerTests.Shape {
        switch Int.random(in: 0..<(depth == 0 ? 3 : 4), using: &random) {
        case 0: .point
        case 1: .circle(radius: Double(random.next() >> 11))
        case 2: .text(text(using: &random), at: [Int(truncatingIfNeeded: random.next())])
        default: .both(shape(depth: depth - 1, using: &random), .point)
        }
    }

    static func anything(depth: Int, using random: inout SeededGenerator) -> Anything {
        let count = Int.random(in: 0...5, using: &random)
        switch Int.random(in: 0..<(depth == 0 ? 7 : 11), using: &random) {
        case 0: return .null
        case 1: return .bool(.random(using: &random))
        case 2:
            let wide = Int128(truncatingIfNeeded: random.next()) << 64 | Int128(random.next())
            return .integer(wide >> Int128.random(in: 0..<128, using: &random))
        case 3: return .double(Double(bitPattern: random.next()))
        case 4: return .text(text(using: &random))
        case 5: return .data(Data(text(using: &random).utf8))
        case 6: return .date(date(using: &random, isNumber: false))
        case 7, 8:
            return .list((0..<count).map { _ in anything(depth: depth - 1, using: &random) })
        default:
            let numbers = Bool.random(using: &random)
            let many = Int.random(in: 0..<50, using: &random) == 0 ? 40 : count
            return .map(
                (0..<many).map { place in
                    let texts = ["\(place)", "0\(place)", "\(place)-" + text(using: &random)]
                    let key =
                        numbers
                        ? String(place * 9 - 20) : texts.randomElement(using: &random) ?? ""
                    return (key, anything(depth: depth - 1, using: &random))
                })
        }
    }

    static func date(using random: inout SeededGenerator, isNumber: Bool) -> Date {
        let bits = Double(bitPattern: random.next())
        return Date(timeIntervalSinceReferenceDate: isNumber && bits.isNaN ? 0.5 : bits)
    }

    static func text(using random: inout SeededGenerator) -> String {
        let alphabet = ["a", "Z", "0", " ", "\"", "\n", "\u{E9}", "e\u{301}", "水", "👩‍👩‍👧", "\0"]
        let length = Int.random(in: 0...6, using: &random)
        return (0..<length).map { _ in alphabet.randomElement(using: &random) ?? "" }.joined()
    }
}
