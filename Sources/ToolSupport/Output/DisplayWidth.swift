/// The columns that a text takes on a terminal.
///
/// There is no standard for it. This is what most terminals do: East Asian wide characters and
/// emoji take two columns, combining marks and format characters none, everything else one.
/// The text is one that `visible` has been through.
func displayWidth(_ text: String) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x7F }) { return text.utf8.count }
    return text.reduce(0) { $0 + displayWidth(of: $1) }
}

/// The columns of what a reader sees as one character. Several scalars that make up one emoji (a
/// flag, a family, a skin tone) take two; otherwise each scalar counts.
func displayWidth(of character: Character) -> Int {
    let scalars = character.unicodeScalars
    if let first = scalars.first, scalars.count > 1, first.properties.isEmoji,
        scalars.dropFirst().contains(where: makesEmoji)
    {
        return 2
    }
    return scalars.reduce(0) { $0 + displayWidth(of: $1) }
}

/// Whether a scalar behind an emoji shows that the cluster is drawn as one picture.
private func makesEmoji(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\u{FE0F}" || scalar == "\u{200D}" || scalar.properties.isEmojiModifier
        || isRegionalIndicator(scalar)
}

private func displayWidth(of scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return 1 }
    if isWide(scalar.value) || scalar.properties.isEmojiPresentation {
        return isRegionalIndicator(scalar) ? 1 : 2
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: return isMedialJamo(scalar.value) ? 0 : 1
    }
}

/// Half a flag. Two of them are a flag of two columns.
private func isRegionalIndicator(_ scalar: Unicode.Scalar) -> Bool {
    (0x1F1E6...0x1F1FF).contains(scalar.value)
}

/// Vowels and final consonants of Korean syllables, which are drawn into the first consonant.
private func isMedialJamo(_ value: UInt32) -> Bool {
    (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value)
}

/// Whether the Unicode property East_Asian_Width is W or F. The ranges are those of Unicode 14
/// joined across code points that are not assigned; emoji are left out, which are W throughout
/// and known to the standard library.
private func isWide(_ value: UInt32) -> Bool {
    switch value {
    case 0..<0x1100: false
    case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF,
        0x4E00...0xA4C6, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
        0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x1B2FB, 0x1F200...0x1F265,
        0x20000...0x3FFFD:
        true
    default: false
    }
}
