import GroupLogFormat

/// Reads CSV with a header row (RFC 4180), and what programs write in its name.
///
/// Rows end with CR LF, LF or CR; blank rows are passed over; a byte order mark may stand in front. Quotes count only at
/// the start of a field. The delimiter is a comma, a semicolon or a tab: the one that occurs in the header. If more than
/// one occurs there, it has to be named. Memory holds one row, and of one that is longer than a record can be nothing: it is given with that problem.
package struct CSVReader {
    /// A row below the header.
    package struct Row {
        /// The line it begins in.
        package let line: Int
        package let fields: [String]
        /// Which fields are empty and stand in quotes: an empty text, where a bare one is none.
        package var emptyTexts: Set<Int> = []
        /// Why the fields cannot be trusted to be what the row meant; nil for a sound row.
        package let problem: String?
        package let wasRepaired: Bool
    }

    package let header: [String]
    package let delimiter: UInt8
    private var rows: CSVRows

    package init(
        _ source: ByteSource, delimiter: UInt8? = nil, sizeLimit: Int = JSONParser.usualSizeLimit
    ) throws(InterchangeError) {
        let cursor = ByteCursor(source, returnsEndLines: true)
        try self.init(cursor, delimiter: delimiter, sizeLimit: sizeLimit)
    }

    init(
        _ cursor: ByteCursor, delimiter: UInt8?, sizeLimit: Int = JSONParser.usualSizeLimit
    ) throws(InterchangeError) {
        var cursor = cursor
        try cursor.skipByteOrderMark()
        if let delimiter {
            self.delimiter = delimiter
        } else {
            self.delimiter = try CSVReader.delimiter(at: &cursor)
        }
        rows = CSVRows(cursor, delimiter: self.delimiter, sizeLimit: sizeLimit)
        guard let row = try rows.next() else {
            throw InterchangeError("there is no header row", line: 1)
        }
        if let problem = row.problem { throw InterchangeError(problem, line: row.line) }
        var seen: Set<[UInt8]> = []
        for name in row.fields where !seen.insert(Array(name.utf8)).inserted {
            throw InterchangeError("two columns are named '\(name)'", line: row.line)
        }
        header = row.fields
    }

    /// The next row; nil behind the last.
    ///
    /// A row with another number of fields than the header has is given with that problem. A quote that does not end is an
    /// error which names the line of the quote.
    package mutating func next() throws(InterchangeError) -> Row? {
        guard let row = try rows.next() else { return nil }
        guard row.problem == nil, row.fields.count != header.count else { return row }
        return Row(
            line: row.line, fields: row.fields, emptyTexts: row.emptyTexts,
            problem: "\(row.fields.count) fields where the header has \(header.count)",
            wasRepaired: row.wasRepaired)
    }

    /// What may part the columns.
    static let delimiters = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]

    /// The delimiter of the row at the cursor, which is left where it is.
    static func delimiter(at cursor: inout ByteCursor) throws(InterchangeError) -> UInt8 {
        var found: Set<UInt8> = []
        var isQuoted = false
        var isBlank = true
        for byte in try cursor.lookAhead(1 << 16) {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if isQuoted { continue }
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
                if isBlank { continue }
                break
            }
            isBlank = false
            if delimiters.contains(byte) { found.insert(byte) }
        }
        guard found.count <= 1 else {
            throw cursor.error("the header has more than one kind of delimiter: , ; or tab")
        }
        return found.first ?? UInt8(ascii: ",")
    }
}

/// Cuts the input into rows, whatever their number of fields.
private struct CSVRows {
    private var cursor: ByteCursor
    private let delimiter: UInt8
    private let sizeLimit: Int
    private var bytesLeft = 0
    /// How many bytes of the row may still be kept.
    private var roomLeft = 0
    private var problem: String?
    private var wasRepaired = false

    init(_ cursor: ByteCursor, delimiter: UInt8, sizeLimit: Int) {
        self.cursor = cursor
        self.delimiter = delimiter
        self.sizeLimit = sizeLimit
    }

    mutating func next() throws(InterchangeError) -> CSVReader.Row? {
        bytesLeft = sizeLimit
        roomLeft = LogLayout.maximumRecordLength
        problem = nil
        wasRepaired = false
        while let byte = try cursor.peek(), isRowEnd(byte) { _ = try cursor.next() }
        guard try cursor.peek() != nil else { return nil }
        let line = cursor.line
        var fields: [String] = []
        var emptyTexts: Set<Int> = []
        while true {
            let isQuoted = try cursor.peek() == UInt8(ascii: "\"")
            fields.append(try field(isQuoted: isQuoted))
            if isQuoted, fields[fields.count - 1].isEmpty { emptyTexts.insert(fields.count - 1) }
            // A field takes room even without a byte.
            bytesLeft -= MemoryLayout<String>.size
            guard try cursor.take(delimiter) else { break }
        }
        if try cursor.take(UInt8(ascii: "\r")) {
            _ = try cursor.take(UInt8(ascii: "\n"))
        } else {
            _ = try cursor.next()
        }
        return .init(
            line: line, fields: fields, emptyTexts: emptyTexts, problem: problem,
            wasRepaired: wasRepaired)
    }

    private mutating func field(isQuoted: Bool) throws(InterchangeError) -> String {
        var bytes: [UInt8] = []
        if isQuoted { try quoted(into: &bytes) }
        let quotedCount = bytes.count
        let delimiter = delimiter
        try take(into: &bytes) {
            $0 != delimiter && $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n")
        }
        if isQuoted, bytes.count > quotedCount {
            problem = "text behind a closing quote"
        }
        roomLeft -= bytes.count
        return String(repairing: bytes, wasRepaired: &wasRepaired)
    }

    private mutating func quoted(into bytes: inout [UInt8]) throws(InterchangeError) {
        let line = cursor.line
        _ = try cursor.next()
        repeat {
            try take(into: &bytes) { $0 != UInt8(ascii: "\"") }
            guard try cursor.next() != nil else {
                throw InterchangeError(
                    "a quote that begins in line \(line) does not end", line: line)
            }
            guard try cursor.take(UInt8(ascii: "\"")) else { return }
            bytes.append(UInt8(ascii: "\""))
        } while true
    }

    private mutating func take(
        into bytes: inout [UInt8], while isWanted: (UInt8) -> Bool
    ) throws(InterchangeError) {
        while true {
            let (offset, most) = (cursor.offset, min(roomLeft, bytesLeft + bytes.count))
            let isStopped = try cursor.take(into: &bytes, limit: most, while: isWanted)
            bytesLeft -= cursor.offset - offset
            if bytesLeft < 0 { throw cursor.error("a row of more than \(sizeLimit >> 20) MiB") }
            if bytes.count > roomLeft {
                problem = ImportEntry.excess
                roomLeft = 0
                bytes = []
            }
            guard isStopped, let byte = try cursor.peek(), isWanted(byte) else { return }
        }
    }

    private func isRowEnd(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }
}
