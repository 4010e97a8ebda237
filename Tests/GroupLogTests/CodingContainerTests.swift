import Foundation
import GroupLog
import GroupLogFormat
import Testing

@Suite struct CodingContainerTests {
    @Test("an optional that is nil is missing, a null that was written is a null")
    func optionals() throws {
        struct Model: Codable, Equatable {
            var a: Int?
            var b: String? = "b"
        }
        #expect(try notation(Model()) == "{\"b\": \"b\"}")
        #expect(try stored(Model(a: 1, b: nil)) == Model(a: 1, b: nil))
        let null = Encoded { encoder in
            var container = encoder.container(keyedBy: ABC.self)
            try container.encodeNil(forKey: .a)
        }
        #expect(try notation(null) == "{\"a\": null}")
        #expect(try decode(Model.self, RecordEncoder().encodeValue(null)).a == nil)
        #expect(try decode(Model.self, hex("a16161f7")).a == nil)
        #expect(try stored([1, nil, 3]) == [1, nil, 3])
        #expect(try stored(Int?.none) == nil)
        #expect(try notation(Int?.none) == "null")
    }

    @Test("keys of a dictionary are integers where that is what they are, else text")
    func dictionaries() throws {
        #expect(try notation([7: "x"]) == "{7: \"x\"}")
        #expect(try notation([-7: "x"]) == "{-7: \"x\"}")
        #expect(try notation(["7": "x"]) == "{7: \"x\"}")
        #expect(try notation(["07": "x"]) == "{\"07\": \"x\"}")
        #expect(try notation(["+7": "x"]) == "{\"+7\": \"x\"}")
        let texts = ["": 0, "1": 1, "01": 2, "-1": 3, "-0": 4, "é": 5, "a b": 6, "1.0": 7]
        #expect(try stored(texts) == texts)
        let numbers = [Int.min: 1, -1: 2, 0: 3, 24: 4, Int.max: 5]
        #expect(try stored(numbers) == numbers)
        let others = [UUID(): 1, UUID(): 2]
        #expect(try stored(others) == others)
        let decomposed = try stored(["e\u{301}": 1])
        #expect(decomposed.keys.first?.utf8.count == 3)
        let large = Dictionary(uniqueKeysWithValues: (0..<5_000).map { ("key \($0)", $0) })
        #expect(try stored(large) == large)
        let largeNumbers = Dictionary(uniqueKeysWithValues: (0..<5_000).map { ($0 * 7, [$0]) })
        #expect(try stored(largeNumbers) == largeNumbers)
        // Text where a number is asked for, as a writer of JSON would leave it.
        #expect(try decode([Int: Int].self, hex("a1613705")) == [7: 5])
    }

    @Test("two spellings of one letter are two keys")
    func spellings() throws {
        let both = Anything.map([("\u{E9}", .bool(true)), ("e\u{301}", .bool(false))])
        #expect(try stored(both) == both)
        struct Composed: Codable {
            enum CodingKeys: String, CodingKey { case accent = "\u{E9}" }
            var accent: Bool?
        }
        #expect(try decode(Composed.self, RecordEncoder().encodeValue(both)).accent == true)
        let decomposed = try RecordEncoder().encodeValue(["e\u{301}": true])
        #expect(try decode(Composed.self, decomposed).accent == nil)
        let many = Anything.map(
            (0..<20).flatMap { [("\u{E9}\($0)", .integer($0)), ("e\u{301}\($0)", .null)] })
        #expect(try stored(many) == many)
    }

    enum Shape: Codable, Equatable {
        case point
        case circle(radius: Double)
        case text(String, at: [Int])
        indirect case both(Shape, Shape)
    }

    @Test("enums come back with their values")
    func enums() throws {
        let shapes: [Shape] = [
            .point, .circle(radius: 1.5), .text("x", at: [1, 2]),
            .both(.both(.point, .circle(radius: .infinity)), .text("", at: [])),
        ]
        #expect(try stored(shapes) == shapes)
        #expect(try notation(shapes[1]) == "{\"circle\": {\"radius\": 1.5}}")
        #expect(try notation(shapes[0]) == "{\"point\": {}}")
    }

    class Animal: Codable {
        var name = "a"
        init() {}
    }

    final class Dog: Animal {
        var breed = "b"
        enum Key: CodingKey { case breed, ancestor }
        override init() { super.init() }
        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try super.encode(to: container.superEncoder())
            try super.encode(to: container.superEncoder(forKey: .ancestor))
            try container.encode(breed, forKey: .breed)
        }
        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            breed = try container.decode(String.self, forKey: .breed)
            let animal = try Animal(from: container.superDecoder(forKey: .ancestor))
            try super.init(from: container.superDecoder())
            #expect(animal.name == name)
        }
    }

    final class Cat: Animal {
        var lives = 9
        enum Key: CodingKey { case lives }
        override init() { super.init() }
        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try super.encode(to: encoder)
            try container.encode(lives, forKey: .lives)
        }
        required init(from decoder: any Decoder) throws {
            lives = try decoder.container(keyedBy: Key.self).decode(Int.self, forKey: .lives)
            try super.init(from: decoder)
        }
    }

    @Test("classes come back with their superclass, apart or in the same map")
    func classes() throws {
        let dog = Dog()
        dog.name = "Rex"
        dog.breed = "mixed"
        let dogNotation = try notation(dog)
        #expect(
            dogNotation
                == "{\"super\": {\"name\": \"Rex\"}, \"ancestor\": {\"name\": \"Rex\"}, "
                + "\"breed\": \"mixed\"}")
        let again = try stored(dog)
        #expect(again.name == "Rex" && again.breed == "mixed")
        let cat = Cat()
        cat.name = "Tom"
        cat.lives = 3
        #expect(try notation(cat) == "{\"name\": \"Tom\", \"lives\": 3}")
        let sameCat = try stored(cat)
        #expect(sameCat.name == "Tom" && sameCat.lives == 3)
    }

    @Test("containers that are filled later keep their places, whatever the order of filling")
    func nestedContainers() throws {
        let value = Encoded { encoder in
            var map = encoder.container(keyedBy: ABC.self)
            var list = map.nestedUnkeyedContainer(forKey: .a)
            var inner = map.nestedContainer(keyedBy: ABC.self, forKey: .b)
            try map.encode([1: 2], forKey: .c)
            try inner.encode("x", forKey: .b)
            try list.encode(1)
            var deeper = list.nestedContainer(keyedBy: ABC.self)
            var deepest = list.nestedUnkeyedContainer()
            try list.encodeNil()
            try deepest.encode(contentsOf: [7, 8])
            try deeper.encode(true, forKey: .c)
            try inner.encode([Int](0..<30), forKey: .a)
            try 5.encode(to: list.superEncoder())
            _ = list.superEncoder()
            _ = list.nestedUnkeyedContainer()
            #expect(list.count == 7 && deepest.count == 2)
        }
        let list = "[1, {\"c\": true}, [7, 8], null, 5, {}, []]"
        let numbers = (0..<30).map(String.init).joined(separator: ", ")
        #expect(
            try notation(value)
                == "{\"a\": \(list), \"b\": {\"b\": \"x\", \"a\": [\(numbers)]}, \"c\": {1: 2}}")
    }

    @Test("nested containers are read in any order, and arrays element by element")
    func nestedDecoding() throws {
        struct Reading: Decodable {
            init(from decoder: any Decoder) throws {
                let map = try decoder.container(keyedBy: ABC.self)
                #expect(map.allKeys == [.a, .b])
                let inner = try map.nestedContainer(keyedBy: ABC.self, forKey: .b)
                #expect(try inner.decode(Int.self, forKey: .c) == 9)
                var list = try map.nestedUnkeyedContainer(forKey: .a)
                #expect(list.count == 5 && list.currentIndex == 0)
                #expect(throws: DecodingError.self) { try list.decode(String.self) }
                #expect(try list.decode(Int.self) == 1)
                #expect(try !list.decodeNil())
                var inside = try list.nestedUnkeyedContainer()
                #expect(try inside.decode([String: Int].self) == ["x": 1])
                #expect(inside.isAtEnd)
                #expect(throws: DecodingError.self) { try inside.decode(Int.self) }
                #expect(try list.decodeNil())
                let object = try list.nestedContainer(keyedBy: ABC.self)
                #expect(try object.decodeIfPresent(Int.self, forKey: .a) == nil)
                #expect(!object.contains(.b) && object.contains(.c))
                #expect(try String(from: list.superDecoder()) == "end")
                #expect(list.isAtEnd && list.currentIndex == 5)
            }
        }
        // {"a": [1, [{"x": 1}], null, {"c": 2}, "end"], "b": {"c": 9}}
        _ = try decode(
            Reading.self, hex("a26161850181a1617801f6a161630263656e646162a1616309"))
        struct Chunked: Decodable, Equatable {
            var list: [Int]
            var text: String
        }
        let chunked = hex("bf64746578747f61616162ff7f616c63697374ff9f0102ffff")
        #expect(try decode(Chunked.self, chunked) == Chunked(list: [1, 2], text: "ab"))
    }
}
