/// Tells the format of a file by how it begins.
enum FormatDetection {
    /// Enough to see a header, or a first line that is not extraordinary.
    private static let window = 1 << 20

    /// The beginning of the file from its first sign on, without moving the cursor; empty for a file of nothing but blanks.
    static func start(at cursor: inout ByteCursor) throws(InterchangeError) -> ArraySlice<UInt8> {
        let start = try cursor.lookAhead(window)
        if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) {
            throw InterchangeError("the file is UTF-16; convert it to UTF-8", line: 1)
        }
        let text = start.starts(with: [0xEF, 0xBB, 0xBF]) ? start.dropFirst(3) : start
        let first = text.drop(while: \.isBlank)
        if first.isEmpty, start.count == window {
            throw InterchangeError("the file begins with nothing but blanks", line: 1)
        }
        return first
    }

    static func format(
        of start: ArraySlice<UInt8>, collection: ImportCollection
    ) throws(InterchangeError) -> InterchangeFormat {
        switch start.first {
        case UInt8(ascii: "["): return .json
        case UInt8(ascii: "{"): return objects(start)
        case UInt8(ascii: "<"):
            guard hasBookmarks(start) else {
                throw InterchangeError("the file is HTML or XML, but no bookmark file", line: 1)
            }
            return .netscape
        default:
            // The collection `items` knows its headers; elsewhere any text would pass for one column.
            let header = start.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
            guard collection == .items || header.contains(where: CSVReader.delimiters.contains)
            else {
                throw InterchangeError(
                    "the format of the file cannot be told from its content", line: 1)
            }
            return .csv
        }
    }

    /// Sees to it that a file is what its user says it is, where reading it would not show that.
    static func check(
        _ start: ArraySlice<UInt8>, is format: InterchangeFormat
    ) throws(InterchangeError) {
        switch format {
        case .jsonl, .csv: return
        case .json:
            if start.isEmpty { throw InterchangeError("the file is empty, and so no JSON") }
        case .netscape:
            if !hasBookmarks(start) { throw InterchangeError("the file is no bookmark file") }
        }
    }

    /// Whether there is a sign of bookmarks, or of a file that could have some.
    private static func hasBookmarks(_ start: ArraySlice<UInt8>) -> Bool {
        let head = String(decoding: start.prefix(1 << 16).map(\.lowercased), as: UTF8.self)
        let signs = ["netscape-bookmark-file", "<dl", "<dt", "<h3", "<a "]
        return signs.contains(where: head.contains)
    }

    /// Lines of JSON, or one text over several lines, or the one-line export of a browser.
    ///
    /// A first line that is a whole text decides. If it is none, it is taken for the start of a longer text where it ends as
    /// such lines do, and else for a damaged line among others.
    private static func objects(_ start: ArraySlice<UInt8>) -> InterchangeFormat {
        let line = start.prefix { $0 != UInt8(ascii: "\n") }
        // A line longer than what was looked at cannot be parsed here.
        if line.count == start.count, start.count > window - 1_024 {
            let text = String(decoding: line, as: UTF8.self)
            return ServiceTree.names.contains { text.contains("\"\($0)\"") } ? .json : .jsonl
        }
        var parser = JSONParser(ByteSource(Array(line)), depthLimit: ExtendedJSON.depthLimit)
        if let value = try? parser.document() {
            let isAlone = start.dropFirst(line.count).allSatisfy(\.isBlank)
            return isAlone && ServiceTree.isTree(value) ? .json : .jsonl
        }
        let last = line.last { !$0.isBlank }
        let continues = [UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ",")]
        return line.count < start.count && last.map(continues.contains) == true ? .json : .jsonl
    }
}
