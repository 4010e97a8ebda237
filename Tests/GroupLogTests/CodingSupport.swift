import Foundation
import GroupLog
import GroupLogFormat

func decode<T: Decodable>(_ type: T.Type = T.self, _ bytes: [UInt8]) throws -> T {
    try RecordDecoder().decodeValue(type, from: unsafe bytes.span.bytes)
}

/// What a value is after it was stored.
func stored<T: Codable>(_ value: T) throws -> T {
    try decode(T.self, RecordEncoder().encodeValue(value))
}

func notation<T: Encodable>(_ value: T) throws -> String {
    try CBORValue.decode(RecordEncoder().encodeValue(value)).diagnostic
}

/// The bytes of hexadecimal digits.
func hex(_ digits: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = Substring(digits)
    while let byte = UInt8(rest.prefix(2), radix: 16) {
        bytes.append(byte)
        rest = rest.dropFirst(2)
    }
    precondition(rest.isEmpty, "not hexadecimal")
    return bytes
}

/// A value whose encoding is a closure.
struct Encoded: Encodable {
    let body: (any Encoder) throws -> Void
    init(_ body: @escaping (any Encoder) throws -> Void) { self.body = body }
    func encode(to encoder: any Encoder) throws { try body(encoder) }
}

enum ABC: String, CodingKey { case a, b, c }

/// Any value that Codable distinguishes, encoded by containers of all kinds.
enum Anything: Codable, Sendable {
    case null
    case bool(Bool)
    case integer(Int128)
    case double(Double)
    case text(String)
    case data(Data)
    case date(Date)
    case list([Anything])
    case map([(key: String, value: Anything)])

    struct Key: CodingKey {
        let stringValue: String
        let intValue: Int?
        init(stringValue: String) {
            self.stringValue = stringValue
            intValue = Int(stringValue)
        }
        init?(intValue: Int) { self.init(stringValue: String(intValue)) }
    }

    /// Lists and maps with an even count write theirs in containers that are filled later.
    func encode(to encoder: any Encoder) throws {
        switch self {
        case .list(let items):
            var container = encoder.unkeyedContainer()
            for item in items {
                if items.count.isMultiple(of: 2) {
                    try item.encode(to: container.superEncoder())
                } else {
                    try container.encode(item)
                }
            }
        case .map(let pairs):
            var container = encoder.container(keyedBy: Key.self)
            for (key, value) in pairs {
                let key = Key(stringValue: key)
                if pairs.count.isMultiple(of: 2) {
                    try value.encode(to: container.superEncoder(forKey: key))
                } else {
                    try container.encode(value, forKey: key)
                }
            }
        default:
            var container = encoder.singleValueContainer()
            switch self {
            case .bool(let value): try container.encode(value)
            case .integer(let value): try container.encode(value)
            case .double(let value): try container.encode(value)
            case .text(let value): try container.encode(value)
            case .data(let value): try container.encode(value)
            case .date(let value): try container.encode(value)
            case .null, .list, .map: try container.encodeNil()
            }
        }
    }

    init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: Key.self) {
            self = .map(
                try container.allKeys.map {
                    ($0.stringValue, try container.decode(Self.self, forKey: $0))
                })
        } else if var container = try? decoder.unkeyedContainer() {
            var items: [Anything] = []
            while !container.isAtEnd { items.append(try container.decode(Self.self)) }
            self = .list(items)
        } else {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let value = try? container.decode(Bool.self) {
                self = .bool(value)
            } else if let value = try? container.decode(Int128.self) {
                self = .integer(value)
            } else if let value = try? container.decode(Double.self) {
                self = .double(value)
            } else if let value = try? container.decode(String.self) {
                self = .text(value)
            } else if let value = try? container.decode(Data.self) {
                self = .data(value)
            } else {
                self = .date(try container.decode(Date.self))
            }
        }
    }
}

extension Anything: Equatable {
    static func == (a: Anything, b: Anything) -> Bool {
        switch (a, b) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.integer(let a), .integer(let b)): a == b
        case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern
        case (.text(let a), .text(let b)): a.utf8.elementsEqual(b.utf8)
        case (.data(let a), .data(let b)): a == b
        case (.date(let a), .date(let b)):
            a.timeIntervalSinceReferenceDate.bitPattern
                == b.timeIntervalSinceReferenceDate.bitPattern
        case (.list(let a), .list(let b)): a == b
        case (.map(let a), .map(let b)):
            a.count == b.count
                && zip(a, b).allSatisfy {
                    $0.key.utf8.elementsEqual($1.key.utf8) && $0.value == $1.value
                }
        default: false
        }
    }
}
