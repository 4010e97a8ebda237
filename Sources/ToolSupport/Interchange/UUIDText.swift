/// UUIDs in the spellings that programs give them (RFC 9562, section 4).
package enum UUIDText {
    /// The 16 bytes of a UUID, or nil when the text is none.
    ///
    /// Small and capital letters, with its hyphens or without any, in braces, behind `urn:uuid:`, and with blanks around
    /// it: all these are one UUID.
    package static func bytes(_ text: String) -> [UInt8]? {
        var rest = Array(text.utf8).trimmingBlanks[...]
        let prefix = Array("urn:uuid:".utf8)
        if rest.prefix(prefix.count).map(\.lowercased) == prefix {
            rest = rest.dropFirst(prefix.count)
        }
        if rest.first == UInt8(ascii: "{"), rest.last == UInt8(ascii: "}") {
            rest = rest.dropFirst().dropLast()
        }
        let digits = rest.filter { $0 != UInt8(ascii: "-") }
        if rest.count == 36 {
            let hyphens = rest.enumerated().filter { $0.element == UInt8(ascii: "-") }
            guard hyphens.map(\.offset) == [8, 13, 18, 23] else { return nil }
        } else {
            guard rest.count == 32 else { return nil }
        }
        guard digits.count == 32 else { return nil }
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: 32, by: 2) {
            guard let high = digits[start].hexadecimalValue,
                let low = digits[start + 1].hexadecimalValue
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}
