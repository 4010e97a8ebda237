import GroupLogFormat

/// A type that is a CBOR item of its own, whatever its Codable conformance would make of it.
///
/// What is written is read back bit for bit. Reading also takes what other encoders make of the
/// same value, where nothing is lost by it: other widths of integers and floats, chunked strings.
protocol CodedLeaf {
    /// Whether this value is one item; where not, its own Codable has to do it.
    var isLeaf: Bool { get }

    /// Writes a value that is a leaf.
    func write(to writer: inout CBORWriter) throws

    /// Whether the item here is a leaf; where not, the type's own Codable has to read it.
    static func isLeaf(_ reader: CBORReader, in bytes: RawSpan) throws -> Bool

    /// Reads a value that is a leaf.
    static func read(_ reader: inout CBORReader, in bytes: RawSpan) throws -> Self
}

extension CodedLeaf {
    var isLeaf: Bool { true }
    static func isLeaf(_ reader: CBORReader, in bytes: RawSpan) -> Bool { true }
}

/// A value that cannot be stored, or an item that is none of the type's values; a sentence.
struct LeafFault: Error {
    var reason: String
    init(_ reason: String) { self.reason = reason }
}

extension CBORReader {
    /// Reads a head, which must be that of one type.
    mutating func head(
        _ major: CBORHead.Major, in bytes: RawSpan
    ) throws(CBORError) -> CBORHead {
        let start = offset
        let head = try head(in: bytes)
        guard head.major == major else { throw CBORError(.unexpectedType, at: start) }
        return head
    }

    /// Whether the item here is null or undefined.
    func isNull(in bytes: RawSpan) throws(CBORError) -> Bool {
        var ahead = self
        let head = try ahead.head(in: bytes)
        return head == .null || head == .undefined
    }
}

extension Bool: CodedLeaf {
    func write(to writer: inout CBORWriter) {
        writer.bool(self)
    }

    static func read(_ reader: inout CBORReader, in bytes: RawSpan) throws -> Bool {
        let start = reader.offset
        switch try reader.head(.simple, in: bytes).simple {
        case 20: return false
        case 21: return true
        default: throw CBORError(.unexpectedType, at: start)
        }
    }
}

extension String: CodedLeaf {
    func write(to writer: inout CBORWriter) {
        writer.text(self)
    }

    static func read(_ reader: inout CBORReader, in bytes: RawSpan) throws -> String {
        let head = try reader.head(.text, in: bytes)
        return try reader.text(head, in: bytes)
    }
}

extension Double: CodedLeaf {
    func write(to writer: inout CBORWriter) {
        writer.double(self)
    }

    static func read(_ reader: inout CBORReader, in bytes: RawSpan) throws -> Double {
        switch try Number.read(&reader, in: bytes) {
        case .float(let float): return float.doubleValue
        case .integer(let head):
            guard let value = head.exactly(Double.self) else {
                throw LeafFault("the integer is not exactly a Double")
            }
            return value
        }
    }
}

extension Float: CodedLeaf {
    func write(to writer: inout CBORWriter) {
        writer.float(self)
    }

    static func read(_ reader: inout CBORReader, in bytes: RawSpan) throws -> Float {
        let value =
            switch try Number.read(&reader, in: bytes) {
            case .float(let float): float.singleValue
            case .integer(let head): head.exactly(Float.self)
            }
        guard let value else { throw LeafFault("the number is not exactly a Float") }
        return value
    }
}

#if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
    extension Float16: CodedLeaf {
        func write(to writer: inout CBORWriter) {
            writer.half(bitPattern)
        }

        static func read(_ reader: inout CBORReader, in bytes: RawSpan) throws -> Float16 {
            let value: Float16? =
                switch try Number.read(&reader, in: bytes) {
                case .float(.half(let bits)): Float16(bitPattern: bits)
                case .float(let float): Float16(exactly: float.doubleValue)
                case .integer(let head): head.exactly(Float16.self)
                }
            guard let value else { throw LeafFault("the number is not exactly a Float16") }
            return value
        }
    }
#endif

/// What a float may be read from: other encoders write whole numbers as integers.
private enum Number {
    case float(CBORFloat)
    case integer(CBORHead)

    static func read(_ reader: inout CBORReader, in bytes: RawSpan) throws(CBORError) -> Number {
        let start = reader.offset
        let head = try reader.head(in: bytes)
        if let float = head.float { return .float(float) }
        guard head.major == .unsigned || head.major == .negative else {
            throw CBORError(.unexpectedType, at: start)
        }
        return .integer(head)
    }
}

extension CBORHead {
    /// The integer of an integer's head as a float; nil where it is not exactly one.
    fileprivate func exactly<F: BinaryFloatingPoint>(_: F.Type) -> F? {
        F(exactly: major == .negative ? -1 - Int128(argument) : Int128(argument))
    }
}
