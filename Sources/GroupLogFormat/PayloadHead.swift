/// The name table of a frame, its author and the number of its records (FORMAT.md, "Payload head").
public struct PayloadHead: Hashable, Sendable {
    /// How many records follow.
    public var recordCount: Int
    /// The names of collections, fields and authors; records refer to them by index.
    public var names: [String]
    /// Who wrote the frame.
    public var author: String?
    /// The bytes that the head takes.
    public var size: Int

    /// Reads and verifies a head as below, knowing no names.
    static func decode(
        _ bytes: RawSpan, in range: Range<Int>, frameOffset: UInt64, salt: UInt64
    ) throws(FormatError) -> PayloadHead {
        var known = KnownNames()
        return try decode(
            bytes, in: range, frameOffset: frameOffset, salt: salt, knowing: &known)
    }

    /// Reads and verifies the head that stands at `range.lowerBound` of the bytes and ends before
    /// `range.upperBound`, in the frame that begins at `frameOffset` of the log.
    static func decode(
        _ bytes: RawSpan, in range: Range<Int>, frameOffset: UInt64, salt: UInt64,
        knowing known: inout KnownNames
    ) throws(FormatError) -> PayloadHead {
        let start = range.lowerBound
        guard range.count >= LogLayout.payloadHeadBaseSize else {
            throw FormatError(.truncated, "the payload head is cut short", offset: frameOffset)
        }
        let size: UInt32 = bytes.integer(at: start + 8)
        guard size >= LogLayout.payloadHeadBaseSize, size <= range.count else {
            throw FormatError(
                .malformed, "the payload head claims \(size) bytes", offset: frameOffset)
        }
        let end = start + Int(size) - 4
        guard
            bytes.integer(at: end)
                == checksum(bytes.extracting(start..<end), frameOffset: frameOffset, salt: salt)
        else {
            throw FormatError(
                .badChecksum, "the payload head's checksum does not fit", offset: frameOffset)
        }
        let names = try names(
            bytes, in: start + 12..<end, count: bytes.integer(at: start + 4), frame: frameOffset,
            knowing: &known)
        let author: UInt16 = bytes.integer(at: start + 6)
        guard author == LogLayout.noName || Int(author) < names.count else {
            throw FormatError(
                .malformed, "the author is name \(author) of \(names.count)", offset: frameOffset)
        }
        return PayloadHead(
            recordCount: Int(bytes.integer(at: start, as: UInt32.self)), names: names,
            author: author == LogLayout.noName ? nil : names[Int(author)], size: Int(size))
    }

    /// The bytes that the head at an offset claims to take; nil where a head cannot begin there.
    package static func size(_ bytes: RawSpan, at offset: Int) -> Int? {
        guard bytes.byteCount - offset >= LogLayout.payloadHeadBaseSize else { return nil }
        let size = Int(bytes.integer(at: offset + 8, as: UInt32.self))
        return size >= LogLayout.payloadHeadBaseSize ? size : nil
    }

    /// The head that these bytes are; nil where they are none or do not verify.
    package static func verified(_ bytes: RawSpan, frameOffset: UInt64, salt: UInt64) -> Self? {
        var known = KnownNames()
        return verified(bytes, frameOffset: frameOffset, salt: salt, knowing: &known)
    }

    /// The same, knowing name tables that were read before.
    package static func verified(
        _ bytes: RawSpan, frameOffset: UInt64, salt: UInt64, knowing known: inout KnownNames
    ) -> Self? {
        do throws(FormatError) {
            return try decode(
                bytes, in: 0..<bytes.byteCount, frameOffset: frameOffset, salt: salt,
                knowing: &known)
        } catch {
            return nil
        }
    }

    private static func names(
        _ bytes: RawSpan, in range: Range<Int>, count: UInt16, frame: UInt64,
        knowing known: inout KnownNames
    ) throws(FormatError) -> [String] {
        let table = bytes.extracting(range)
        if let names = known.names(table, count: Int(count)) { return names }
        let names = try decodeNames(bytes, in: range, count: count, frame: frame)
        known.add(table, names)
        return names
    }

    private static func decodeNames(
        _ bytes: RawSpan, in range: Range<Int>, count: UInt16, frame: UInt64
    ) throws(FormatError) -> [String] {
        var names: [String] = []
        names.reserveCapacity(min(Int(count), range.count))
        var offset = range.lowerBound
        for _ in 0..<count {
            guard offset < range.upperBound else {
                throw FormatError(.truncated, "the name table is cut short", offset: frame)
            }
            let end = offset + 1 + Int(bytes.integer(at: offset, as: UInt8.self))
            guard end <= range.upperBound, let name = bytes.text(offset + 1..<end) else {
                throw FormatError(
                    .malformed, "name \(names.count) of the name table is not a text",
                    offset: frame)
            }
            names.append(name)
            offset = end
        }
        guard offset == range.upperBound else {
            throw FormatError(.malformed, "bytes follow the name table", offset: frame)
        }
        return names
    }

    package static func checksum(_ bytes: RawSpan, frameOffset: UInt64, salt: UInt64) -> UInt32 {
        Checksum.crc32c(bytes, continuing: Checksum.seed(salt: salt, offset: frameOffset))
    }
}

/// The name table of a frame that is being built.
package struct NameTable: Sendable {
    package private(set) var names: [String] = []
    /// Each name behind its length in one byte, as the head has them.
    private(set) var encodedNames: [UInt8] = []
    /// Of the first names, all of them where there are more than `scanLimit`: fewer are found faster
    /// by looking through them.
    private var indexes: [ByteString: UInt16] = [:]

    private static let scanLimit = 16

    package init() {}

    /// The index of a name, which is added where it is new; nil where the name is longer than
    /// the format allows or the table is full.
    package mutating func index(of name: String) -> UInt16? {
        if let index = find(name) { return index }
        guard name.utf8.count <= LogLayout.maximumNameLength,
            names.count < LogLayout.maximumNameCount
        else { return nil }
        let index = UInt16(names.count)
        names.append(name)
        if names.count > Self.scanLimit {
            for (index, name) in names.enumerated().dropFirst(indexes.count) {
                indexes[ByteString(name)] = UInt16(index)
            }
        }
        encodedNames.append(UInt8(name.utf8.count))
        encodedNames += Array(name.utf8)
        return index
    }

    /// Leaves the first so many names.
    mutating func removeNames(behind count: Int) {
        for name in names.dropFirst(count) {
            indexes[ByteString(name)] = nil
            encodedNames.removeLast(name.utf8.count + 1)
        }
        names.removeLast(max(0, names.count - count))
    }

    private func find(_ name: String) -> UInt16? {
        guard names.count <= Self.scanLimit else { return indexes[ByteString(name)] }
        var name = name
        return name.withUTF8 { utf8 in
            let wanted = unsafe UnsafeRawBufferPointer(utf8).bytes
            let table = unsafe encodedNames.span.bytes
            var start = 1
            for index in names.indices {
                let end = start + Int(table.integer(at: start - 1, as: UInt8.self))
                if table.extracting(start..<end).isEqual(to: wanted) { return UInt16(index) }
                start = end + 1
            }
            return nil
        }
    }

    /// The head of a payload with these names.
    func encodedHead(
        recordCount: Int, author: UInt16, frameOffset: UInt64, salt: UInt64
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        let size = LogLayout.payloadHeadBaseSize + encodedNames.count
        bytes.reserveCapacity(size)
        bytes.append(littleEndian: UInt32(recordCount))
        bytes.append(littleEndian: UInt16(names.count))
        bytes.append(littleEndian: author)
        bytes.append(littleEndian: UInt32(size))
        bytes += encodedNames
        bytes.append(
            littleEndian: PayloadHead.checksum(
                unsafe bytes.span.bytes, frameOffset: frameOffset, salt: salt))
        return bytes
    }

    /// The bytes of `encodedHead`.
    var headSize: Int { LogLayout.payloadHeadBaseSize + encodedNames.count }
}

/// A text that equals another only when their bytes are equal, unlike `String`, for which texts of
/// different bytes are equal when they are canonically equivalent.
package struct ByteString: Hashable, Sendable, Comparable {
    package let text: String
    package init(_ text: String) { self.text = text }
    package static func == (a: ByteString, b: ByteString) -> Bool {
        var a = a.text
        var b = b.text
        return a.withUTF8 { a in
            b.withUTF8 { b in
                unsafe UnsafeRawBufferPointer(a).bytes.isEqual(to: UnsafeRawBufferPointer(b).bytes)
            }
        }
    }
    package static func < (a: ByteString, b: ByteString) -> Bool {
        a.text.utf8.lexicographicallyPrecedes(b.text.utf8)
    }
    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
