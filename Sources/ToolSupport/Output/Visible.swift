/// The text on one line, with nothing in it that a terminal would obey, and nothing that cannot be
/// seen.
///
/// Stored text comes from anywhere. In what people look at, line breaks must not fake further
/// records, escape sequences must not reach the terminal, bidirectional controls must not reorder
/// what stands beside them, and two names must not look the same because one of them holds a
/// character without width. Such characters become `\n`, `\t`, `\r` or `\u{202E}`. A backslash stays
/// one, so the result is for reading; JSON output is the exact one.
///
/// Joiners stay where letters or emoji cannot be drawn rightly without them.
package func visible(_ text: String) -> String {
    guard text.utf8.contains(where: { !(0x20..<0x7F).contains($0) }) else { return text }
    var result = ""
    let scalars = text.unicodeScalars
    var before: Unicode.Scalar?
    var index = scalars.startIndex
    while index < scalars.endIndex {
        let scalar = scalars[index]
        let next = scalars.index(after: index)
        switch scalar {
        case "\n": result += "\\n"
        case "\t": result += "\\t"
        case "\r": result += "\\r"
        case "\u{1F3F4}":
            let end = endOfFlag(scalars[next...])
            result.unicodeScalars += scalars[index..<end]
            before = scalars[scalars.index(before: end)]
            index = end
            continue
        case "\u{200C}", "\u{200D}":
            let after = next < scalars.endIndex ? scalars[next] : nil
            let isVirama = before?.properties.canonicalCombiningClass == .virama
            let isNeeded = isVirama || isJoined(before) && isJoined(after)
            if isNeeded { result.unicodeScalars.append(scalar) } else { result += escaped(scalar) }
        case _ where isHidden(scalar): result += escaped(scalar)
        default: result.unicodeScalars.append(scalar)
        }
        before = scalar
        index = next
    }
    return result
}

private func escaped(_ scalar: Unicode.Scalar) -> String {
    "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
}

/// Whether a character moves, hides or reorders text, or takes no room and has no form.
private func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20..<0x7F: return false
    // Signs of Arabic, Syriac, Kaithi and Egyptian that are drawn, though they are format characters.
    case 0x600...0x605, 0x6DD, 0x70F, 0x890...0x891, 0x8E2, 0x110BD, 0x110CD, 0x13430...0x1343F:
        return false
    // Fillers of Hangul: letters by their category, and blank.
    case 0x115F...0x1160, 0x3164, 0xFFA0: return true
    default: break
    }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: return true
    // Not given to a character yet, and to be drawn as nothing.
    case .unassigned: return scalar.properties.isDefaultIgnorableCodePoint
    default: return false
    }
}

/// Whether a joiner between two such characters may change how they are drawn: emoji, and letters of
/// the scripts from Arabic on. Latin, Greek, Cyrillic and Hebrew letters do not join.
private func isJoined(_ scalar: Unicode.Scalar?) -> Bool {
    guard let scalar, scalar.value >= 0x600 else { return false }
    switch scalar.properties.generalCategory {
    case .otherLetter, .modifierLetter, .nonspacingMark, .spacingMark: return true
    default: return scalar.properties.isEmoji
    }
}

/// Where the flag ends whose black flag stands before these characters: with the letters of a
/// region as tags, at most six, and the tag that ends them (UTS 51). Other tags hide something.
private func endOfFlag(_ rest: Substring.UnicodeScalarView) -> String.Index {
    let letters = rest.prefix(7).prefix { (0xE0030...0xE007A).contains($0.value) }
    let behind = rest[letters.endIndex...]
    guard (1...6).contains(letters.count), let last = behind.first, last.value == 0xE007F else {
        return rest.startIndex
    }
    return behind.index(after: behind.startIndex)
}
