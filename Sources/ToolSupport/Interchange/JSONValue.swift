/// A JSON text as a tree (RFC 8259).
///
/// Objects keep the order of their members, numbers keep their digits.
package enum JSONValue: Sendable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    /// A text that is longer than a record can be; it was not kept.
    case excess
    case array([JSONValue])
    case object(JSONObject)
}

/// The members of an object in the order of the text; no name occurs twice.
package struct JSONObject: Sendable {
    package var members: [JSONMember]
    /// The line of the opening brace.
    package let line: Int

    package init(_ members: [JSONMember], line: Int = 1) {
        self.members = members
        self.line = line
    }

    /// The value under this name, compared byte by byte.
    package subscript(name: String) -> JSONValue? {
        members.first { $0.name.hasSameBytes(as: name) }?.value
    }
}

package struct JSONMember: Sendable {
    package let name: String
    package var value: JSONValue

    package init(_ name: String, _ value: JSONValue) {
        self.name = name
        self.value = value
    }
}

/// A number as it was written; the grammar of RFC 8259 holds for its text.
package struct JSONNumber: Sendable {
    package let text: String

    init(text: String) {
        self.text = text
    }

    /// Written without fraction and exponent.
    package var isInteger: Bool {
        !text.utf8.contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }
    }

    /// The exact value when it is an integer that fits.
    package var int64: Int64? {
        isInteger ? Int64(text) : nil
    }

    /// The nearest double; infinite when it is beyond the range of doubles.
    package var double: Double {
        Double(text) ?? .nan
    }
}

extension JSONValue {
    package var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    package var array: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    package var object: JSONObject? {
        if case .object(let object) = self { object } else { nil }
    }

    /// Whether there is a text in it that was not kept.
    var hasExcess: Bool {
        switch self {
        case .excess: true
        case .array(let elements): elements.contains(where: \.hasExcess)
        case .object(let object): object.members.contains(where: \.value.hasExcess)
        case .null, .bool, .number, .string: false
        }
    }

    package var isNull: Bool {
        if case .null = self { true } else { false }
    }
}

/// Byte for byte: names and strings that only look alike differ, numbers are equal when their digits are.
extension JSONValue: Equatable {
    package static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null), (.excess, .excess): true
        case (.bool(let a), .bool(let b)): a == b
        case (.number(let a), .number(let b)): a.text.hasSameBytes(as: b.text)
        case (.string(let a), .string(let b)): a.hasSameBytes(as: b)
        case (.array(let a), .array(let b)): a == b
        case (.object(let a), .object(let b)):
            a.members.elementsEqual(b.members) {
                $0.name.hasSameBytes(as: $1.name) && $0.value == $1.value
            }
        default: false
        }
    }
}
