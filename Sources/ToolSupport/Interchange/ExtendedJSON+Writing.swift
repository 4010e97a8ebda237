package import GroupLogFormat

extension JSONWriter {
    /// Writes a value in the manner of ``ExtendedJSON``.
    package mutating func value(_ value: CBORValue) {
        switch value {
        case .unsigned(let number): integer(number)
        case .negative(let number): integer(-1 - Int128(number))
        case .bytes(let bytes): wrapped("$bytes") { $0.base64(bytes) }
        case .text(let text): string(text)
        case .array(let elements):
            beginArray()
            for element in elements { self.value(element) }
            endArray()
        case .map(let pairs): map(pairs)
        case .tagged(let tag, let content): tagged(tag, content)
        case .simple(20): bool(false)
        case .simple(21): bool(true)
        case .simple(22): null()
        case .simple(23): wrapped("$undefined") { $0.bool(true) }
        case .simple(let number): wrapped("$simple") { $0.integer(number) }
        case .float(let float): self.float(float)
        }
    }

    /// Writes a field of a record: its name, and its value with the exception for ``ExtendedJSON/dateField``.
    package mutating func field(_ name: String, _ value: CBORValue) {
        key(name)
        guard name.hasSameBytes(as: ExtendedJSON.dateField) else { return self.value(value) }
        if let date = value.timestamp?.text {
            string(date)
        } else if let text = value.text {
            wrapped("$text") { $0.string(text) }
        } else {
            self.value(value)
        }
    }

    private mutating func map(_ pairs: [CBORPair]) {
        guard isObject(pairs) else {
            return wrapped("$map") { writer in
                writer.beginArray()
                for pair in pairs {
                    writer.beginArray()
                    writer.value(pair.key)
                    writer.value(pair.value)
                    writer.endArray()
                }
                writer.endArray()
            }
        }
        beginObject()
        for pair in pairs {
            key(pair.key.text ?? "")
            value(pair.value)
        }
        endObject()
    }

    private func isObject(_ pairs: [CBORPair]) -> Bool {
        var names: Set<[UInt8]> = []
        for pair in pairs {
            guard let name = pair.key.text, names.insert(Array(name.utf8)).inserted else {
                return false
            }
        }
        return pairs.count != 1 || pairs.first?.key.text?.utf8.first != UInt8(ascii: "$")
    }

    private mutating func tagged(_ tag: UInt64, _ content: CBORValue) {
        switch (tag, content) {
        case (ExtendedJSON.uuidTag, .bytes(let bytes)) where bytes.count == 16:
            wrapped("$uuid") { $0.string(RecordKey.uuidText(bytes)) }
        case (ExtendedJSON.dateTag, .float(.double(let bits))):
            let seconds = Double(bitPattern: bits)
            wrapped("$date") { writer in
                if let text = Timestamp(secondsSinceReferenceDate: seconds).text {
                    writer.string(text)
                } else {
                    writer.wrapped("$float") { $0.string(JSONWriter.spelling(of: seconds)) }
                }
            }
        case (ExtendedJSON.positiveBignumTag, .bytes(let bytes)):
            if let number = UInt128(bignum: bytes) { return integer(number) }
            other(tag, content)
        case (ExtendedJSON.negativeBignumTag, .bytes(let bytes)):
            if let number = UInt128(bignum: bytes).flatMap(Int128.init(exactly:)) {
                return integer(-1 - number)
            }
            other(tag, content)
        default:
            other(tag, content)
        }
    }

    private mutating func other(_ tag: UInt64, _ content: CBORValue) {
        wrapped("$tag") { writer in
            writer.beginArray()
            writer.integer(tag)
            writer.value(content)
            writer.endArray()
        }
    }

    private mutating func float(_ float: CBORFloat) {
        switch float {
        case .double(let bits):
            let value = Double(bitPattern: bits)
            if value.isFinite { return double(value) }
            wrapped("$float") { $0.string(JSONWriter.spelling(of: value)) }
        case .single(let bits):
            let value = Float(bitPattern: bits)
            wrapped("$float32") { writer in
                if value.isFinite { return writer.double(Double(value)) }
                let isUsual = value.isInfinite || bits == Float.nan.bitPattern
                writer.string(
                    isUsual ? JSONWriter.spelling(of: Double(value)) : "nan:\(bits.hexadecimal)")
            }
        case .half(let bits):
            wrapped("$float16") { $0.string(bits.hexadecimal) }
        }
    }

    private mutating func wrapped(_ name: String, _ write: (inout JSONWriter) -> Void) {
        beginObject()
        key(name)
        write(&self)
        endObject()
    }

    /// Any double as text, the usual NaN by name and others by their bits.
    private static func spelling(of value: Double) -> String {
        if value.isNaN {
            return value.bitPattern == Double.nan.bitPattern
                ? "NaN" : "nan:\(value.bitPattern.hexadecimal)"
        }
        if value.isInfinite { return value < 0 ? "-Infinity" : "Infinity" }
        return value.description
    }
}

extension UInt128 {
    /// The number of a bignum that needs more than 64 bits and has no zeros in front; nil for others, which have another
    /// spelling when they come from JSON again.
    fileprivate init?(bignum bytes: [UInt8]) {
        guard (9...16).contains(bytes.count), bytes.first != 0 else { return nil }
        self = bytes.reduce(0) { $0 << 8 | UInt128($1) }
    }
}

extension FixedWidthInteger {
    fileprivate var hexadecimal: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: Self.bitWidth / 4 - digits.utf8.count) + digits
    }
}
