import GroupLogFormat

/// Cuts HTML into text, start tags and end tags, as tolerantly as browsers do.
///
/// Long text comes in pieces. Text and attribute values come as the bytes that stand in the file; the reader decodes them after it has cut them up,
/// so that an escaped comma or blank is not taken for a separator. Comments, declarations, scripts and styles are passed over.
struct HTMLTokenizer {
    enum Token {
        case text([UInt8])
        case start(String, HTMLAttributes)
        case end(String)
    }

    private var cursor: ByteCursor
    private let sizeLimit: Int
    /// The line in which the last token began.
    private(set) var line = 1

    init(_ cursor: ByteCursor, sizeLimit: Int) {
        self.cursor = cursor
        self.sizeLimit = sizeLimit
    }

    /// The next token; nil at the end. A tag or comment that does not end is an error.
    mutating func next() throws(InterchangeError) -> Token? {
        if cursor.offset == 0 { try cursor.skipByteOrderMark() }
        while try cursor.peek() != nil {
            line = cursor.line
            let ahead = Array(try cursor.lookAhead(4))
            guard ahead[0] == UInt8(ascii: "<"), ahead.count > 1 else { return try text() }
            if ahead[1].isLetter {
                _ = try cursor.next()
                let name = try self.name()
                let attributes = try self.attributes()
                if name == "script" || name == "style" { try skipContent(of: name) }
                return .start(name, attributes)
            }
            if ahead[1] == UInt8(ascii: "/"), ahead.count > 2, ahead[2].isLetter {
                _ = try cursor.next()
                _ = try cursor.next()
                let name = try self.name()
                _ = try attributes()
                return .end(name)
            }
            if ahead.elementsEqual("<!--".utf8) {
                try skipComment()
            } else if [UInt8(ascii: "!"), UInt8(ascii: "?"), UInt8(ascii: "/")].contains(ahead[1]) {
                try skip(through: UInt8(ascii: ">"), "a declaration")
            } else {
                return try text()
            }
        }
        return nil
    }

    /// Text up to the next `<`, which is text itself when it stands first, or as much of it as makes a piece.
    private mutating func text() throws(InterchangeError) -> Token {
        var bytes: [UInt8] = []
        if try cursor.take(UInt8(ascii: "<")) { bytes.append(UInt8(ascii: "<")) }
        _ = try cursor.take(into: &bytes, limit: 1 << 16) { $0 != UInt8(ascii: "<") }
        return .text(bytes)
    }

    private mutating func name() throws(InterchangeError) -> String {
        var bytes: [UInt8] = []
        try take(into: &bytes) { !$0.isBlank && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ">") }
        return String(decoding: bytes, as: UTF8.self).lowercased()
    }

    /// Reads to behind the `>`.
    private mutating func attributes() throws(InterchangeError) -> HTMLAttributes {
        var attributes = HTMLAttributes()
        let begin = cursor.offset
        while true {
            guard let byte = try cursor.peek() else {
                throw InterchangeError("a tag that begins in line \(line) does not end", line: line)
            }
            guard cursor.offset - begin <= sizeLimit else { throw tooLarge() }
            if byte == UInt8(ascii: ">") {
                _ = try cursor.next()
                return attributes
            }
            if byte.isBlank || byte == UInt8(ascii: "/") {
                _ = try cursor.next()
                continue
            }
            // A name may begin with "=": HTML says so, and it makes sure that every turn takes a byte.
            var name: [UInt8] = []
            if try cursor.take(UInt8(ascii: "=")) { name.append(UInt8(ascii: "=")) }
            try take(into: &name) {
                !$0.isBlank && $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ">")
                    && $0 != UInt8(ascii: "/")
            }
            try skipBlanks()
            let value = try cursor.take(UInt8(ascii: "=")) ? try attributeValue() : []
            guard let value else {
                attributes.hasExcess = true
                continue
            }
            attributes.add(String(decoding: name, as: UTF8.self).lowercased(), value)
        }
    }

    /// Nil for a value that is longer than a record can be.
    private mutating func attributeValue() throws(InterchangeError) -> [UInt8]? {
        try skipBlanks()
        let quote = try cursor.peek()
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            _ = try cursor.next()
            let value = try attributeValue { $0 != quote }
            _ = try cursor.next()
            return value
        }
        return try attributeValue { !$0.isBlank && $0 != UInt8(ascii: ">") }
    }

    private mutating func attributeValue(
        while isWanted: (UInt8) -> Bool
    ) throws(InterchangeError) -> [UInt8]? {
        var value: [UInt8] = []
        var isExcess = false
        let begin = cursor.offset
        while try cursor.take(into: &value, limit: LogLayout.maximumRecordLength, while: isWanted) {
            guard cursor.offset - begin <= sizeLimit else { throw tooLarge() }
            isExcess = true
            value = []
        }
        return isExcess ? nil : value
    }

    private mutating func skipBlanks() throws(InterchangeError) {
        while let byte = try cursor.peek(), byte.isBlank { _ = try cursor.next() }
    }

    private mutating func skipComment() throws(InterchangeError) {
        for _ in 0..<4 { _ = try cursor.next() }
        var last: (UInt8, UInt8) = (0, 0)
        while let byte = try cursor.next() {
            if byte == UInt8(ascii: ">"), last == (UInt8(ascii: "-"), UInt8(ascii: "-")) { return }
            last = (last.1, byte)
        }
        throw InterchangeError("a comment that begins in line \(line) does not end", line: line)
    }

    private mutating func skipContent(of name: String) throws(InterchangeError) {
        let end = Array("</\(name)".utf8)
        while let byte = try cursor.peek() {
            if byte == UInt8(ascii: "<"),
                try cursor.lookAhead(end.count).map(\.lowercased) == end
            {
                return
            }
            _ = try cursor.next()
        }
        throw InterchangeError("a \(name) that begins in line \(line) does not end", line: line)
    }

    private mutating func skip(through last: UInt8, _ what: String) throws(InterchangeError) {
        while let byte = try cursor.next() {
            if byte == last { return }
        }
        throw InterchangeError("\(what) that begins in line \(line) does not end", line: line)
    }

    private mutating func take(
        into bytes: inout [UInt8], while isWanted: (UInt8) -> Bool
    ) throws(InterchangeError) {
        if try cursor.take(into: &bytes, limit: sizeLimit, while: isWanted) { throw tooLarge() }
    }

    private func tooLarge() -> InterchangeError {
        cursor.error("a tag or text of more than \(sizeLimit >> 20) MiB")
    }
}

/// The attributes of a tag, names in small letters; of two with one name the first counts, as in browsers.
struct HTMLAttributes {
    private var values: [String: [UInt8]] = [:]
    /// Whether a value was too long to be kept.
    var hasExcess = false

    mutating func add(_ name: String, _ value: [UInt8]) {
        if values[name] == nil { values[name] = value }
    }

    subscript(name: String) -> [UInt8]? { values[name] }
}

extension UInt8 {
    var isBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
    var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
    var lowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}
