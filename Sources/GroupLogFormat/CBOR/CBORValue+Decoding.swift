extension CBORValue {
    /// Reads bytes that are exactly one item; anything behind it is an error.
    ///
    /// Every text is checked to be UTF-8. What is allocated is in proportion to the bytes at hand,
    /// whatever lengths they announce.
    public static func decode(_ bytes: RawSpan) throws(CBORError) -> CBORValue {
        var reader = CBORReader()
        let value = try reader.value(in: bytes)
        guard reader.offset == bytes.byteCount else {
            throw CBORError(.trailingBytes, at: reader.offset)
        }
        return value
    }

    /// Reads bytes that are exactly one item; anything behind it is an error.
    public static func decode(_ bytes: [UInt8]) throws(CBORError) -> CBORValue {
        try decode(unsafe bytes.span.bytes)
    }
}

extension CBORReader {
    /// Reads one whole item.
    package mutating func value(in bytes: RawSpan) throws(CBORError) -> CBORValue {
        var nesting = CBORNesting()
        var partial: [PartialValue] = []
        while true {
            let start = offset
            let head = try head(in: bytes)
            var value: CBORValue
            switch head.major {
            case .unsigned: value = .unsigned(head.argument)
            case .negative: value = .negative(head.argument)
            case .bytes: value = .bytes(try byteString(head, in: bytes))
            case .text: value = .text(try text(head, in: bytes))
            case .array, .map, .tag:
                let opened = PartialValue(head)
                let available = bytes.byteCount - offset
                if try nesting.open(head, at: start, available: available) {
                    partial.append(opened)
                    continue
                }
                value = opened.finished
            case .simple:
                if head.isBreak {
                    try nesting.close(atBreak: start)
                    value = partial.removeLast().finished
                } else {
                    value = head.float.map(CBORValue.float) ?? .simple(head.simple ?? 0)
                }
            }
            while true {
                guard let last = partial.indices.last else { return value }
                partial[last].items.append(value)
                guard nesting.itemEnded() else { break }
                value = partial.removeLast().finished
            }
        }
    }
}

/// An array, map or tag whose items are still being read.
private struct PartialValue {
    let head: CBORHead
    var items: [CBORValue] = []

    init(_ head: CBORHead) { self.head = head }

    var finished: CBORValue {
        switch head.major {
        case .map:
            .map(
                stride(from: 0, to: items.count, by: 2).map { CBORPair(items[$0], items[$0 + 1]) })
        case .tag: .tagged(head.argument, items[0])
        default: .array(items)
        }
    }
}
