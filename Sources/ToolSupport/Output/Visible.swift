/// The text on one line, with nothing in it that a terminal would obey.
///
/// Stored text comes from anywhere. In what people look at, line breaks must not fake further
/// records, escape sequences must not reach the terminal, and bidirectional overrides must not
/// reorder what stands beside them. Such characters become `\n`, `\t`, `\r` or `\u{202E}`. A
/// backslash stays one, so the result is for reading; JSON output is the exact one.
package func visible(_ text: String) -> String {
    guard text.utf8.contains(where: mayBeInvisible) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\n": result += "\\n"
        case "\t": result += "\\t"
        case "\r": result += "\\r"
        case _ where isHarmful(scalar):
            result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result
}

/// Whether a byte of UTF-8 can belong to a character that `isHarmful`: C1 begins with C2, the
/// separators and bidirectional controls with E2.
private func mayBeInvisible(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == 0x7F || byte == 0xC2 || byte == 0xE2
}

private func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0: true  // C0, delete, C1
    case 0x2028...0x202E: true  // line and paragraph separator, embeddings and overrides
    case 0x2066...0x2069: true  // isolates
    default: false
    }
}
