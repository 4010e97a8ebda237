import Foundation
import GroupLog
import GroupLogFormat
import Testing

@Suite struct CodingErrorTests {
    struct Model: Codable {
        struct Part: Codable { var numbers: [Int8] }
        var parts: [String: Part]
    }

    /// The path and the kind of a decoding error.
    private func fault<T: Decodable>(_ type: T.Type, _ bytes: [UInt8]) -> (String, String) {
        func path(_ context: DecodingError.Context) -> String {
            context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
                .joined(separator: "/")
        }
        do {
            _ = try decode(type, bytes)
            return ("", "none")
        } catch DecodingError.typeMismatch(_, let context) {
            return (path(context), "mismatch")
        } catch DecodingError.valueNotFound(_, let context) {
            return (path(context), "null")
        } catch DecodingError.keyNotFound(let key, let context) {
            return (path(context), "no \(key.stringValue)")
        } catch DecodingError.dataCorrupted(let context) {
            return (path(context), "corrupted")
        } catch {
            return ("", "\(error)")
        }
    }

    @Test("an error of decoding says what it is and where")
    func paths() throws {
        func bytes(_ number: CBORValue, name: String = "numbers") throws -> [UInt8] {
            let part = CBORValue.map([CBORPair(.text(name), .array([.unsigned(1), number]))])
            let parts = CBORValue.map([CBORPair(.text("p"), part)])
            return try CBORValue.map([CBORPair(.text("parts"), parts)]).encoded()
        }
        #expect(try fault(Model.self, bytes(.unsigned(2))) == ("", "none"))
        let place = "parts/p/numbers/1"
        #expect(try fault(Model.self, bytes(.text("x"))) == (place, "mismatch"))
        #expect(try fault(Model.self, bytes(.null)) == (place, "null"))
        #expect(try fault(Model.self, bytes(.unsigned(128))) == (place, "corrupted"))
        #expect(
            try fault(Model.self, bytes(.unsigned(2), name: "x")) == ("parts/p", "no numbers"))
        #expect(fault([Int].self, hex("a0")) == ("", "mismatch"))
        #expect(fault([String: Int].self, hex("80")) == ("", "mismatch"))
        #expect(fault([String: Int].self, hex("f6")) == ("", "null"))
        #expect(fault(String.self, hex("61ff")) == ("", "corrupted"))
    }

    @Test("an error of encoding says where")
    func encodingPaths() throws {
        struct Refusing: Encodable {
            func encode(to encoder: any Encoder) throws {
                #expect(encoder.codingPath.map(\.stringValue) == ["a", "Index 1"])
                var container = encoder.container(keyedBy: ABC.self)
                var list = container.nestedUnkeyedContainer(forKey: .b)
                #expect(list.codingPath.map(\.stringValue) == ["a", "Index 1", "b"])
                let inner = list.superEncoder()
                #expect(inner.codingPath.count == 4)
                throw EncodingError.invalidValue(
                    1, .init(codingPath: encoder.codingPath, debugDescription: ""))
            }
        }
        let value = Encoded { encoder in
            var container = encoder.container(keyedBy: ABC.self)
            var list = container.nestedUnkeyedContainer(forKey: .a)
            try list.encode(0)
            try list.encode(Refusing())
        }
        #expect(throws: EncodingError.self) { try RecordEncoder().encodeValue(value) }
    }

    @Test("the same key twice in a map is corrupted data, in small maps and in large ones")
    func duplicates() throws {
        for count in [1, 2, 15, 16, 17, 18, 500] {
            for integers in [false, true] {
                var pairs = (0..<count).map { number in
                    CBORPair(
                        integers ? .unsigned(UInt64(number)) : .text("key \(number)"), .unsigned(1))
                }
                let good = try CBORValue.map(pairs).encoded()
                #expect(try decode([String: Int].self, good).count == count)
                pairs.append(pairs[count / 2])
                let bad = try CBORValue.map(pairs).encoded()
                #expect(fault([String: Int].self, bad) == ("", "corrupted"), "\(count)")
            }
        }
        // A number and its text are one key, since Codable does not tell them apart.
        #expect(fault([String: Int].self, hex("a20701613702")) == ("", "corrupted"))
        #expect(fault([String: Int].self, hex("a1f501")) == ("", "corrupted"))
    }

    @Test("a key that is encoded twice is refused, in small maps and in large ones")
    func encodedTwice() throws {
        struct Key: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
        for count in [1, 2, 16, 17, 18, 40, 300] {
            for twice in [0, count / 2, count - 1] {
                let value = Encoded { encoder in
                    var container = encoder.container(keyedBy: Key.self)
                    for number in 0..<count {
                        try container.encode(number, forKey: Key(stringValue: "key \(number)"))
                    }
                    #expect(throws: EncodingError.self, "\(count)") {
                        try container.encode(1, forKey: Key(stringValue: "key \(twice)"))
                    }
                    let more = Key(stringValue: "more")
                    #expect(throws: CancellationError.self) {
                        try container.encode(
                            Encoded { _ in throw CancellationError() }, forKey: more)
                    }
                    try container.encode(2, forKey: more)
                }
                let bytes = try RecordEncoder().encodeValue(value)
                #expect(try decode([String: Int].self, bytes).count == count + 1)
            }
        }
    }

    @Test("what fails to be encoded leaves nothing behind, so a type may go on without it")
    func rollback() throws {
        struct Failing: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: ABC.self)
                try container.encode([1, 2], forKey: .a)
                _ = container.nestedContainer(keyedBy: ABC.self, forKey: .b)
                var list = container.nestedUnkeyedContainer(forKey: .c)
                try list.encode(5)
                throw CancellationError()
            }
        }
        let value = Encoded { encoder in
            var container = encoder.container(keyedBy: ABC.self)
            var list = container.nestedUnkeyedContainer(forKey: .a)
            try list.encode(1)
            #expect(throws: CancellationError.self) { try list.encode(Failing()) }
            #expect(throws: CancellationError.self) { try list.encode([["x": Failing()]]) }
            try list.encode(2)
            #expect(throws: CancellationError.self) { try container.encode(Failing(), forKey: .b) }
            try container.encode(
                Encoded { encoder in
                    #expect(encoder.codingPath.map(\.stringValue) == ["b"])
                    try 3.encode(to: encoder)
                }, forKey: .b)
            try container.encode(
                Encoded { encoder in
                    var single = encoder.singleValueContainer()
                    #expect(throws: CancellationError.self) { try single.encode(Failing()) }
                    try single.encode("instead")
                }, forKey: .c)
        }
        #expect(try notation(value) == "{\"a\": [1, 2], \"b\": 3, \"c\": \"instead\"}")
    }

    @Test("containers of two kinds, two values, or a container out of its time are errors")
    func misuse() {
        final class Keeper: @unchecked Sendable {
            var list: (any UnkeyedEncodingContainer)?
            var map: KeyedEncodingContainer<ABC>?
        }
        let keeper = Keeper()
        let misuses: [(any Encoder) throws -> Void] = [
            { encoder in
                _ = encoder.unkeyedContainer()
                _ = encoder.container(keyedBy: ABC.self)
            },
            { encoder in
                var single = encoder.singleValueContainer()
                try single.encode(1)
                try single.encode(2)
            },
            { encoder in
                var single = encoder.singleValueContainer()
                try single.encode(1)
                _ = encoder.unkeyedContainer()
            },
            { encoder in
                var list = encoder.unkeyedContainer()
                keeper.list = list
                try list.encode(Encoded { _ in try keeper.list?.encode(1) })
            },
            { encoder in
                var list = encoder.unkeyedContainer()
                try list.encode(
                    Encoded { encoder in
                        keeper.map = encoder.container(keyedBy: ABC.self)
                        keeper.list = keeper.map?.nestedUnkeyedContainer(forKey: .a)
                    })
                try list.encode(1)
                try keeper.map?.encode(1, forKey: .b)
            },
            { encoder in
                var list = encoder.unkeyedContainer()
                try list.encode(Encoded { keeper.map = $0.container(keyedBy: ABC.self) })
                _ = keeper.map?.nestedUnkeyedContainer(forKey: .a)
            },
        ]
        for (number, misuse) in misuses.enumerated() {
            #expect(throws: EncodingError.self, "misuse \(number)") {
                try RecordEncoder().encodeValue(Encoded(misuse))
            }
        }
        #expect(throws: EncodingError.self) { try keeper.list?.encode(1) }
        #expect(throws: EncodingError.self) { try keeper.map?.encode(1, forKey: .c) }
        #expect(keeper.list?.count == 0)
    }

    struct Chain: Codable {
        var next: [Chain]
        static func bytes(_ depth: Int) -> [UInt8] {
            Array(repeatElement(hex("a1646e65787481"), count: depth).joined())
                + hex("a1646e65787480")
        }
    }

    @Test("values nested too deep are errors, coming and going, and 255 chains are not")
    func depth() throws {
        var chain = Chain(next: [])
        for _ in 0..<254 { chain = Chain(next: [chain]) }
        #expect(try RecordEncoder().encodeValue(chain) == Chain.bytes(254))
        _ = try decode(Chain.self, Chain.bytes(254))
        for _ in 0..<10 { chain = Chain(next: [chain]) }
        let tooDeep = chain
        #expect(throws: EncodingError.self) { try RecordEncoder().encodeValue(tooDeep) }
        for depth in [256, 100_000] {
            #expect(fault(Chain.self, Chain.bytes(depth)) == ("", "corrupted"))
        }
        final class Endless: Codable {
            init() {}
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(self)
            }
            convenience init(from decoder: any Decoder) throws {
                self.init()
                _ = try decoder.singleValueContainer().decode(Endless.self)
            }
        }
        #expect(throws: EncodingError.self) { try RecordEncoder().encodeValue(Endless()) }
        #expect(fault(Endless.self, [0x00]) == ("", "corrupted"))
        for isMap in [false, true] {
            let nesting = Encoded { encoder in
                var list = encoder.unkeyedContainer()
                for _ in 0..<100_000 {
                    if isMap {
                        var map = list.nestedContainer(keyedBy: ABC.self)
                        list = map.nestedUnkeyedContainer(forKey: .a)
                    } else {
                        list = list.nestedUnkeyedContainer()
                    }
                }
            }
            #expect(throws: EncodingError.self) { try RecordEncoder().encodeValue(nesting) }
        }
    }

    @Test("what is encoded as deep as it may be can be read again")
    func deepest() throws {
        struct Deep: Codable {
            var depth: Int
            init(depth: Int) { self.depth = depth }
            func encode(to encoder: any Encoder) throws {
                var list = encoder.unkeyedContainer()
                if depth == 0 {
                    try list.encode(UUID())
                    try list.encode(Date())
                } else {
                    try list.encode(Deep(depth: depth - 1))
                }
            }
            init(from decoder: any Decoder) throws {
                var list = try decoder.unkeyedContainer()
                if (try? list.decode(UUID.self)) != nil {
                    _ = try list.decode(Date.self)
                    depth = 0
                } else {
                    depth = try list.decode(Deep.self).depth + 1
                }
            }
        }
        var deepest = 500
        while let bytes = try? RecordEncoder().encodeValue(Deep(depth: deepest)) {
            #expect(try decode(Deep.self, bytes).depth == deepest)
            deepest += 1
        }
        #expect(deepest == CBORValue.maximumDepth - 1)
    }
}
