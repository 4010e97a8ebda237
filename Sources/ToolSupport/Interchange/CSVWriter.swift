/// Writes CSV rows as RFC 4180 has them: commas, rows that end with CR LF, quotes around what needs them.
///
/// Quoted are fields with a delimiter of any kind, a quote or a line end in them, fields with blanks at an end (programs
/// like to trim these), and empty texts, which a bare field could not be told from: that is how no field at all is
/// written, unless it is alone in its row (which would look like no row at all).
package struct CSVWriter {
    private var buffer: PieceBuffer

    /// Where there is no place to go to, `bytes` has it all.
    package init(to sink: PieceBuffer.Sink? = nil) { buffer = PieceBuffer(to: sink) }

    package var bytes: [UInt8] { buffer.bytes }

    /// Hands over what is left. Throws what the place to go to has thrown since.
    package mutating func flush() throws { try buffer.flush() }

    package mutating func row(_ fields: [String?]) {
        for (index, field) in fields.enumerated() {
            if index > 0 { buffer.append(UInt8(ascii: ",")) }
            guard let field = field ?? (fields.count == 1 ? "" : nil) else { continue }
            if needsQuotes(field) {
                appendQuoted(field)
            } else {
                buffer.append(field)
            }
        }
        buffer.append("\r\n")
    }

    private mutating func appendQuoted(_ field: String) {
        let quote = UInt8(ascii: "\"")
        buffer.append(quote)
        buffer.append(field) { byte, _ in
            byte == quote
        } as: { _, bytes in
            bytes += [quote, quote]
        }
        buffer.append(quote)
    }

    private func needsQuotes(_ field: String) -> Bool {
        guard let first = field.utf8.first, let last = field.utf8.last else { return true }
        // 0xEF: a byte order mark that begins a field must not begin the file.
        if first == 0x20 || last == 0x20 || first == 0xEF { return true }
        return field.utf8.contains { byte in
            switch byte {
            case 0x09...0x0D, UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: ";"): true
            default: false
            }
        }
    }
}
