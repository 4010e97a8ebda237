/// Tags in one cell of our CSV: parted by commas, with a backslash before commas, backslashes and blanks at an end.
package enum TagList {
    package static func text(_ tags: [String]) -> String {
        tags.map { tag in
            let bytes = Array(tag.utf8)
            let start = bytes.firstIndex { !$0.isBlank } ?? bytes.count
            let end = bytes.lastIndex { !$0.isBlank } ?? -1
            var escaped: [UInt8] = []
            for (place, byte) in bytes.enumerated() {
                let isSpecial = byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\\")
                if isSpecial || place < start || place > end { escaped.append(UInt8(ascii: "\\")) }
                escaped.append(byte)
            }
            return String(decoding: escaped, as: UTF8.self)
        }.joined(separator: ",")
    }

    package static func tags(_ text: String) -> [String] {
        var tags: [[UInt8]] = []
        var tag: [UInt8] = []
        /// How much of the tag must stay when blanks at its end are dropped.
        var kept = 0
        var isEscaped = false
        for byte in text.utf8 {
            if isEscaped || byte != UInt8(ascii: "\\") && byte != UInt8(ascii: ",") {
                if !isEscaped, byte.isBlank, tag.isEmpty { continue }
                tag.append(byte)
                if isEscaped || !byte.isBlank { kept = tag.count }
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else {
                tags.append(Array(tag.prefix(kept)))
                tag = []
                kept = 0
            }
        }
        tags.append(Array(tag.prefix(kept)))
        return tags.filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
    }

    static func split(_ text: String, at separators: String) -> [String] {
        text.utf8.split { separators.utf8.contains($0) }
            .map { String(decoding: Array($0).trimmingBlanks, as: UTF8.self) }
    }
}
