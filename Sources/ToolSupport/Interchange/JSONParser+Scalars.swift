extension JSONParser {
    /// Reads a string from its opening quote to behind its closing one; nil where it is longer than a record can be.
    mutating func string() throws(InterchangeError) -> String? {
        let line = cursor.line
        _ = try cursor.next()
        var bytes: [UInt8] = []
        var wasRepaired = false
        var isExcess = false
        while true {
            let most = min(bytesLeft + bytes.count, longestText)
            _ = try cursor.take(into: &bytes, limit: most) { byte in
                byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
            }
            if bytesLeft < 0 { throw tooLarge() }
            if bytes.count > longestText { isExcess = true }
            if isExcess { bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 20) }
            switch try cursor.peek() {
            case UInt8(ascii: "\""):
                _ = try cursor.next()
                if isExcess { return nil }
                count(bytes.count)
                let text = String(repairing: bytes, wasRepaired: &wasRepaired)
                if wasRepaired {
                    warnings.append(
                        .init(
                            .repairedText, line: line,
                            "text with broken characters; U+FFFD stands in their place"))
                }
                return text
            case UInt8(ascii: "\\"):
                _ = try cursor.next()
                try escape(into: &bytes, wasRepaired: &wasRepaired)
            case let byte? where byte < 0x20:
                throw cursor.error(
                    "control character 0x\(String(byte, radix: 16)) in a string; it must be escaped"
                )
            case .some: continue  // A long text is taken in pieces.
            case nil:
                throw cursor.error("a string that began in line \(line) does not end")
            }
        }
    }

    private mutating func escape(
        into bytes: inout [UInt8], wasRepaired: inout Bool
    ) throws(InterchangeError) {
        switch try cursor.peek() {
        case let byte?
        where byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "/"):
            bytes.append(byte)
        case UInt8(ascii: "b"): bytes.append(0x08)
        case UInt8(ascii: "f"): bytes.append(0x0C)
        case UInt8(ascii: "n"): bytes.append(0x0A)
        case UInt8(ascii: "r"): bytes.append(0x0D)
        case UInt8(ascii: "t"): bytes.append(0x09)
        case UInt8(ascii: "u"):
            _ = try cursor.next()
            return try codeUnits(into: &bytes, wasRepaired: &wasRepaired)
        case let byte:
            throw unexpected(byte, wanted: "one of \"\\/bfnrtu behind '\\'")
        }
        _ = try cursor.next()
    }

    /// Reads the digits of an escape, and the escape that must follow the first half of a pair.
    ///
    /// A half without its other half becomes U+FFFD; what stands in the other's place is read for what it is.
    private mutating func codeUnits(
        into bytes: inout [UInt8], wasRepaired: inout Bool
    ) throws(InterchangeError) {
        var unit = try fourDigits()
        while unit & 0xFC00 == 0xD800 {
            guard try cursor.lookAhead(2).elementsEqual("\\u".utf8) else { break }
            _ = try cursor.next()
            _ = try cursor.next()
            let second = try fourDigits()
            if second & 0xFC00 == 0xDC00 {
                append(0x1_0000 + (unit & 0x3FF) << 10 + second & 0x3FF, to: &bytes)
                return
            }
            append(0xFFFD, to: &bytes)
            wasRepaired = true
            unit = second
        }
        if unit & 0xF800 == 0xD800 {
            wasRepaired = true
            unit = 0xFFFD
        }
        append(unit, to: &bytes)
    }

    private func append(_ value: UInt32, to bytes: inout [UInt8]) {
        if value < 0x80 { return bytes.append(UInt8(truncatingIfNeeded: value)) }
        guard let scalar = Unicode.Scalar(value) else { return }
        bytes.append(contentsOf: String(Character(scalar)).utf8)
    }

    private mutating func fourDigits() throws(InterchangeError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            let byte = try cursor.peek()
            guard let digit = byte?.hexadecimalValue else {
                throw unexpected(byte, wanted: "four hexadecimal digits behind '\\u'")
            }
            value = value << 4 | UInt32(digit)
            _ = try cursor.next()
        }
        return value
    }

    /// Reads a number: an optional minus, digits without a leading zero, an optional fraction, an optional exponent.
    mutating func number() throws(InterchangeError) -> JSONNumber {
        var text: [UInt8] = []
        if try cursor.take(UInt8(ascii: "-")) { text.append(UInt8(ascii: "-")) }
        if try cursor.take(UInt8(ascii: "0")) {
            text.append(UInt8(ascii: "0"))
            if let byte = try cursor.peek(), byte.isDigit {
                throw cursor.error("a number must not begin with a zero that another digit follows")
            }
        } else {
            try digits(into: &text)
        }
        if try cursor.take(UInt8(ascii: ".")) {
            text.append(UInt8(ascii: "."))
            try digits(into: &text)
        }
        if let byte = try cursor.peek(), byte | 0x20 == UInt8(ascii: "e") {
            _ = try cursor.next()
            text.append(byte)
            if let sign = try cursor.peek(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-")
            {
                _ = try cursor.next()
                text.append(sign)
            }
            try digits(into: &text)
        }
        return JSONNumber(text: String(decoding: text, as: UTF8.self))
    }

    private mutating func digits(into text: inout [UInt8]) throws(InterchangeError) {
        let count = text.count
        let tooLong = try cursor.take(into: &text, limit: bytesLeft + count) { $0.isDigit }
        if tooLong { throw tooLarge() }
        if text.count == count { throw unexpected(try cursor.peek(), wanted: "a digit") }
    }
}
