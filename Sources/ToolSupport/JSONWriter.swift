/// Writes JSON text on one line, for every place where a tool prints JSON.
///
/// One writer for all of them keeps the output byte for byte predictable: keys stand in the order in
/// which they are given, no space is added, and a text has one spelling. That spelling escapes the
/// quote, the backslash and the characters below U+0020, with the short form where JSON has one
/// (`\n`, not `\u000a`, so that a search for it finds it); everything else, U+2028 and U+2029
/// included, stands as it is in UTF-8.
///
/// The writer puts the commas and colons. Asking for something that is not JSON, such as a value
/// without a key in an object, is a programmer's mistake and traps.
package struct JSONWriter {
    /// What has been written so far. It may be taken, or emptied after each complete line.
    package var bytes: [UInt8] = []

    private enum Container { case object, array }

    /// The open containers, innermost last. The depth is that of the caller's own nesting.
    private var open: [Container] = []
    private var needsComma = false
    private var hasKey = false

    package init() {}

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    package mutating func beginObject() {
        beginValue()
        bytes.append(UInt8(ascii: "{"))
        open.append(.object)
        needsComma = false
    }

    package mutating func endObject() {
        end(.object, with: UInt8(ascii: "}"))
    }

    package mutating func beginArray() {
        beginValue()
        bytes.append(UInt8(ascii: "["))
        open.append(.array)
        needsComma = false
    }

    package mutating func endArray() {
        end(.array, with: UInt8(ascii: "]"))
    }

    package mutating func key(_ name: String) {
        precondition(open.last == .object && !hasKey, "a key stands in an object, before a value")
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        appendQuoted(name)
        bytes.append(UInt8(ascii: ":"))
        hasKey = true
    }

    package mutating func string(_ text: String) {
        beginValue()
        appendQuoted(text)
    }

    /// Integers are written in full, also beyond 2^53, where some readers of JSON lose digits.
    package mutating func integer(_ value: some BinaryInteger) {
        beginValue()
        bytes.append(contentsOf: String(value).utf8)
    }

    /// The shortest digits that read back as the same number. They always hold a point or an
    /// exponent, so that a reader can tell the double 1.0 from the integer 1. JSON has no spelling
    /// for infinities and for "not a number": they become `null`, and a caller that must keep them
    /// looks for them first.
    package mutating func double(_ value: Double) {
        guard value.isFinite else { return null() }
        beginValue()
        bytes.append(contentsOf: value.description.utf8)
    }

    package mutating func bool(_ value: Bool) {
        beginValue()
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
    }

    package mutating func null() {
        beginValue()
        bytes.append(contentsOf: "null".utf8)
    }

    /// Ends a line of JSON Lines. Only complete values may be ended.
    package mutating func endLine() {
        precondition(open.isEmpty, "a line ends after its last container")
        bytes.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    private mutating func beginValue() {
        switch open.last {
        case .object:
            precondition(hasKey, "a value in an object follows its key")
            hasKey = false
        case .array:
            if needsComma { bytes.append(UInt8(ascii: ",")) }
        case nil:
            precondition(!needsComma, "a line holds one value")
        }
        needsComma = true
    }

    private mutating func end(_ container: Container, with byte: UInt8) {
        precondition(open.popLast() == container && !hasKey, "a container ends as it began")
        bytes.append(byte)
        needsComma = true
    }

    private mutating func appendQuoted(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20:
                appendEscape(byte)
            default:
                bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func appendEscape(_ control: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        switch control {
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        default:
            bytes.append(contentsOf: control < 0x10 ? "u000".utf8 : "u00".utf8)
            bytes.append(contentsOf: String(control, radix: 16).utf8)
        }
    }
}
