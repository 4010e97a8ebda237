/// Writes a bookmark file that browsers read, and that ``NetscapeReader`` reads back without a difference.
///
/// What the format has no place for stands in attributes of our own, which others pass over: the id, and the date where
/// `ADD_DATE`, whole seconds since 1970, is not all of it. Folders are opened and closed as the entries come. It does not
/// carry: a tag, title, text or folder without characters, and the difference between no tags and an empty list of them.
package struct NetscapeWriter {
    static let identifierAttribute = "grouplog_id"
    static let dateAttribute = "grouplog_date"

    private var buffer: PieceBuffer
    private var path: [Substring] = []

    package var bytes: [UInt8] { buffer.bytes }

    /// Hands over what is left. Throws what the place to go to has thrown since.
    package mutating func flush() throws { try buffer.flush() }

    /// Begins the file. Where there is no place to go to, `bytes` has it all.
    package init(to sink: PieceBuffer.Sink? = nil) {
        buffer = PieceBuffer(to: sink)
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
        if let url = entry.url { attribute("HREF") { $0.escape(url) } }
        if let createdAt { date(createdAt) }
        if entry.isPrivate { attribute("PRIVATE") { $0.append("1") } }
        let tags = entry.tags.filter { !$0.isEmpty }
        if !tags.isEmpty { attribute("TAGS") { $0.escape(tags: tags) } }
        if let identifier = entry.identifier {
            attribute(Self.identifierAttribute.uppercased()) { $0.escape(identifier) }
        }
        append(">")
        escape(entry.title ?? "", ends: true)
        append("</A>\n")
        if let text = entry.text, !text.isEmpty {
            indent()
            append("<DD>")
            escape(text, ends: true)
            append("\n")
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
        if isReadAsSeconds { attribute("ADD_DATE") { $0.append(unix) } }
        if !isReadAsSeconds || back != date {
            attribute(Self.dateAttribute.uppercased()) { $0.append(text) }
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
            append("<DT><H3>")
            escape(String(name), ends: true)
            append("</H3>\n")
            indent()
            append("<DL><p>\n")
            path.append(name)
        }
    }

    private mutating func indent() {
        append(String(repeating: "    ", count: path.count + 1))
    }

    private mutating func attribute(_ name: String, _ value: (inout Self) -> Void) {
        append(" \(name)=\"")
        value(&self)
        append("\"")
    }

    private mutating func append(_ text: String) { buffer.append(text) }

    /// A reader parts tags by commas, or by blanks when there is no comma, before it decodes them.
    private mutating func escape(tags: [String]) {
        let isAlone = tags.count == 1
        for (place, tag) in tags.enumerated() {
            if place > 0 { append(",") }
            escape(tag, ends: true) { byte in
                byte == UInt8(ascii: ",") || isAlone && byte.isBlank
            }
        }
    }

    /// Escapes what HTML would take for its own, line ends that a transfer could change and, where readers trim, the blanks
    /// at the `ends`.
    private mutating func escape(
        _ text: String, ends: Bool = false, also isSpecial: (UInt8) -> Bool = { _ in false }
    ) {
        let utf8 = text.utf8
        // How many blanks stand in front, and how much there is without those at the end.
        let start = ends ? utf8.prefix(while: \.isBlank).count : 0
        let end = utf8.count - (ends ? utf8.reversed().prefix(while: \.isBlank).count : 0)
        buffer.append(text) { byte, place in
            switch byte {
            case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""): true
            default:
                byte == 0x0D || !ends && byte.isBlank && byte != 0x20 || place < start
                    || place >= end || isSpecial(byte)
            }
        } as: { byte, bytes in
            switch byte {
            case UInt8(ascii: "&"): bytes += "&amp;".utf8
            case UInt8(ascii: "<"): bytes += "&lt;".utf8
            case UInt8(ascii: ">"): bytes += "&gt;".utf8
            case UInt8(ascii: "\""): bytes += "&quot;".utf8
            default: bytes += "&#\(byte);".utf8
            }
        }
    }
}
