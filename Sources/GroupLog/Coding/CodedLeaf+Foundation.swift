import GroupLogFormat

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Date: CodedLeaf {
    /// Seconds since 2001-01-01T00:00:00Z, in eight bytes: what a `Date` is made of. Counted from
    /// 1970, as the registered tag does, half of all dates would come back changed.
    static let tag: UInt64 = 44225

    /// The registered tag: seconds since 1970. Read, never written.
    private static let epochTag: UInt64 = 1

    func write(to writer: inout CBORWriter) {
        writer.tag(Self.tag)
        writer.double(timeIntervalSinceReferenceDate)
    }

    static func read(_ reader: inout CBORReader, in bytes: RawSpan) throws -> Date {
        let start = reader.offset
        let tag = try reader.head(.tag, in: bytes).argument
        guard tag == Self.tag || tag == epochTag else {
            throw CBORError(.unexpectedType, at: start)
        }
        let seconds = try Double.read(&reader, in: bytes)
        return tag == Self.tag
            ? Date(timeIntervalSinceReferenceDate: seconds) : Date(timeIntervalSince1970: seconds)
    }
}

extension Data: CodedLeaf {
    func write(to writer: inout CBORWriter) {
        writer.byteString(bytes)
    }

    static func read(_ reader: inout CBORReader, in bytes: RawSpan) throws -> Data {
        let head = try reader.head(.bytes, in: bytes)
        return Data(try reader.byteString(head, in: bytes))
    }
}

extension UUID: CodedLeaf {
    private static let tag: UInt64 = 37

    func write(to writer: inout CBORWriter) {
        writer.tag(Self.tag)
        unsafe withUnsafeBytes(of: uuid) { writer.byteString(unsafe $0.bytes) }
    }

    /// Takes the written form too, since that is what text-based sources have.
    static func read(_ reader: inout CBORReader, in bytes: RawSpan) throws -> UUID {
        let start = reader.offset
        let head = try reader.head(in: bytes)
        if head.major == .text {
            guard let value = UUID(uuidString: try reader.text(head, in: bytes)) else {
                throw LeafFault("the text is not a UUID")
            }
            return value
        }
        guard head.major == .tag, head.argument == tag else {
            throw CBORError(.unexpectedType, at: start)
        }
        let content = try reader.byteString(try reader.head(.bytes, in: bytes), in: bytes)
        guard content.count == 16 else {
            throw LeafFault("a UUID has 16 bytes, not \(content.count)")
        }
        return unsafe content.withUnsafeBytes {
            UUID(uuid: unsafe $0.loadUnaligned(as: uuid_t.self))
        }
    }
}

extension URL: CodedLeaf {
    private static let tag: UInt64 = 32

    /// A URL with a base is left to `URL`'s own Codable, which keeps the two parts apart.
    var isLeaf: Bool { baseURL == nil }

    /// Writes the text just as the URL holds it.
    func write(to writer: inout CBORWriter) throws {
        let text = relativeString
        guard Self.verbatim(text) != nil else {
            throw LeafFault("the URL's own text is not a URL")
        }
        writer.text(text)
    }

    static func isLeaf(_ reader: CBORReader, in bytes: RawSpan) throws -> Bool {
        var ahead = reader
        return try ahead.head(in: bytes).major != .map
    }

    static func read(_ reader: inout CBORReader, in bytes: RawSpan) throws -> URL {
        let start = reader.offset
        var head = try reader.head(in: bytes)
        if head.major == .tag, head.argument == tag { head = try reader.head(in: bytes) }
        guard head.major == .text else { throw CBORError(.unexpectedType, at: start) }
        guard let url = verbatim(try reader.text(head, in: bytes)) else {
            throw LeafFault("the text is not a URL")
        }
        return url
    }

    /// The URL of a text; nil where it would not keep every byte of it.
    private static func verbatim(_ text: String) -> URL? {
        guard let url = URL(string: text, encodingInvalidCharacters: false),
            url.relativeString.hasSameBytes(as: text)
        else { return nil }
        return url
    }
}
