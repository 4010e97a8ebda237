import Foundation
import GroupLog
import GroupLogFormat
import Testing

/// Python's cbor2 (Debian: python3-cbor2), an encoder and decoder that is not ours.
private enum Foreign {
    static let isInstalled = (try? run("import cbor2")) != nil

    struct Failure: Error { var message: String }

    /// Runs a script; what it prints.
    static func run(_ script: String, _ arguments: [String] = []) throws -> String {
        let process = Process()
        let output = Pipe()
        let errors = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-c", script] + arguments
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let message = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(message: String(decoding: message, as: UTF8.self))
        }
        return text
    }
}

@Suite(.enabled(if: Foreign.isInstalled, "needs /usr/bin/python3 with the module cbor2"))
struct CodingForeignTests {
    struct Model: Codable, Equatable {
        struct Part: Codable, Equatable {
            var weight: Float
            var count: UInt16
        }
        var id: UUID
        var title: String
        var created: Date
        var blob: Data
        var parts: [Part]
        var byNumber: [Int: String]
        var big: UInt128
        var deep: Int128
        var ratio: Double
        var flag: Bool
        var note: String?
        var link: URL?
    }

    private func expected() throws -> Model {
        Model(
            id: try #require(UUID(uuidString: "00112233-4455-6677-8899-aabbccddeeff")),
            title: "Caf\u{E9} 水 👩‍👩‍👧", created: Date(timeIntervalSinceReferenceDate: 700_000_000.125),
            blob: Data([0, 1, 255]),
            parts: [.init(weight: 1.5, count: 65535), .init(weight: -.infinity, count: 0)],
            byNumber: [-1: "minus", 0: "", 300: "many"], big: UInt128.max - 1,
            deep: -1 - Int128(UInt64.max) - 5, ratio: 0.1, flag: true, note: nil,
            link: URL(string: "http://example.com/?q"))
    }

    private static let model = """
        import cbor2, uuid, sys
        from cbor2 import CBORTag
        model = {
            'id': uuid.UUID('00112233-4455-6677-8899-aabbccddeeff'),
            'title': 'Caf\\u00e9 \\u6c34 \\U0001f469\\u200d\\U0001f469\\u200d\\U0001f467',
            'created': CBORTag(44225, 700000000.125), 'blob': b'\\x00\\x01\\xff',
            'parts': [{'weight': 1.5, 'count': 65535}, {'count': 0, 'weight': float('-inf')}],
            'byNumber': {-1: 'minus', 0: '', 300: 'many'},
            'big': 2**128 - 2, 'deep': -2**64 - 5, 'ratio': 0.1, 'flag': True, 'note': None,
            'unknown': [CBORTag(1000, {'x': cbor2.undefined})], 'link': 'http://example.com/?q',
        }

        """

    @Test("what another encoder writes is read, with its shortest floats too")
    func reading() throws {
        for options in ["", ", canonical=True"] {
            let output = try Foreign.run(Self.model + "print(cbor2.dumps(model\(options)).hex())")
            let bytes = hex(output.trimmingCharacters(in: .whitespacesAndNewlines))
            #expect(try decode(Model.self, bytes) == expected())
        }
    }

    @Test("indefinite lengths, heads longer than needed and half floats are read")
    func unusual() throws {
        // Every length is indefinite or eight bytes long, and text comes in chunks of one byte.
        let script =
            Self.model + """
                import struct
                def head(major, number): return struct.pack('>BQ', major << 5 | 27, number)
                def text(s):
                    chunks = [head(3, len(c.encode())) + c.encode() for c in s]
                    return b'\\x7f' + b''.join(chunks) + b'\\xff'
                def item(v):
                    if isinstance(v, bool) or v is None: return cbor2.dumps(v)
                    if isinstance(v, str): return text(v)
                    if isinstance(v, bytes): return b'\\x5f' + b''.join(
                        head(2, 1) + bytes([b]) for b in v) + b'\\xff'
                    if isinstance(v, list): return b'\\x9f' + b''.join(map(item, v)) + b'\\xff'
                    if isinstance(v, dict): return b'\\xbf' + b''.join(
                        item(k) + item(x) for k, x in v.items()) + b'\\xff'
                    if isinstance(v, int) and 0 <= v < 2**64: return head(0, v)
                    if isinstance(v, int) and -2**64 <= v < 0: return head(1, -1 - v)
                    if isinstance(v, int):
                        n = v if v > 0 else -1 - v
                        return head(6, 2 if v > 0 else 3) + item(n.to_bytes(20, 'big'))
                    if isinstance(v, float):
                        half = struct.pack('>e', v) if abs(v) < 2 or v * 0 != 0 else None
                        exact = half and struct.unpack('>e', half)[0] == v
                        return b'\\xf9' + half if exact else b'\\xfb' + struct.pack('>d', v)
                    if isinstance(v, CBORTag): return head(6, v.tag) + item(v.value)
                    if isinstance(v, uuid.UUID): return head(6, 37) + item(v.bytes)
                    return cbor2.dumps(v)
                print(item(model).hex())
                """
        let output = try Foreign.run(script)
        let bytes = hex(output.trimmingCharacters(in: .whitespacesAndNewlines))
        #expect(bytes.first == 0xBF)
        #expect(try decode(Model.self, bytes) == expected())
    }

    @Test("what is written here another decoder reads as the same")
    func writing() throws {
        var model = try expected()
        model.note = "note"
        let bytes = try RecordEncoder().encodeValue(model)
        let digits = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        let script =
            Self.model + """
                del model['unknown']
                model['note'] = 'note'
                found = cbor2.loads(bytes.fromhex(sys.argv[1]))
                assert list(found) != [] and found == model, (found, model)
                print('same')
                """
        #expect(try Foreign.run(script, [digits.joined()]) == "same\n")
    }
}
