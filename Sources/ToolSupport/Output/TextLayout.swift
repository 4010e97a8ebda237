/// The paragraphs broken into lines of at most the width, at spaces. A word that is wider stands
/// alone on a line of its own.
func wrapped(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
        var line = ""
        var used = 0
        for word in paragraph.split(separator: " ") {
            let needed = displayWidth(String(word))
            if !line.isEmpty, used + 1 + needed > width {
                lines.append(line)
                (line, used) = ("", 0)
            }
            if !line.isEmpty {
                line += " "
                used += 1
            }
            line += word
            used += needed
        }
        lines.append(line)
    }
    return lines
}

/// A number of things: "1 frame", "2 frames".
package func counted(_ count: some BinaryInteger, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
}

/// Spaces that bring the text to the width.
func padding(_ text: String, to width: Int) -> String {
    String(repeating: " ", count: max(0, width - displayWidth(text)))
}

/// The text, or as much of its beginning as fits with an ellipsis behind it.
func truncated(_ text: String, to width: Int) -> String {
    var used = 0
    /// Where the text ends that leaves a column for the ellipsis.
    var end = text.startIndex
    for index in text.indices {
        let next = displayWidth(of: text[index])
        if used + next > width { return text[..<end] + "…" }
        used += next
        if used < width { end = text.index(after: index) }
    }
    return text
}
