extension RecordHeader {
    /// Where the value of a field begins, found without decoding the others; nil where the record
    /// has no such field or is no map. `index` is that of the name in the frame's table.
    package func field(
        _ name: [UInt8], index: Int?, in bytes: RawSpan
    ) throws(CBORError) -> Int? {
        let isIndexed = flags.contains(.indexed)
        if isIndexed && index == nil { return nil }
        var reader = CBORReader(at: value.lowerBound)
        let map = try reader.head(in: bytes)
        guard map.major == .map, !map.isIndefinite else { return nil }
        for _ in 0..<map.argument {
            let key = try reader.head(in: bytes)
            let isWanted: Bool
            if key.major == .unsigned && isIndexed {
                isWanted = index.map(UInt64.init) == key.argument
            } else if key.major == .text && !key.isIndefinite {
                let range = try reader.content(of: key, in: bytes)
                isWanted = bytes.equals(range, name)
            } else {
                return nil
            }
            if isWanted { return reader.offset }
            try reader.skip(in: bytes)
        }
        return nil
    }
}
