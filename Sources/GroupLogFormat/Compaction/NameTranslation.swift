/// Carries records from one frame to another, whose name table may be another.
///
/// Where both tables begin alike, as they do among records of one program, the bytes of a value are
/// copied; otherwise the top keys of an indexed value are written anew.
struct NameTranslation {
    /// The most names that the first record of a frame brings along, so that their indexes stay.
    private static let maximumSeed = 64

    private var source: (offset: UInt64, salt: UInt64)?
    private var target = -1
    private var names: [String] = []
    private var isIdentity = false

    /// Makes ready for a record of `content`'s frame that goes to the frame `builder`, the number
    /// `target` of the new log.
    mutating func begin(
        _ content: FrameContent, salt: UInt64, target: Int, _ builder: inout FrameBuilder
    ) {
        if let source, source == (content.offset, salt), self.target == target { return }
        source = (content.offset, salt)
        self.target = target
        names = content.head.names
        if builder.isEmpty, builder.names.names.isEmpty, names.count <= Self.maximumSeed {
            for name in names { _ = builder.index(ofName: name) }
        }
        let there = builder.names.names
        isIdentity =
            names.count <= there.count
            && zip(names, there).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
    }

    /// The value of a record for the frame that was begun.
    func content(
        of record: RecordHeader, _ bytes: RawSpan, in builder: inout FrameBuilder
    ) -> FrameBuilder.Content {
        let isIndexed = record.flags.contains(.indexed)
        guard isIndexed, !isIdentity else {
            return .init(bytes: bytes.copy(record.value), isIndexed: isIndexed)
        }
        do throws(CBORError) {
            return try translated(bytes.extracting(record.value), in: &builder)
        } catch {
            // What is no map of CBOR cannot be read in the old place either, and stays just that.
            return .init(bytes: bytes.copy(record.value), isIndexed: false)
        }
    }

    /// The value with the indexes of another table; with the names themselves where that table
    /// cannot take them all.
    private func translated(
        _ value: RawSpan, in builder: inout FrameBuilder
    ) throws(CBORError) -> FrameBuilder.Content {
        let pairs = try self.pairs(of: value)
        var indexes: [UInt16] = []
        for pair in pairs {
            guard let name = pair.name, let index = builder.index(ofName: name) else { break }
            indexes.append(index)
        }
        let isIndexed = indexes.count == pairs.count
        var writer = CBORWriter()
        writer.mapHead(pairs.count)
        for (place, pair) in pairs.enumerated() {
            if isIndexed {
                writer.unsigned(UInt64(indexes[place]))
            } else if let name = pair.name {
                writer.text(name)
            } else {
                writer.bytes += value.copy(pair.key)
            }
            writer.bytes += value.copy(pair.value)
        }
        return .init(bytes: writer.bytes, isIndexed: isIndexed)
    }

    private typealias Pair = (key: Range<Int>, name: String?, value: Range<Int>)

    /// The entries of an indexed map; a key that is no index of the table has no name.
    private func pairs(of value: RawSpan) throws(CBORError) -> [Pair] {
        var reader = CBORReader()
        let map = try reader.head(in: value)
        guard map.major == .map else { throw CBORError(.unexpectedType, at: 0) }
        var pairs: [Pair] = []
        while map.isIndefinite || UInt64(pairs.count) < map.argument {
            let start = reader.offset
            var key = reader
            let head = try key.head(in: value)
            if head.isBreak, map.isIndefinite {
                reader = key
                break
            }
            try reader.skip(in: value)
            let end = reader.offset
            try reader.skip(in: value)
            let isName = head.major == .unsigned && head.argument < UInt64(names.count)
            pairs.append(
                (start..<end, isName ? names[Int(head.argument)] : nil, end..<reader.offset))
        }
        guard reader.offset == value.byteCount else {
            throw CBORError(.trailingBytes, at: reader.offset)
        }
        return pairs
    }
}
