/// The elements of one top-level array, one at a time: memory holds the largest element, never the array.
package struct JSONElements {
    package private(set) var parser: JSONParser
    private var state = State.before

    private enum State {
        case before, inside, done
    }

    package init(_ parser: JSONParser) {
        self.parser = parser
    }

    /// The next element and the line it begins in; nil behind the last.
    ///
    /// An error is final: what follows a mistake in an array cannot be told apart from it.
    package mutating func next() throws(InterchangeError) -> (line: Int, value: JSONValue)? {
        parser.warnings = []
        try parser.skipBlanks()
        switch state {
        case .done: return nil
        case .before:
            try parser.cursor.skipByteOrderMark()
            try parser.skipBlanks()
            guard try parser.cursor.take(UInt8(ascii: "[")) else {
                throw parser.unexpected(try parser.cursor.peek(), wanted: "'['")
            }
            try parser.skipBlanks()
            state = .inside
            if try parser.cursor.take(UInt8(ascii: "]")) { return try end() }
        case .inside:
            if try parser.cursor.take(UInt8(ascii: "]")) { return try end() }
            guard try parser.cursor.take(UInt8(ascii: ",")) else {
                throw parser.unexpected(try parser.cursor.peek(), wanted: "',' or ']'")
            }
            try parser.skipBlanks()
        }
        let line = parser.cursor.line
        return (line, try parser.value())
    }

    private mutating func end() throws(InterchangeError) -> (line: Int, value: JSONValue)? {
        state = .done
        try parser.expectEnd()
        return nil
    }
}

/// JSON Lines: one JSON text a line.
///
/// Lines end with LF or CR LF, the last one may lack its end, blank lines are passed over, and so is a byte order mark
/// before the text of a line. Memory holds the value of one line.
package struct JSONLines {
    /// What one line turned out to be.
    ///
    /// A line that is not JSON says nothing about its neighbours.
    package enum Line {
        case value(JSONValue, line: Int, [InterchangeWarning])
        case malformed(InterchangeError, line: Int)
    }

    private var cursor: ByteCursor
    private let depthLimit: Int
    private let sizeLimit: Int

    init(_ cursor: ByteCursor, depthLimit: Int, sizeLimit: Int = JSONParser.usualSizeLimit) {
        self.cursor = cursor
        self.depthLimit = depthLimit
        self.sizeLimit = sizeLimit
    }

    package init(_ source: ByteSource, depthLimit: Int = JSONParser.usualDepthLimit) {
        self.init(ByteCursor(source), depthLimit: depthLimit)
    }

    /// The next line that is not blank; nil behind the last.
    ///
    /// Throws only what the source throws.
    package mutating func next() throws(InterchangeError) -> Line? {
        if cursor.offset == 0 { try cursor.skipByteOrderMark() }
        while try cursor.peek() != nil {
            let line = cursor.line
            cursor.endsAtLine = true
            defer { cursor.endsAtLine = false }
            try cursor.skipByteOrderMark()
            while let byte = try cursor.peek(), byte == 0x20 || byte == 0x09 || byte == 0x0D {
                _ = try cursor.next()
            }
            guard try cursor.peek() != nil else {
                try skipLine()
                continue
            }
            var parser = JSONParser(
                cursor, depthLimit: depthLimit, sizeLimit: sizeLimit, isRecord: true)
            let result = Result { () throws(InterchangeError) in try parser.document() }
            cursor = parser.cursor
            try skipLine()
            switch result {
            case .success(let value): return .value(value, line: line, parser.warnings)
            case .failure(let error) where error.cause != nil: throw error
            case .failure(let error): return .malformed(error, line: line)
            }
        }
        return nil
    }

    /// Goes on behind the end of the line.
    private mutating func skipLine() throws(InterchangeError) {
        cursor.endsAtLine = false
        while let byte = try cursor.next(), byte != UInt8(ascii: "\n") {}
    }
}
