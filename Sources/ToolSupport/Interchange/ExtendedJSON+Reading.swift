package import GroupLogFormat

extension ExtendedJSON {
    /// The value of a JSON text, and what had to be changed in it.
    package static func value(
        of text: String
    ) throws(InterchangeError) -> (value: CBORValue, warnings: [InterchangeWarning]) {
        var parser = JSONParser(ByteSource(Array(text.utf8)), depthLimit: depthLimit)
        var reader = ExtendedJSONReader(line: 1)
        let value = try reader.value(try parser.document())
        return (value, parser.warnings + reader.warnings)
    }
}

/// Turns JSON values into those of records and keeps what has to be told about it.
struct ExtendedJSONReader {
    private(set) var warnings: [InterchangeWarning] = []
    /// The line of the innermost object, for errors and warnings.
    private var line: Int
    private var depth = 0

    init(line: Int) {
        self.line = line
    }

    /// The value that ``ExtendedJSON`` spells like this.
    ///
    /// An object whose only name begins with `$` and is none of the known ones is a map. A known one with anything but its
    /// proper content is an error: it was meant to be something, and it is not clear what.
    mutating func value(_ json: JSONValue) throws(InterchangeError) -> CBORValue {
        depth += 1
        defer { depth -= 1 }
        // The parser has seen to it that this recursion ends; what is left to see to is that the value can be written.
        guard depth <= ExtendedJSON.depthLimit else {
            throw InterchangeError(
                "nested deeper than \(ExtendedJSON.depthLimit) levels", line: line)
        }
        switch json {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .number(let number): return try self.number(number)
        case .string(let text): return .text(text)
        case .excess: throw InterchangeError(ImportEntry.excess, line: line)
        case .array(let elements):
            var values: [CBORValue] = []
            for element in elements { values.append(try value(element)) }
            return .array(values)
        case .object(let object):
            let outer = line
            line = object.line
            defer { line = outer }
            if object.members.count == 1, let member = object.members.first,
                member.name.utf8.first == UInt8(ascii: "$"),
                let value = try wrapped(member.name, member.value)
            {
                return value
            }
            var pairs: [CBORPair] = []
            for member in object.members {
                pairs.append(CBORPair(.text(member.name), try value(member.value)))
            }
            return .map(pairs)
        }
    }

    /// Nil when the name is not one of ours.
    private mutating func wrapped(
        _ name: String, _ content: JSONValue
    ) throws(InterchangeError) -> CBORValue? {
        if case .excess = content { throw InterchangeError(ImportEntry.excess, line: line) }
        let value: CBORValue?
        switch name {
        case "$text": value = content.string.map(CBORValue.text)
        case "$bytes": value = content.string.flatMap(Base64.decode).map(CBORValue.bytes)
        case "$uuid":
            value = content.string.flatMap(UUIDText.bytes).map {
                .tagged(ExtendedJSON.uuidTag, .bytes($0))
            }
        case "$date": value = date(content)
        case "$float": value = content.string.flatMap(CBORFloat.init(double:)).map(CBORValue.float)
        case "$float32": value = CBORFloat(single: content).map(CBORValue.float)
        case "$float16":
            value = content.string.flatMap { UInt16(hexadecimal: $0) }.map { .float(.half($0)) }
        case "$map": value = try map(content)
        case "$tag": value = try tagged(content)
        case "$undefined": value = content == .bool(true) ? .undefined : nil
        case "$simple":
            value = content.integer.flatMap(UInt8.init(exactly:)).flatMap {
                (24..<32).contains($0) ? nil : .simple($0)
            }
        default: return nil
        }
        guard let value else {
            throw InterchangeError(
                "what stands under '\(name)' is not what belongs there", line: line)
        }
        return value
    }

    private func date(_ content: JSONValue) -> CBORValue? {
        if let text = content.string {
            return (try? Timestamp(text)).map(CBORValue.date)
        }
        guard let object = content.object, object.members.count == 1,
            let text = object["$float"]?.string, let float = CBORFloat(double: text)
        else { return nil }
        return .tagged(ExtendedJSON.dateTag, .float(float))
    }

    private mutating func map(_ content: JSONValue) throws(InterchangeError) -> CBORValue? {
        guard let entries = content.array else { return nil }
        var pairs: [CBORPair] = []
        for entry in entries {
            guard let pair = entry.array, pair.count == 2 else { return nil }
            pairs.append(CBORPair(try value(pair[0]), try value(pair[1])))
        }
        return .map(pairs)
    }

    private mutating func tagged(_ content: JSONValue) throws(InterchangeError) -> CBORValue? {
        guard let pair = content.array, pair.count == 2,
            let tag = pair[0].integer.flatMap(UInt64.init(exactly:))
        else { return nil }
        return .tagged(tag, try value(pair[1]))
    }

    private mutating func number(_ number: JSONNumber) throws(InterchangeError) -> CBORValue {
        // There is no integer minus zero.
        if number.isInteger, number.text != "-0" {
            if let value = UInt128(number.text) {
                return .integer(magnitude: value, isNegative: false)
            }
            if let value = Int128(number.text) {
                return .integer(magnitude: UInt128(-1 - value), isNegative: true)
            }
            warnings.append(
                .init(
                    .inexactNumber, line: line,
                    "the integer \(number.text.prefix(20))... has more than 128 bits and became a double"
                ))
        }
        let double = number.double
        guard double.isFinite else {
            throw InterchangeError(
                "the number \(number.text.prefix(40)) is too large for a double", line: line)
        }
        return .double(double)
    }
}

extension JSONValue {
    fileprivate var integer: Int128? {
        guard case .number(let number) = self, number.isInteger else { return nil }
        return Int128(number.text)
    }
}

extension CBORValue {
    /// The shortest item for a number; for a negative one the magnitude is that of -1 - n, as CBOR has it.
    fileprivate static func integer(magnitude: UInt128, isNegative: Bool) -> CBORValue {
        if let small = UInt64(exactly: magnitude) {
            return isNegative ? .negative(small) : .unsigned(small)
        }
        let bytes = (0..<16).map { UInt8(truncatingIfNeeded: magnitude >> UInt128(120 - $0 * 8)) }
        return .tagged(
            isNegative ? ExtendedJSON.negativeBignumTag : ExtendedJSON.positiveBignumTag,
            .bytes(Array(bytes.drop { $0 == 0 })))
    }
}

extension CBORFloat {
    fileprivate init?(double text: String) {
        switch text {
        case "NaN": self = .double(Double.nan.bitPattern)
        case "Infinity": self = .double(Double.infinity.bitPattern)
        case "-Infinity": self = .double((-Double.infinity).bitPattern)
        case _ where text.hasPrefix("nan:"):
            guard let bits = UInt64(hexadecimal: String(text.dropFirst(4))),
                Double(bitPattern: bits).isNaN
            else { return nil }
            self = .double(bits)
        default:
            guard let value = Double(text), value.isFinite else { return nil }
            self = .double(value.bitPattern)
        }
    }

    fileprivate init?(single content: JSONValue) {
        if case .number(let number) = content {
            guard let value = Float(exactly: number.double), value.isFinite else { return nil }
            self = .single(value.bitPattern)
            return
        }
        switch content.string {
        case "NaN": self = .single(Float.nan.bitPattern)
        case "Infinity": self = .single(Float.infinity.bitPattern)
        case "-Infinity": self = .single((-Float.infinity).bitPattern)
        case let text? where text.hasPrefix("nan:"):
            guard let bits = UInt32(hexadecimal: String(text.dropFirst(4))),
                Float(bitPattern: bits).isNaN
            else { return nil }
            self = .single(bits)
        default: return nil
        }
    }
}

extension FixedWidthInteger {
    /// Reads exactly as many digits as the type has, without a sign.
    fileprivate init?(hexadecimal digits: String) {
        guard digits.utf8.count == Self.bitWidth / 4, digits.utf8.first != UInt8(ascii: "+") else {
            return nil
        }
        self.init(digits, radix: 16)
    }
}
