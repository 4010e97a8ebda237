extension CBORValue {
    /// The value in diagnostic notation (RFC 8949, section 8), on one line.
    ///
    /// A value that cannot be written gives the reason instead.
    public var diagnostic: String {
        do {
            let bytes = try encoded()
            return try Self.diagnostic(of: unsafe bytes.span.bytes)
        } catch {
            return "<\(error)>"
        }
    }

    /// The diagnostic notation of bytes that are exactly one item, indefinite lengths shown.
    ///
    /// Text keeps its characters, but for those that would move a cursor or turn the direction
    /// of writing: they are escaped. All NaNs are written alike, and so are all float widths.
    public static func diagnostic(of bytes: RawSpan) throws(CBORError) -> String {
        var reader = CBORReader()
        let text = try reader.diagnostic(in: bytes)
        guard reader.offset == bytes.byteCount else {
            throw CBORError(.trailingBytes, at: reader.offset)
        }
        return text
    }
}

extension CBORReader {
    /// Reads one item as diagnostic notation.
    package mutating func diagnostic(in bytes: RawSpan) throws(CBORError) -> String {
        var nesting = CBORNesting()
        var closing: [String] = []
        var output = ""
        repeat {
            let start = offset
            let head = try head(in: bytes)
            if !head.isBreak { output += Self.separator(in: nesting.levels.last) }
            switch head.major {
            case .unsigned: output += String(head.argument)
            case .negative: output += String(-1 - Int128(head.argument))
            case .bytes, .text: output += try string(head, in: bytes)
            case .array, .map, .tag:
                let (opening, end) = Self.brackets(head)
                output += opening
                let available = bytes.byteCount - offset
                if try nesting.open(head, at: start, available: available) {
                    closing.append(end)
                    continue
                }
                output += end
            case .simple:
                if head.isBreak {
                    try nesting.close(atBreak: start)
                    output += closing.removeLast()
                } else if let float = head.float {
                    output += Self.notation(of: float)
                } else {
                    output += Self.notation(ofSimple: head.argument)
                }
            }
            while nesting.itemEnded() { output += closing.removeLast() }
        } while !nesting.isEmpty
        return output
    }

    private static func separator(in level: CBORNesting.Level?) -> String {
        guard let level, level.count > 0 else { return "" }
        return level.major == .map && !level.count.isMultiple(of: 2) ? ": " : ", "
    }

    private static func brackets(_ head: CBORHead) -> (String, String) {
        switch (head.major, head.isIndefinite) {
        case (.tag, _): ("\(head.argument)(", ")")
        case (.map, false): ("{", "}")
        case (.map, true): ("{_ ", "}")
        case (_, false): ("[", "]")
        case (_, true): ("[_ ", "]")
        }
    }

    private static func notation(of float: CBORFloat) -> String {
        let value = float.doubleValue
        if value.isNaN { return "NaN" }
        guard value.isFinite else { return value < 0 ? "-Infinity" : "Infinity" }
        return value.description
    }

    private static func notation(ofSimple value: UInt64) -> String {
        switch value {
        case 20: "false"
        case 21: "true"
        case 22: "null"
        case 23: "undefined"
        default: "simple(\(value))"
        }
    }

    private mutating func string(
        _ head: CBORHead, in bytes: RawSpan
    ) throws(CBORError) -> String {
        guard head.isIndefinite else {
            return try Self.notation(of: try content(of: head, in: bytes), head.major, in: bytes)
        }
        var chunks: [String] = []
        while let content = try chunk(of: head, in: bytes) {
            chunks.append(try Self.notation(of: content, head.major, in: bytes))
        }
        if chunks.isEmpty { return head.major == .text ? "\"\"_" : "''_" }
        return "(_ " + chunks.joined(separator: ", ") + ")"
    }

    private static func notation(
        of content: Range<Int>, _ major: CBORHead.Major, in bytes: RawSpan
    ) throws(CBORError) -> String {
        if major == .bytes { return "h'" + RecordKey.hexadecimal(bytes.copy(content)) + "'" }
        guard let text = bytes.text(content) else {
            throw CBORError(.invalidText, at: content.lowerBound)
        }
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{200E}", "\u{200F}", "\u{061C}",
                "\u{2028}"..."\u{202E}", "\u{2066}"..."\u{2069}":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
