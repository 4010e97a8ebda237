extension CBORWriter {
    /// Writes a value with everything in it.
    ///
    /// Fails, with nothing written, on what no reader would take: a simple value that does not
    /// exist, or more than `CBORValue.maximumDepth` items inside one another.
    public mutating func value(_ value: CBORValue) throws(CBORError) {
        try self.value(value, inside: 0)
    }

    /// Writes a value that stands inside so many arrays, maps and tags already.
    package mutating func value(_ value: CBORValue, inside levels: Int) throws(CBORError) {
        let start = bytes.count
        do {
            try write(value, inside: levels)
        } catch {
            bytes.removeSubrange(start...)
            throw error
        }
    }

    private mutating func write(_ value: CBORValue, inside levels: Int) throws(CBORError) {
        guard value.childCount > 0 else { return try writeStart(of: value) }
        var rest = CBORPreorder(value)
        while let value = rest.next() {
            guard levels + rest.depth <= CBORValue.maximumDepth else {
                throw CBORError(.tooDeep, at: bytes.count)
            }
            try writeStart(of: value)
        }
    }

    /// Writes a value, but for those that stand in it.
    private mutating func writeStart(of value: CBORValue) throws(CBORError) {
        switch value {
        case .unsigned(let value): unsigned(value)
        case .negative(let n): negative(n)
        case .bytes(let content): byteString(content)
        case .text(let content): text(content)
        case .simple(let value): try simple(value)
        case .float(.half(let bits)): half(bits)
        case .float(.single(let bits)): float(Float(bitPattern: bits))
        case .float(.double(let bits)): double(Double(bitPattern: bits))
        case .array(let items): arrayHead(items.count)
        case .map(let pairs): mapHead(pairs.count)
        case .tagged(let number, _): tag(number)
        }
    }
}

extension CBORValue {
    /// The value's bytes, in the shortest form.
    public func encoded() throws(CBORError) -> [UInt8] {
        var writer = CBORWriter()
        try writer.value(self)
        return writer.bytes
    }
}
