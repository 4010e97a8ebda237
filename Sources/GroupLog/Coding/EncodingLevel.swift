import GroupLogFormat

/// One value that is being encoded: what it has turned out to be, and what it has so far.
struct EncodingLevel {
    enum Kind {
        case undecided, map, array, single
    }

    var kind = Kind.undecided
    /// Where its item begins. The head of a map or an array takes one byte until the number of
    /// its entries is known.
    let start: Int
    /// Entries, elements, or 1 for the single value.
    var count = 0
    /// Tells it from others that stood at the same height before.
    let serial: UInt32
    /// How much of the path leads here.
    let pathCount: Int
    /// Whether it is the whole value, whose keys may become indexes and be left out.
    let isTop: Bool
    /// Items that are encoded apart, each to take the place of the null at its offset.
    var children: [(offset: Int, state: EncodingState)] = []
    private var filter: UInt64 = 0
    private var seen: Set<[UInt8]>?

    init(start: Int, serial: UInt32, pathCount: Int, isTop: Bool) {
        self.start = start
        self.serial = serial
        self.pathCount = pathCount
        self.isTop = isTop
    }

    /// Beyond this many entries, a set of keys takes the place of looking through them.
    private static let scanLimit = 16

    /// Takes note of a map's new key, which stands in `bytes` from an offset to the end, behind
    /// the complete entries before it; false where one of those has the same.
    ///
    /// Most keys pass the filter, so that the usual model pays for no search.
    mutating func isNew(keyAt offset: Int, in bytes: [UInt8]) throws(CBORError) -> Bool {
        let key = bytes[offset...]
        let bit = Self.bit(of: key)
        let mayExist = filter & bit != 0
        filter |= bit
        if seen != nil { return seen?.insert(Array(key)).inserted ?? true }
        guard mayExist else { return true }
        let span = unsafe bytes.span.bytes
        var reader = CBORReader(at: start + 1)
        var keys: Set<[UInt8]> = []
        for _ in 0..<count {
            let first = reader.offset
            try reader.skip(in: span)
            if bytes[first..<reader.offset] == key { return false }
            if count > Self.scanLimit { keys.insert(Array(bytes[first..<reader.offset])) }
            try reader.skip(in: span)
        }
        if count > Self.scanLimit {
            keys.insert(Array(key))
            seen = keys
        }
        return true
    }

    /// Forgets a key whose entry was not completed.
    mutating func forget(keyAt range: Range<Int>, in bytes: [UInt8]) {
        if seen != nil { seen?.remove(Array(bytes[range])) }
    }

    private static func bit(of key: ArraySlice<UInt8>) -> UInt64 {
        var mixed = key.count
        for byte in key.suffix(8) { mixed = mixed &* 31 &+ Int(byte) }
        return 1 << UInt64(truncatingIfNeeded: mixed & 63)
    }
}
