import GroupLogFormat

/// Which records a reader of the log would show, found by applying them in their order.
///
/// Keys are told apart by a hash of 64 bits, so that a large log takes about 40 bytes of memory a
/// key: in a log of ten million keys the counts are right but in one case of 300,000.
struct Replay {
    /// The newest record of a key.
    struct Holder {
        var offset: UInt64
        /// The bytes of the whole record.
        var length: UInt32
        var valueLength: UInt32
        var isDeletion: Bool
        fileprivate var collection: Int32

        var range: Range<UInt64> { offset..<offset + UInt64(length) }
    }

    /// What the records of one collection come to.
    struct Tally {
        /// Nil for records that belong to no collection.
        var name: String?
        var records = 0
        /// Keys that have a value.
        var live = 0
        var liveValueBytes: UInt64 = 0
        var deadValueBytes: UInt64 = 0
    }

    /// In the order in which the collections appear.
    private(set) var tallies: [Tally] = []
    private var indexes: [ByteString?: Int] = [:]
    private var holders: [UInt64: Holder] = [:]

    /// Applies a record that is served; gives what it takes the place of.
    mutating func apply(
        _ record: RecordHeader, of content: FrameContent, _ bytes: RawSpan
    ) -> Holder? {
        let index = index(of: content.collection(of: record))
        tallies[index].records += 1
        let new = Holder(
            offset: content.offset + UInt64(record.range.lowerBound),
            length: UInt32(record.range.count), valueLength: UInt32(record.value.count),
            isDeletion: record.kind == .delete, collection: Int32(index))
        guard let hash = Self.hash(record, bytes, collection: index) else {
            tallies[index].liveValueBytes += UInt64(new.valueLength)
            return nil
        }
        let old = holders.updateValue(new, forKey: hash)
        tallies[index].liveValueBytes += UInt64(new.valueLength)
        if let old {
            // Of the same collection, unless two hashes are equal by chance.
            tallies[Int(old.collection)].liveValueBytes -= UInt64(old.valueLength)
            tallies[Int(old.collection)].deadValueBytes += UInt64(old.valueLength)
        }
        if record.kind == .put || record.kind == .delete {
            if let old, !old.isDeletion { tallies[Int(old.collection)].live -= 1 }
            if !new.isDeletion { tallies[index].live += 1 }
        }
        return old
    }

    private mutating func index(of collection: String?) -> Int {
        let key = collection.map { ByteString($0) }
        if let index = indexes[key] { return index }
        tallies.append(Tally(name: collection))
        indexes[key] = tallies.count - 1
        return tallies.count - 1
    }

    /// What stands for the key whose newest record counts; nil where each record counts.
    private static func hash(
        _ record: RecordHeader, _ bytes: RawSpan, collection: Int
    ) -> UInt64? {
        var hasher = Hasher()
        switch record.kind {
        case .put, .delete: hasher.combine(0)
        case .syncState: hasher.combine(1)
        case .cursor: hasher.combine(2)
        default: return nil
        }
        hasher.combine(collection)
        hasher.combine(record.keyKind)
        unsafe bytes.extracting(record.key).withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}
