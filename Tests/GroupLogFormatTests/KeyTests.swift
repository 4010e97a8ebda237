import TestSupport
import Testing

@testable import GroupLogFormat

@Suite struct KeyTests {
    @Test("a key has 1 to 1,024 bytes, and as many as its type asks for")
    func limits() {
        for kind in [RecordKey.Kind.text, .bytes] {
            for (count, isGood) in [(0, false), (1, true), (1024, true), (1025, false)] {
                let bytes = [UInt8](repeating: 0x61, count: count)
                #expect((RecordKey(kind: kind, bytes: bytes) != nil) == isGood)
            }
        }
        for (kind, length) in [(RecordKey.Kind.uuid, 16), (.integer, 8)] {
            for count in 0...20 {
                let key = RecordKey(kind: kind, bytes: [UInt8](repeating: 0, count: count))
                #expect((key != nil) == (count == length))
            }
        }
    }

    @Test("a text key is UTF-8, and compared byte for byte")
    func text() throws {
        #expect(RecordKey(kind: .text, bytes: [0xC3, 0x28]) == nil)
        #expect(RecordKey(kind: .text, bytes: [0xED, 0xA0, 0x80]) == nil)
        let composed = try #require(RecordKey(text: "\u{E9}"))
        let decomposed = try #require(RecordKey(text: "e\u{301}"))
        #expect(composed != decomposed)
        #expect(decomposed < composed)
        #expect(RecordKey(text: "a\0b")?.bytes == [0x61, 0, 0x62])
    }

    @Test("the bytes of integer keys sort as their numbers do, and come back")
    func integers() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        var numbers: [Int64] = [.min, .min + 1, -256, -255, -1, 0, 1, 255, 256, .max - 1, .max]
        numbers += (0..<200).map { _ in Int64.random(in: .min ... .max, using: &random) }
        for a in numbers {
            let key = RecordKey(integer: a)
            #expect(key.integerValue == a)
            #expect(RecordKey(kind: .integer, bytes: key.bytes) == key)
            for b in numbers {
                #expect((key < RecordKey(integer: b)) == (a < b), "\(a) and \(b), seed \(seed)")
            }
        }
        #expect(RecordKey(integer: -1).bytes == [0x7F] + [UInt8](repeating: 0xFF, count: 7))
        #expect(RecordKey(integer: 1).bytes == [0x80, 0, 0, 0, 0, 0, 0, 1])
    }

    @Test("keys of different types differ, and sort by type first")
    func types() throws {
        let bytes = [UInt8](repeating: 0x61, count: 16)
        let keys = try [RecordKey.Kind.text, .uuid, .bytes].map {
            try #require(RecordKey(kind: $0, bytes: bytes))
        }
        #expect(Set(keys).count == 3)
        #expect(keys.shuffled().sorted() == keys)
        let high = try #require(RecordKey(text: "\u{10FFFF}"))
        #expect(high < keys[1])
    }
}

@Suite struct NameTests {
    @Test("a name has at most 255 bytes, and a longer one gets no index")
    func lengths() throws {
        var table = NameTable()
        #expect(table.index(of: String(repeating: "é", count: 128)) == nil)
        #expect(table.index(of: String(repeating: "a", count: 256)) == nil)
        #expect(table.index(of: String(repeating: "a", count: 255)) == 0)
        #expect(table.index(of: "") == 1)
        #expect(table.names.count == 2)
        var frame = FrameBuilder(author: nil)
        let error = #expect(throws: FormatError.self) {
            try frame.append(
                kind: .put, collection: String(repeating: "a", count: 256),
                key: RecordKey(integer: 1))
        }
        #expect(error?.kind == .tooLarge)
        #expect(frame.isEmpty)
    }

    @Test("names are the same when their bytes are")
    func equality() {
        var table = NameTable()
        #expect(table.index(of: "caf\u{E9}") == 0)
        #expect(table.index(of: "cafe\u{301}") == 1)
        #expect(table.index(of: "caf\u{E9}") == 0)
        #expect(table.names.count == 2)
    }

    @Test("each name is found again, be there few or many")
    func finding() {
        var table = NameTable()
        for count in 1...40 {
            let name = String(repeating: "n", count: count)
            #expect(table.index(of: name) == UInt16(count - 1))
            for known in 1...count {
                let again = String(repeating: "n", count: known)
                #expect(table.index(of: again) == UInt16(known - 1))
            }
        }
        #expect(table.names.count == 40)
    }

    @Test("a frame has room for 65,534 names, and all are read back")
    func count() throws {
        var frame = FrameBuilder(author: "me")
        for number in 1..<LogLayout.maximumNameCount {
            #expect(frame.index(ofName: "\(number)") == UInt16(number))
        }
        #expect(frame.index(ofName: "one too many") == nil)
        let names = frame.names.names
        let bytes = try frame.sealed(sequence: 1, time: 0, offset: 4160, salt: 5)
        let header = try FrameHeader.decode(
            unsafe bytes.span.bytes, at: 0, logOffset: 4160, salt: 5)
        let content = try FrameContent.decode(
            unsafe bytes.span.bytes, header: header, offset: 4160, salt: 5)
        #expect(content.head.names == names && content.head.author == "me")
    }
}
