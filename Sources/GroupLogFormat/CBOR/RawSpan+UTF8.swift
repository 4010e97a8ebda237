extension RawSpan {
    /// Whether a range, which the caller has checked, is UTF-8 (Unicode, table 3-7).
    package func isUTF8(_ range: Range<Int>) -> Bool { firstFaultOfUTF8(range) == nil }

    /// Where in a range, which the caller has checked, the first character begins that is not UTF-8.
    package func firstFaultOfUTF8(_ range: Range<Int>) -> Int? {
        var offset = range.lowerBound
        while offset < range.upperBound {
            if range.upperBound &- offset >= 8,
                integer(at: offset, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
            {
                offset &+= 8
                continue
            }
            guard let length = scalarLength(at: offset, end: range.upperBound) else {
                return offset
            }
            offset &+= length
        }
        return nil
    }

    /// The length of the scalar at an offset below `end`; nil where there is none.
    private func scalarLength(at offset: Int, end: Int) -> Int? {
        let first: UInt8 = integer(at: offset)
        let length: Int
        // The second byte's range shuts out overlong forms, surrogates and what is beyond Unicode.
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch first {
        case 0x00...0x7F: return 1
        case 0xC2...0xDF: length = 2
        case 0xE0...0xEF:
            length = 3
            if first == 0xE0 { second = 0xA0...0xBF }
            if first == 0xED { second = 0x80...0x9F }
        case 0xF0...0xF4:
            length = 4
            if first == 0xF0 { second = 0x90...0xBF }
            if first == 0xF4 { second = 0x80...0x8F }
        default: return nil
        }
        guard end &- offset >= length, second.contains(integer(at: offset &+ 1)) else { return nil }
        for next in (offset &+ 2)..<max(offset &+ length, offset &+ 2) {
            guard integer(at: next, as: UInt8.self) & 0xC0 == 0x80 else { return nil }
        }
        return length
    }
}
