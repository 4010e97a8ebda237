extension RawSpan {
    /// The little-endian integer at an offset. The caller has checked that it lies inside.
    @inlinable
    package func integer<T: FixedWidthInteger & BitwiseCopyable>(
        at offset: Int, as type: T.Type = T.self
    ) -> T {
        precondition(offset >= 0 && MemoryLayout<T>.size <= byteCount &- offset)
        // Any bit pattern is an integer, and the bounds were checked above.
        return unsafe T(littleEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: T.self))
    }

    /// Whether all bytes of a range, which the caller has checked, are zero.
    package func isZero(_ range: Range<Int>) -> Bool {
        var offset = range.lowerBound
        while offset &+ 8 <= range.upperBound {
            if integer(at: offset, as: UInt64.self) != 0 { return false }
            offset &+= 8
        }
        while offset < range.upperBound {
            if integer(at: offset, as: UInt8.self) != 0 { return false }
            offset &+= 1
        }
        return true
    }

    /// A copy of a range, which the caller has checked.
    package func copy(_ range: Range<Int>) -> [UInt8] {
        unsafe extracting(range).withUnsafeBytes { unsafe [UInt8]($0) }
    }

    /// The text of a range, which the caller has checked, or nil where it is not UTF-8.
    package func text(_ range: Range<Int>) -> String? {
        // Of short ASCII, which names and titles mostly are, `String(validating:as:)` costs two to
        // four times as much; of long text and of other scripts it is the faster one (measured).
        if range.count <= 64, isASCII(range) {
            return unsafe extracting(range).withUnsafeBytes {
                unsafe String(decoding: $0, as: UTF8.self)
            }
        }
        return unsafe extracting(range).withUnsafeBytes {
            unsafe String(validating: $0, as: UTF8.self)
        }
    }

    /// Whether the bytes are the same as others.
    package func isEqual(to other: RawSpan) -> Bool {
        guard byteCount == other.byteCount else { return false }
        var offset = 0
        while offset &+ 8 <= byteCount {
            if integer(at: offset, as: UInt64.self) != other.integer(at: offset) { return false }
            offset &+= 8
        }
        while offset < byteCount {
            if integer(at: offset, as: UInt8.self) != other.integer(at: offset) { return false }
            offset &+= 1
        }
        return true
    }

    /// Whether all bytes of a range, which the caller has checked, are ASCII.
    private func isASCII(_ range: Range<Int>) -> Bool {
        var offset = range.lowerBound
        var seen: UInt64 = 0
        while offset &+ 8 <= range.upperBound {
            seen |= integer(at: offset, as: UInt64.self)
            offset &+= 8
        }
        while offset < range.upperBound {
            seen |= UInt64(integer(at: offset, as: UInt8.self))
            offset &+= 1
        }
        return seen & 0x8080_8080_8080_8080 == 0
    }

    /// Whether a range, which the caller has checked, holds just these bytes.
    package func equals(_ range: Range<Int>, _ other: [UInt8]) -> Bool {
        guard range.count == other.count else { return false }
        return unsafe extracting(range).isEqual(to: other.span.bytes)
    }
}

extension [UInt8] {
    /// Appends an integer in little-endian order.
    package mutating func append<T: FixedWidthInteger>(littleEndian value: T) {
        unsafe Swift.withUnsafeBytes(of: value.littleEndian) { unsafe append(contentsOf: $0) }
    }

    /// Overwrites the bytes at an offset with an integer in little-endian order.
    package mutating func put<T: FixedWidthInteger>(littleEndian value: T, at offset: Int) {
        precondition(offset >= 0 && MemoryLayout<T>.size <= count &- offset)
        unsafe withUnsafeMutableBytes { bytes in
            unsafe bytes.storeBytes(of: value.littleEndian, toByteOffset: offset, as: T.self)
        }
    }

    /// Appends a range of a span.
    package mutating func append(_ bytes: RawSpan, _ range: Range<Int>) {
        unsafe bytes.extracting(range).withUnsafeBytes { unsafe append(contentsOf: $0) }
    }
}
