/// Reads a ``ByteSource`` byte by byte and knows the place it has reached.
///
/// Holds one chunk at a time. Lines end at LF; when `returnsEndLines` is set also at a CR that no LF follows, which is
/// what old spreadsheets write.
struct ByteCursor {
    private let source: ByteSource
    var returnsEndLines: Bool
    /// Whether LF is the end, for as long as this is set: what is read is one line.
    var endsAtLine = false
    private var chunk: [UInt8] = []
    private var index = 0
    private var ended = false
    private var afterReturn = false

    private(set) var offset = 0
    private(set) var line: Int
    private(set) var column = 1

    init(_ source: ByteSource, line: Int = 1, returnsEndLines: Bool = false) {
        self.source = source
        self.line = line
        self.returnsEndLines = returnsEndLines
    }

    /// The byte at the cursor; nil at the end.
    @inline(__always)
    mutating func peek() throws(InterchangeError) -> UInt8? {
        if index >= chunk.count, try !refill() { return nil }
        let byte = chunk[index]
        return byte == UInt8(ascii: "\n") && endsAtLine ? nil : byte
    }

    /// Takes the byte at the cursor; nil at the end.
    @inline(__always)
    mutating func next() throws(InterchangeError) -> UInt8? {
        guard let byte = try peek() else { return nil }
        step(over: byte)
        return byte
    }

    /// Takes the byte at the cursor when it is the one asked for.
    mutating func take(_ wanted: UInt8) throws(InterchangeError) -> Bool {
        guard try peek() == wanted else { return false }
        step(over: wanted)
        return true
    }

    /// Appends bytes for as long as `isWanted` says so, and stops soon after there are more than `limit`; says whether
    /// that stopped it.
    @inline(__always)
    mutating func take(
        into bytes: inout [UInt8], limit: Int, while isWanted: (UInt8) -> Bool
    ) throws(InterchangeError) -> Bool {
        while true {
            let start = index
            while index < chunk.count, isWanted(chunk[index]) {
                step(over: chunk[index])
            }
            bytes.append(contentsOf: chunk[start..<index])
            if bytes.count > limit { return true }
            if index < chunk.count { return false }
            guard try refill() else { return false }
        }
    }

    /// Up to `count` bytes from the cursor on, without taking them.
    mutating func lookAhead(_ count: Int) throws(InterchangeError) -> ArraySlice<UInt8> {
        while chunk.count - index < count, !ended {
            let more = try readChunk()
            if more.isEmpty { break }
            chunk = chunk[index...] + more
            index = 0
        }
        return chunk[index...].prefix(count)
    }

    /// Takes a UTF-8 byte order mark when one stands at the cursor.
    mutating func skipByteOrderMark() throws(InterchangeError) {
        guard try lookAhead(3).elementsEqual([0xEF, 0xBB, 0xBF]) else { return }
        index += 3
        offset += 3
    }

    /// An error at the place of the cursor.
    func error(_ message: String) -> InterchangeError {
        InterchangeError(message, line: line, column: column, offset: offset)
    }

    @inline(__always)
    private mutating func step(over byte: UInt8) {
        index += 1
        offset += 1
        if byte > 0x0D {
            afterReturn = false
            if byte & 0xC0 != 0x80 { column += 1 }
        } else {
            stepOverControl(byte)
        }
    }

    private mutating func stepOverControl(_ byte: UInt8) {
        if byte == UInt8(ascii: "\n") {
            if !afterReturn { line += 1 }
            column = 1
            afterReturn = false
        } else if byte == UInt8(ascii: "\r"), returnsEndLines {
            line += 1
            column = 1
            afterReturn = true
        } else {
            column += 1
            afterReturn = false
        }
    }

    private mutating func refill() throws(InterchangeError) -> Bool {
        guard !ended else { return false }
        chunk = try readChunk()
        index = 0
        return !chunk.isEmpty
    }

    private mutating func readChunk() throws(InterchangeError) -> [UInt8] {
        do {
            let bytes = try source.read()
            ended = bytes.isEmpty
            return bytes
        } catch {
            throw InterchangeError("cannot read the input", cause: error)
        }
    }
}

extension String {
    /// The text of these bytes; where they are not UTF-8, U+FFFD stands for each maximal part that is not, and
    /// `wasRepaired` says so.
    init(repairing bytes: some Collection<UInt8>, wasRepaired: inout Bool) {
        if let valid = String(validating: bytes, as: UTF8.self) {
            self = valid
        } else {
            wasRepaired = true
            self = String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Whether both texts are the same bytes; `==` would also say so of two spellings of one accented letter.
    func hasSameBytes(as other: String) -> Bool {
        utf8.elementsEqual(other.utf8)
    }
}

extension UInt8 {
    var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

    var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
