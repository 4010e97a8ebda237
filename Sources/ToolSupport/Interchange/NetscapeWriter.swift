/// Writes a bookmark file that browsers read, and that ``NetscapeReader`` reads back without a difference.
///
/// What the format has no place for stands in attributes of our own, which others pass over: the id, and the date where
/// `ADD_DATE`, whole seconds since 1970, is not all of it. Folders are opened and closed as the entries come. It does not
/// carry: a tag, title, text or folder without characters, and the difference between no tags and an empty list of them.
package struct NetscapeWriter {
    static let identifierAttribute = "grouplog_id"
    static let dateAttribute = "grouplog_date"

    package var bytes: [UInt8] = []
    private var path: [Substring] = []

    package init() {
        append(
            """
            <!DOCTYPE NETSCAPE-Bookmark-file-1>
            <META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
            <TITLE>Bookmarks</TITLE>
            <H1>Bookmarks</H1>
            <DL><p>

            """)
    }

    /// Appends an entry; `createdAt` stands for its date.
    package mutating func entry(_ entry: NetscapeEntry, createdAt: Timestamp?) {
        move(
            to: entry.folder.map { $0.split(separator: "/", omittingEmptySubsequences: false) }
                ?? [])
        indent()
        append("<DT><A")
        if let url = entry.url { attribute("HREF", escape(url)) }
        if let createdAt { date(createdAt) }
        if entry.isPrivate { attribute("PRIVATE", "1") }
        let tags = entry.tags.filter { !$0.isEmpty }
        if !tags.isEmpty { attribute("TAGS", escape(tags: tags)) }
        if let identifier = entry.identifier {
            attribute(NetscapeWriter.identifierAttribute.uppercased(), escape(identifier))
        }
        append(">\(escape(entry.title ?? "", ends: true))</A>\n")
        if let text = entry.text, !text.isEmpty {
            indent()
            append("<DD>\(escape(text, ends: true))\n")
        }
    }

    /// Closes all folders; the file is then complete.
    package mutating func finish() {
        move(to: [])
        append("</DL><p>\n")
    }

    private mutating func date(_ date: Timestamp) {
        guard let text = date.text else { return }
        let seconds = date.secondsSinceReferenceDate
        // Towards the past, also before 2001. That there is a text keeps the seconds far from overflow.
        let whole = Int64(seconds) - (seconds < 0 && Double(Int64(seconds)) != seconds ? 1 : 0)
        let unix = String(whole + 978_307_200)
        // What is outside the range of seconds would be read in another unit.
        let back = try? Timestamp(unix: unix)
        let isReadAsSeconds = back?.secondsSinceReferenceDate == Double(whole)
        if isReadAsSeconds { attribute("ADD_DATE", unix) }
        if !isReadAsSeconds || back != date {
            attribute(NetscapeWriter.dateAttribute.uppercased(), text)
        }
    }

    private mutating func move(to new: [Substring]) {
        let shared = zip(path, new).prefix { $0.utf8.elementsEqual($1.utf8) }.count
        while path.count > shared {
            path.removeLast()
            indent()
            append("</DL><p>\n")
        }
        for name in new[shared...] {
            indent()
            append("<DT><H3>\(escape(String(name), ends: true))</H3>\n")
            indent()
            append("<DL><p>\n")
            path.append(name)
        }
    }

    private mutating func indent() {
        append(String(repeating: "    ", count: path.count + 1))
    }

    private mutating func attribute(_ name: String, _ escaped: String) {
        append(" \(name)=\"\(escaped)\"")
    }

    private mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    /// A reader parts tags by commas, or by blanks when there is no comma, before it decodes them.
    private func escape(tags: [String]) -> String {
        let isAlone = tags.count == 1
        return tags.map { tag in
            escape(tag, ends: true) { byte in
                byte == UInt8(ascii: ",") || isAlone && byte.isBlank
            }
        }.joined(separator: ",")
    }

    /// Escapes what HTML would take for its own, line ends that a transfer could change and, where readers trim, the blanks
    /// at the `ends`.
    private func escape(
        _ text: String, ends: Bool = false, also isSpecial: (UInt8) -> Bool = { _ in false }
    ) -> String {
        let utf8 = Array(text.utf8)
        let start = ends ? utf8.firstIndex { !$0.isBlank } ?? utf8.count : 0
        let end = ends ? utf8.lastIndex { !$0.isBlank } ?? -1 : utf8.count
        var escaped: [UInt8] = []
        for (index, byte) in utf8.enumerated() {
            switch byte {
            case UInt8(ascii: "&"): escaped.append(contentsOf: "&amp;".utf8)
            case UInt8(ascii: "<"): escaped.append(contentsOf: "&lt;".utf8)
            case UInt8(ascii: ">"): escaped.append(contentsOf: "&gt;".utf8)
            case UInt8(ascii: "\""): escaped.append(contentsOf: "&quot;".utf8)
            case _ where byte == 0x0D || !ends && byte.isBlank && byte != 0x20,
                _ where index < start || index > end || isSpecial(byte):
                escaped.append(contentsOf: "&#\(byte);".utf8)
            default: escaped.append(byte)
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }
}
