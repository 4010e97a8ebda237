import Foundation
import GroupLog
import GroupLogFormat
import Testing

@Suite struct CodingRecordTests {
    struct Item: Codable, Equatable {
        var id: Int
        var title: String
        var tags: [String: Int]
        var note: String?
    }

    /// A table of names as a frame has one.
    final class Names {
        var all: [String] = ["items"]
        func index(of name: String) -> Int? {
            if let index = all.firstIndex(where: { $0.utf8.elementsEqual(name.utf8) }) {
                return index
            }
            all.append(name)
            return all.count - 1
        }
        func name(at index: Int) -> String? { all.indices.contains(index) ? all[index] : nil }
    }

    let item = Item(id: 7, title: "t", tags: ["id": 1, "title": 2], note: nil)

    private func read<T: Decodable>(
        _ type: T.Type, _ content: FrameBuilder.Content, _ names: Names,
        injecting fields: [(name: String, value: [UInt8])] = []
    ) throws -> T {
        try RecordDecoder().decode(
            type, from: unsafe content.bytes.span.bytes, isIndexed: content.isIndexed,
            injecting: fields
        ) { names.name(at: $0) }
    }

    @Test("top-level keys are indexes of names, deeper ones names, and the key's field is left out")
    func indexes() throws {
        let names = Names()
        let content = try RecordEncoder().encode(item, omitting: ["id"]) { names.index(of: $0) }
        #expect(content.isIndexed)
        #expect(names.all == ["items", "title", "tags"])
        let value = try CBORValue.decode(content.bytes)
        let notations = [
            "{1: \"t\", 2: {\"id\": 1, \"title\": 2}}", "{1: \"t\", 2: {\"title\": 2, \"id\": 1}}",
        ]
        #expect(notations.contains(value.diagnostic))
        #expect(try read(Item.self, content, names, injecting: [("id", [7])]) == item)
        #expect(throws: DecodingError.self) { try read(Item.self, content, names) }
    }

    @Test("a field that is given back takes the place of the value's own, in all kinds of maps")
    func injection() throws {
        let names = Names()
        let indexed = try RecordEncoder().encode(item) { names.index(of: $0) }
        #expect(try read(Item.self, indexed, names).id == 7)
        #expect(try read(Item.self, indexed, names, injecting: [("id", [8])]).id == 8)
        let named = FrameBuilder.Content(
            bytes: try RecordEncoder().encodeValue(item), isIndexed: false)
        #expect(try read(Item.self, named, names, injecting: [("id", [0x18, 99])]).id == 99)
        struct Wide: Decodable, Equatable {
            var id: [Int]
            var title: String
            var other: String
        }
        let fields: [(name: String, value: [UInt8])] = [
            ("id", [0x81, 1]), ("other", [0x61, 0x6F]),
        ]
        let wide = try read(Wide.self, indexed, names, injecting: fields)
        #expect(wide == Wide(id: [1], title: "t", other: "o"))
        // Not for maps inside, and harmless for what is no map.
        let list = FrameBuilder.Content(bytes: [0x81, 0x05], isIndexed: false)
        #expect(try read([Int].self, list, names, injecting: fields) == [5])
    }

    @Test("values without fields are stored plainly, and wrappers as what they wrap")
    func plain() throws {
        let names = Names()
        func content<T: Encodable>(_ value: T) throws -> FrameBuilder.Content {
            try RecordEncoder().encode(value) { names.index(of: $0) }
        }
        for content in [try content(5), try content("x"), try content([1]), try content(Int?.none)]
        {
            #expect(!content.isIndexed)
        }
        #expect(try read([Int].self, content([1, 2]), names) == [1, 2])
        let wrapped = try content(Item?.some(item))
        #expect(wrapped.isIndexed)
        #expect(try read(Item?.self, wrapped, names) == item)
        #expect(try read(Item.self, wrapped, names) == item)
        let map = try content([10: "a", 20: "b"])
        #expect(map.isIndexed && names.all.suffix(2).sorted() == ["10", "20"])
        #expect(try read([Int: String].self, map, names) == [10: "a", 20: "b"])
        let empty = try content([String: Int]())
        #expect(try read([String: Int].self, empty, names).isEmpty)
        let url = try content(#require(URL(string: "b", relativeTo: URL(string: "http://a/"))))
        #expect(try read(URL.self, url, names).absoluteString == "http://a/b")
        let shape = try content(CodingContainerTests.Shape.circle(radius: 2))
        #expect(shape.isIndexed)
        #expect(try read(CodingContainerTests.Shape.self, shape, names) == .circle(radius: 2))
    }

    @Test("where one name finds no index all keep their names, also if the type hides the error")
    func noIndex() throws {
        let content = try RecordEncoder().encode(item, omitting: ["id"]) { $0 == "tags" ? nil : 1 }
        #expect(!content.isIndexed)
        #expect(try read(Item.self, content, Names(), injecting: [("id", [7])]) == item)
        struct Failure: Error {}
        let hiding = Encoded { encoder in
            var container = encoder.container(keyedBy: ABC.self)
            try? container.encode(1, forKey: .a)
            _ = container.nestedUnkeyedContainer(forKey: .b)
            try container.encode(3, forKey: .c)
        }
        for name in ["a", "b"] {
            let kept = try RecordEncoder().encode(hiding) {
                $0 == name ? nil : Int($0.utf8.first ?? 0)
            }
            #expect(
                try CBORValue.decode(kept.bytes).diagnostic == "{\"a\": 1, \"b\": [], \"c\": 3}")
            #expect(throws: Failure.self) {
                try RecordEncoder().encode(hiding) {
                    if $0 == name { throw Failure() } else { Int($0.utf8.first ?? 0) }
                }
            }
        }
    }

    @Test("a value indexed by more names than a word has bits still has each field once")
    func manyNames() throws {
        let names = Names()
        let many = Dictionary(uniqueKeysWithValues: (0..<3_000).map { ("n\($0)", $0) })
        let content = try RecordEncoder().encode(many) { names.index(of: $0) }
        #expect(try read([String: Int].self, content, names) == many)
    }

    @Test("fields that nobody asks for are passed over, whatever they are")
    func unknown() throws {
        struct Small: Decodable { var title: String }
        let names = Names()
        let content = try RecordEncoder().encode(item) { names.index(of: $0) }
        #expect(try read(Small.self, content, names).title == "t")
        let bytes = hex("a46161c1818205a16162d825f7657469746c65617462787860" + "c0" + "60")
        #expect(throws: DecodingError.self) { try decode(Small.self, bytes) }
        let good = hex("a36161c1818205a16162d825f7657469746c65617462787860")
        #expect(try decode(Small.self, good).title == "t")
    }

    @Test("an index that the table of names does not have is corrupted data")
    func unknownIndex() throws {
        let names = Names()
        for bytes in [
            hex("a11864f6"), hex("a16161f6"), hex("a120f6"), hex("a11bfffffffffffffffff6"),
        ] {
            let content = FrameBuilder.Content(bytes: bytes, isIndexed: true)
            let error = #expect(throws: DecodingError.self) {
                try read([String: Int?].self, content, names)
            }
            guard case .dataCorrupted = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }

    @Test("user info is what encode(to:) and init(from:) find")
    func userInfo() throws {
        struct Curious: Codable {
            static let key = CodingUserInfoKey(rawValue: "key")
            var found: String?
            init() {}
            func encode(to encoder: any Encoder) throws {
                let value = Self.key.flatMap { encoder.userInfo[$0] as? String }
                try value.encode(to: encoder)
            }
            init(from decoder: any Decoder) throws {
                found = Self.key.flatMap { decoder.userInfo[$0] as? String }
            }
        }
        let key = try #require(Curious.key)
        var encoder = RecordEncoder()
        encoder.userInfo[key] = "out"
        #expect(try decode(String.self, encoder.encodeValue(Curious())) == "out")
        var decoder = RecordDecoder()
        decoder.userInfo[key] = "in"
        let null: [UInt8] = [0xF6]
        let found = try decoder.decodeValue(Curious.self, from: unsafe null.span.bytes).found
        #expect(found == "in")
    }
}
