/// A place among bytes from which CBOR is read.
///
/// It holds the offset alone; the bytes are lent to each call, always the same ones. An error
/// leaves the place somewhere inside the item: start again from an offset that is known.
package struct CBORReader {
    package var offset: Int

    @inlinable
    package init(at offset: Int = 0) {
        precondition(offset >= 0, "a CBOR reader starts inside its bytes")
        self.offset = offset
    }

    /// Reads the head of the item here, or a break.
    @inlinable
    package mutating func head(in bytes: RawSpan) throws(CBORError) -> CBORHead {
        let start = offset
        guard start < bytes.byteCount else { throw CBORError(.truncated, at: start) }
        let first: UInt8 = bytes.integer(at: start)
        guard let major = CBORHead.Major(rawValue: first >> 5) else {
            throw CBORError(.reservedHead, at: start)
        }
        let info = first & 0x1F
        offset = start &+ 1
        if info < 24 { return CBORHead(major: major, info: info, argument: UInt64(info)) }
        return try longHead(major, info, at: start, in: bytes)
    }

    @usableFromInline
    mutating func longHead(
        _ major: CBORHead.Major, _ info: UInt8, at start: Int, in bytes: RawSpan
    ) throws(CBORError) -> CBORHead {
        guard info < 28 else {
            switch major {
            case .bytes, .text, .array, .map, .simple:
                guard info == 31 else { break }
                return CBORHead(major: major, info: info, argument: 0)
            case .unsigned, .negative, .tag: break
            }
            throw CBORError(.reservedHead, at: start)
        }
        let width = 1 << Int(info - 24)
        guard bytes.byteCount - offset >= width else { throw CBORError(.truncated, at: start) }
        let argument =
            switch info {
            case 24: UInt64(bytes.integer(at: offset, as: UInt8.self))
            case 25: UInt64(bytes.integer(at: offset, as: UInt16.self).byteSwapped)
            case 26: UInt64(bytes.integer(at: offset, as: UInt32.self).byteSwapped)
            default: bytes.integer(at: offset, as: UInt64.self).byteSwapped
            }
        if major == .simple && info == 24 && argument < 32 {
            throw CBORError(.invalidSimple, at: start)
        }
        offset += width
        return CBORHead(major: major, info: info, argument: argument)
    }

    /// Passes over the content of a definite string whose head was read, and says where it is.
    @inlinable
    package mutating func content(
        of head: CBORHead, in bytes: RawSpan
    ) throws(CBORError) -> Range<Int> {
        let start = offset
        guard start <= bytes.byteCount, head.argument <= UInt64(bytes.byteCount &- start) else {
            throw CBORError(.truncated, at: start)
        }
        offset = start &+ Int(truncatingIfNeeded: head.argument)
        return start..<offset
    }

    /// Reads the next chunk of an indefinite string; nil at the break that ends it.
    package mutating func chunk(
        of string: CBORHead, in bytes: RawSpan
    ) throws(CBORError) -> Range<Int>? {
        let start = offset
        let head = try head(in: bytes)
        if head.isBreak { return nil }
        guard head.major == string.major, !head.isIndefinite else {
            throw CBORError(.invalidChunk, at: start)
        }
        return try content(of: head, in: bytes)
    }

    /// Passes over one whole item, which is thereby known to be well-formed.
    ///
    /// - Parameter checkingText: whether text must also be UTF-8, which makes the item valid.
    package mutating func skip(
        in bytes: RawSpan, checkingText: Bool = false
    ) throws(CBORError) {
        // Most items hold no others, and need no account of what is open.
        let beginning = offset
        let head = try head(in: bytes)
        switch head.major {
        case .unsigned, .negative: return
        case .bytes: return try skipString(head, in: bytes, checkingText: false)
        case .text: return try skipString(head, in: bytes, checkingText: checkingText)
        case .array, .map, .tag: offset = beginning
        case .simple:
            guard head.isBreak else { return }
            offset = beginning
        }
        try skipNested(in: bytes, checkingText)
    }

    private mutating func skipNested(
        in bytes: RawSpan, _ checkingText: Bool
    ) throws(CBORError) {
        var nesting = CBORNesting()
        repeat {
            let start = offset
            let head = try head(in: bytes)
            switch head.major {
            case .unsigned, .negative: break
            case .bytes: try skipString(head, in: bytes, checkingText: false)
            case .text: try skipString(head, in: bytes, checkingText: checkingText)
            case .array, .map, .tag:
                let available = bytes.byteCount - offset
                if try nesting.open(head, at: start, available: available) { continue }
            case .simple:
                if head.isBreak { try nesting.close(atBreak: start) }
            }
            while nesting.itemEnded() {}
        } while !nesting.isEmpty
    }

    private mutating func skipString(
        _ head: CBORHead, in bytes: RawSpan, checkingText: Bool
    ) throws(CBORError) {
        guard head.isIndefinite else {
            let content = try content(of: head, in: bytes)
            try Self.check(content, in: bytes, checkingText)
            return
        }
        while let content = try chunk(of: head, in: bytes) {
            try Self.check(content, in: bytes, checkingText)
        }
    }

    private static func check(
        _ content: Range<Int>, in bytes: RawSpan, _ checkingText: Bool
    ) throws(CBORError) {
        guard checkingText, !bytes.isUTF8(content) else { return }
        throw CBORError(.invalidText, at: content.lowerBound)
    }
}
