import GroupLogFormat

/// Reads JSON as RFC 8259 defines it, neither less nor more.
///
/// Where the RFC leaves a choice:
/// - a byte order mark at the start is passed over;
/// - of members with one name the last counts, in the place of the first, and a warning tells it;
/// - an escape of half a surrogate pair, and each maximal part of a string that is not UTF-8, becomes U+FFFD, and a
///   warning tells it: text cut in the middle of an emoji does not cost the whole record;
/// - nesting deeper than `depthLimit`, or a value of more than `sizeLimit` bytes, is an error;
/// - of a text that is longer than a record can be nothing is kept, and it becomes ``JSONValue/excess``: the value is read
///   to its end, so that what follows it can be read too.
///
/// The parser keeps its open containers on a stack of its own, so no input can exhaust the thread's.
package struct JSONParser {
    /// The depth of nesting that is read when nothing else is asked for.
    package static let usualDepthLimit = 512
    /// Larger than any record: one byte of text takes at most six in an escape.
    package static let usualSizeLimit = 256 << 20

    var cursor: ByteCursor
    private let depthLimit: Int
    private let sizeLimit: Int
    private var start = 0
    /// How many bytes the texts of the value may still have.
    private var textLeft = 0
    /// Whether each value is to become one record, so that its texts count together.
    private let isRecord: Bool
    /// What was repaired or dropped so far.
    package internal(set) var warnings: [InterchangeWarning] = []

    init(_ cursor: ByteCursor, depthLimit: Int, sizeLimit: Int, isRecord: Bool = false) {
        self.isRecord = isRecord
        self.cursor = cursor
        self.depthLimit = depthLimit
        self.sizeLimit = sizeLimit
    }

    package init(
        _ source: ByteSource, line: Int = 1, depthLimit: Int = usualDepthLimit,
        sizeLimit: Int = usualSizeLimit
    ) {
        self.init(
            ByteCursor(source, line: line), depthLimit: depthLimit, sizeLimit: sizeLimit)
    }

    /// Reads the whole input as one JSON text.
    package mutating func document() throws(InterchangeError) -> JSONValue {
        try cursor.skipByteOrderMark()
        let value = try value()
        try expectEnd()
        return value
    }

    /// Reads one value and stops behind it.
    mutating func value() throws(InterchangeError) -> JSONValue {
        start = cursor.offset
        textLeft = Self.longestText
        var open: [Container] = []
        while true {
            guard var value = try valueOrOpening(&open) else { continue }
            // A value is complete. It may complete the container around it, which is then the value, and so on.
            while true {
                guard let last = open.indices.last else { return value }
                guard cursor.offset - start <= sizeLimit else { throw tooLarge() }
                open[last].add(value)
                try skipBlanks()
                let isObject = open[last].isObject
                switch try cursor.peek() {
                case UInt8(ascii: ","):
                    _ = try cursor.next()
                    if isObject { open[last].name = try memberName() }
                case UInt8(ascii: "]") where !isObject, UInt8(ascii: "}") where isObject:
                    _ = try cursor.next()
                    value = close(open.removeLast())
                    continue
                case let byte:
                    throw unexpected(byte, wanted: isObject ? "',' or '}'" : "',' or ']'")
                }
                break
            }
        }
    }

    /// A scalar or an empty container; nil when a container with something in it was opened.
    private mutating func valueOrOpening(
        _ open: inout [Container]
    ) throws(InterchangeError) -> JSONValue? {
        try skipBlanks()
        switch try cursor.peek() {
        case UInt8(ascii: "\""):
            return try string().map(JSONValue.string) ?? .excess
        case let byte? where byte == UInt8(ascii: "-") || byte.isDigit:
            return .number(try number())
        case UInt8(ascii: "t"):
            return try word("true", .bool(true))
        case UInt8(ascii: "f"):
            return try word("false", .bool(false))
        case UInt8(ascii: "n"):
            return try word("null", .null)
        case let bracket? where bracket == UInt8(ascii: "[") || bracket == UInt8(ascii: "{"):
            guard open.count < depthLimit else {
                throw cursor.error("nested deeper than \(depthLimit) levels")
            }
            let line = cursor.line
            _ = try cursor.next()
            try skipBlanks()
            if bracket == UInt8(ascii: "[") {
                if try cursor.take(UInt8(ascii: "]")) { return .array([]) }
                open.append(Container(isObject: false, line: line))
            } else {
                if try cursor.take(UInt8(ascii: "}")) { return .object(JSONObject([], line: line)) }
                open.append(Container(isObject: true, line: line, name: try memberName()))
            }
            return nil
        case let byte:
            throw unexpected(byte, wanted: "a value")
        }
    }

    private mutating func memberName() throws(InterchangeError) -> String {
        try skipBlanks()
        guard try cursor.peek() == UInt8(ascii: "\"") else {
            throw unexpected(try cursor.peek(), wanted: "a name in quotes")
        }
        guard let name = try string() else {
            throw cursor.error("a name of more than \(LogLayout.maximumRecordLength >> 20) MiB")
        }
        try skipBlanks()
        guard try cursor.take(UInt8(ascii: ":")) else {
            throw unexpected(try cursor.peek(), wanted: "':'")
        }
        return name
    }

    private mutating func word(
        _ word: StaticString, _ value: JSONValue
    ) throws(InterchangeError) -> JSONValue {
        for wanted in word.description.utf8 {
            guard try cursor.take(wanted) else {
                throw unexpected(try cursor.peek(), wanted: "'\(word)'")
            }
        }
        return value
    }

    private mutating func close(_ container: Container) -> JSONValue {
        guard container.isObject else { return .array(container.elements) }
        var object = JSONObject(container.members, line: container.line)
        for name in object.removeRepeatedNames() {
            warnings.append(
                .init(
                    .duplicateName, line: container.line,
                    "the name \"\(name)\" occurs twice in one object; the last one counts"))
        }
        return .object(object)
    }

    mutating func skipBlanks() throws(InterchangeError) {
        while let byte = try cursor.peek(),
            byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
        {
            _ = try cursor.next()
        }
    }

    mutating func expectEnd() throws(InterchangeError) {
        try skipBlanks()
        if let byte = try cursor.peek() {
            throw unexpected(byte, wanted: "the end of the text")
        }
    }

    func unexpected(_ byte: UInt8?, wanted: String) -> InterchangeError {
        guard let byte else { return cursor.error("expected \(wanted), but the text ends") }
        if (0x21...0x7E).contains(byte) {
            return cursor.error("expected \(wanted), found '\(Unicode.Scalar(byte))'")
        }
        return cursor.error("expected \(wanted), found byte 0x\(String(byte, radix: 16))")
    }

    func tooLarge() -> InterchangeError {
        cursor.error("a value of more than \(sizeLimit >> 20) MiB")
    }

    /// The longest text that is kept: the base64 of as many bytes as a record can have.
    private static let longestText = LogLayout.maximumRecordLength / 3 * 4 + 4

    /// The longest text that would still be kept.
    var longestText: Int { textLeft }

    /// Counts a text that is kept, if it is large: small ones cannot be many before the value is.
    mutating func count(_ bytes: Int) {
        if isRecord, bytes > 1 << 16 { textLeft -= bytes }
    }

    var bytesLeft: Int { sizeLimit - (cursor.offset - start) }
}

/// An array or object whose end has not been reached.
private struct Container {
    let isObject: Bool
    let line: Int
    var name = ""
    var elements: [JSONValue] = []
    var members: [JSONMember] = []

    init(isObject: Bool, line: Int, name: String = "") {
        self.isObject = isObject
        self.line = line
        self.name = name
    }

    mutating func add(_ value: JSONValue) {
        if isObject {
            members.append(JSONMember(name, value))
        } else {
            elements.append(value)
        }
    }
}

extension JSONObject {
    /// Whether a name stands before this place already; looks at all of them.
    private func isRepeated(_ place: Int) -> Bool {
        let name = members[place].name
        return members[..<place].contains { $0.name.hasSameBytes(as: name) }
    }

    /// Leaves each name once, with its last value, and gives the names that occurred again.
    fileprivate mutating func removeRepeatedNames() -> [String] {
        let areFew = members.count <= 12
        if areFew, members.indices.allSatisfy({ !isRepeated($0) }) { return [] }
        var places: [[UInt8]: Int] = [:]
        var kept: [JSONMember] = []
        var repeated: [String] = []
        for member in members {
            let place = places[Array(member.name.utf8), default: kept.count]
            if place < kept.count {
                kept[place].value = member.value
                repeated.append(member.name)
            } else {
                places[Array(member.name.utf8)] = place
                kept.append(member)
            }
        }
        if !repeated.isEmpty { members = kept }
        return repeated
    }
}
