extension RecordHeader {
    /// Where the value of a field begins, found without decoding the others; nil where the record
    /// has no such field or is no map. `index` is that of the name in the frame's table.
    package func field(
        _ name: [UInt8], index: Int?, in bytes: RawSpan
    ) throws(CBORError) -> Int? {
        try bytes.field(
            name, index: index, isIndexed: flags.contains(.indexed), ofMapAt: value.lowerBound)
    }
}

extension RawSpan {
    /// Where the value of a field begins in the map at an offset; nil where that has no such field or
    /// is no map. `isIndexed` says whether keys may be indexes of names, `index` is that of the name.
    package func field(
        _ name: [UInt8], index: Int?, isIndexed: Bool, ofMapAt offset: Int
    ) throws(CBORError) -> Int? {
        if isIndexed && index == nil { return nil }
        var reader = CBORReader(at: offset)
        let map = try reader.head(in: self)
        guard map.major == .map, !map.isIndefinite else { return nil }
        for _ in 0..<map.argument {
            let key = try reader.head(in: self)
            let isWanted: Bool
            if key.major == .unsigned && isIndexed {
                isWanted = index.map(UInt64.init) == key.argument
            } else if key.major == .text && !key.isIndefinite {
                let range = try reader.content(of: key, in: self)
                isWanted = equals(range, name)
            } else {
                return nil
            }
            if isWanted { return reader.offset }
            try reader.skip(in: self)
        }
        return nil
    }
}
