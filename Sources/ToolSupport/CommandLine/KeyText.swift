package import GroupLogFormat

/// How keys are written on a command line and in tables.
///
/// A UUID in any of its spellings is a UUID key, decimal digits are an integer key, and everything
/// else is a text key. `uuid:`, `int:`, `text:` and `bytes:` (hexadecimal digits) in front say which
/// type is meant; a text that would be read as another key is printed with `text:`. What is printed
/// reads back as the same key.
package enum KeyText {
    /// The shortest spelling that reads back as the key.
    package static func text(_ key: RecordKey) -> String {
        switch key.kind {
        case .uuid: return RecordKey.uuidText(key.bytes)
        case .integer: return key.description
        case .bytes: return "bytes:" + RecordKey.hexadecimal(key.bytes)
        case .text:
            let text = key.textValue ?? ""
            return (try? self.key(text)) == key ? text : "text:" + text
        }
    }

    /// The key that a text means.
    package static func key(_ text: String) throws(ValueProblem) -> RecordKey {
        if let (kind, rest) = prefix(of: text) { return try key(of: kind, rest) }
        if let bytes = UUIDText.bytes(text) { return try checked(.uuid, bytes) }
        if let number = integer(text) { return RecordKey(integer: number) }
        return try checked(.text, Array(text.utf8))
    }

    /// Whether a text says in front which type of key it means.
    package static func namesType(_ text: String) -> Bool { prefix(of: text) != nil }

    private static let prefixes: [(String, RecordKey.Kind)] = [
        ("uuid:", .uuid), ("int:", .integer), ("text:", .text), ("bytes:", .bytes),
    ]

    private static func prefix(of text: String) -> (RecordKey.Kind, String)? {
        for (prefix, kind) in prefixes where text.utf8.starts(with: prefix.utf8) {
            return (kind, String(decoding: text.utf8.dropFirst(prefix.utf8.count), as: UTF8.self))
        }
        return nil
    }

    private static func key(
        of kind: RecordKey.Kind, _ text: String
    ) throws(ValueProblem) -> RecordKey {
        switch kind {
        case .text: return try checked(.text, Array(text.utf8))
        case .uuid:
            guard let bytes = UUIDText.bytes(text) else { throw ValueProblem("expected a UUID") }
            return try checked(.uuid, bytes)
        case .integer:
            guard let number = integer(text) else {
                throw ValueProblem("expected a whole number of 64 bits")
            }
            return RecordKey(integer: number)
        case .bytes:
            guard let bytes = bytes(hexadecimal: text) else {
                throw ValueProblem("expected pairs of hexadecimal digits")
            }
            return try checked(.bytes, bytes)
        }
    }

    private static func checked(
        _ kind: RecordKey.Kind, _ bytes: [UInt8]
    ) throws(ValueProblem) -> RecordKey {
        guard let key = RecordKey(kind: kind, bytes: bytes) else {
            throw ValueProblem("a key has 1 to \(LogLayout.maximumKeyLength) bytes")
        }
        return key
    }

    /// The number of digits as they are printed: without a plus, without zeros in front.
    private static func integer(_ text: String) -> Int64? {
        guard let number = Int64(text), String(number).utf8.elementsEqual(text.utf8) else {
            return nil
        }
        return number
    }

    /// The bytes of pairs of hexadecimal digits.
    package static func bytes(hexadecimal text: String) -> [UInt8]? {
        let digits = text.utf8.map { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        return bytes
    }
}

extension ValueReader where Value == RecordKey {
    /// A record's key (see ``KeyText``).
    package static var key: ValueReader {
        ValueReader(show: KeyText.text) { text throws(ValueProblem) in try KeyText.key(text) }
    }
}

extension ValueReader where Value == String {
    /// The name of a value: a text, also where it looks like a number or a UUID.
    package static var valueKey: ValueReader {
        ValueReader { text throws(ValueProblem) in
            guard RecordKey(text: text) != nil else {
                throw ValueProblem("a key has 1 to \(LogLayout.maximumKeyLength) bytes")
            }
            return text
        }
    }
}
