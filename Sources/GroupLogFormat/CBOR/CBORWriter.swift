/// Appends CBOR to an array of bytes, every head in its shortest form.
///
/// It writes what it is told and keeps no account of it: after a head that announces items, that
/// many must follow.
public struct CBORWriter: Sendable {
    /// What has been written.
    public var bytes: [UInt8]

    /// Starts behind what is already there.
    @inlinable
    public init(appendingTo bytes: [UInt8] = []) { self.bytes = bytes }

    /// Writes 0 to 2^64 - 1.
    @inlinable
    public mutating func unsigned(_ value: UInt64) { head(0x00, value) }

    /// Writes -1 - n.
    @inlinable
    public mutating func negative(_ n: UInt64) { head(0x20, n) }

    /// Writes an integer of any sign.
    @inlinable
    public mutating func integer(_ value: Int64) {
        if value < 0 {
            head(0x20, UInt64(bitPattern: ~value))
        } else {
            head(0x00, UInt64(bitPattern: value))
        }
    }

    /// Writes a byte string.
    @inlinable
    public mutating func byteString(_ content: [UInt8]) {
        head(0x40, UInt64(content.count))
        bytes.append(contentsOf: content)
    }

    /// Writes a byte string.
    public mutating func byteString(_ content: RawSpan) {
        head(0x40, UInt64(content.byteCount))
        bytes.append(content, 0..<content.byteCount)
    }

    /// Writes a text, its UTF-8 just as it is.
    @inlinable
    public mutating func text(_ text: String) {
        var text = text
        text.withUTF8 { content in
            head(0x60, UInt64(content.count))
            unsafe bytes.append(contentsOf: content)
        }
    }

    /// Announces an array of so many items.
    @inlinable
    public mutating func arrayHead(_ count: Int) { head(0x80, Self.checked(count)) }

    /// Announces a map of so many entries: a key and a value each.
    @inlinable
    public mutating func mapHead(_ count: Int) { head(0xA0, Self.checked(count)) }

    /// Announces that the next item has a tag.
    @inlinable
    public mutating func tag(_ number: UInt64) { head(0xC0, number) }

    /// Writes true or false.
    @inlinable
    public mutating func bool(_ value: Bool) { bytes.append(value ? 0xF5 : 0xF4) }

    /// Writes null.
    @inlinable
    public mutating func null() { bytes.append(0xF6) }

    /// Writes a simple value; 24 to 31 do not exist.
    public mutating func simple(_ value: UInt8) throws(CBORError) {
        guard !(24..<32).contains(value) else { throw CBORError(.invalidSimple, at: bytes.count) }
        head(0xE0, UInt64(value))
    }

    /// Writes a float of two bytes, given as its bits.
    @inlinable
    public mutating func half(_ bits: UInt16) {
        bytes.append(0xF9)
        append(bits.bigEndian)
    }

    /// Writes a float of four bytes.
    @inlinable
    public mutating func float(_ value: Float) {
        bytes.append(0xFA)
        append(value.bitPattern.bigEndian)
    }

    /// Writes a float of eight bytes.
    @inlinable
    public mutating func double(_ value: Double) {
        bytes.append(0xFB)
        append(value.bitPattern.bigEndian)
    }

    @inlinable
    static func checked(_ count: Int) -> UInt64 {
        precondition(count >= 0, "a CBOR array or map has no fewer than no items")
        return UInt64(count)
    }

    @inlinable
    mutating func head(_ major: UInt8, _ argument: UInt64) {
        if argument < 24 {
            bytes.append(major | UInt8(truncatingIfNeeded: argument))
        } else if argument <= UInt64(UInt8.max) {
            bytes.append(major | 24)
            bytes.append(UInt8(truncatingIfNeeded: argument))
        } else if argument <= UInt64(UInt16.max) {
            bytes.append(major | 25)
            append(UInt16(truncatingIfNeeded: argument).bigEndian)
        } else if argument <= UInt64(UInt32.max) {
            bytes.append(major | 26)
            append(UInt32(truncatingIfNeeded: argument).bigEndian)
        } else {
            bytes.append(major | 27)
            append(argument.bigEndian)
        }
    }

    @inlinable
    mutating func append<T: FixedWidthInteger & BitwiseCopyable>(_ bigEndian: T) {
        unsafe withUnsafeBytes(of: bigEndian) { unsafe bytes.append(contentsOf: $0) }
    }
}
