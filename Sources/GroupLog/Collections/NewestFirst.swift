import GroupLogFile
package import GroupLogFormat

/// Where a record stands in every list: by `createdAt` descending, then by the sequence of creation
/// descending, then by its key. Records without a date come last.
///
/// The key is not in it but in the log, so that a list of a million records takes 24 MB.
package struct ListPosition: Hashable, Sendable {
    /// Seconds since 2001; the smallest number where there is no date.
    package var createdAt: Double
    package var creation: UInt64
    package var offset: UInt64

    /// Whether it comes before another in a list; nil where only the keys can tell, as for records of
    /// one commit.
    func comes(before other: ListPosition) -> Bool? {
        if createdAt != other.createdAt { return createdAt > other.createdAt }
        return creation == other.creation ? nil : creation > other.creation
    }
}

extension StoreView {
    /// The records of a collection, newest first, of which `offset` are passed over and at most
    /// `limit` given.
    ///
    /// Looks at every record, keeps `offset + limit` positions, and reads what it gives. A record that
    /// cannot be read is given to `skipping`, and left out unless that throws.
    package func newestFirst(
        in collection: String, limit: Int = .max, offset: Int = 0,
        skipping: (UInt64, FormatError) throws -> Void = { throw $1 }
    ) throws -> [ListPosition] {
        guard limit > 0, offset >= 0,
            let values = index.collections[ByteString(collection)]?.values
        else { return [] }
        let (bound, isOverflow) = limit.addingReportingOverflow(offset)
        let keys = KeyReader(self)
        var positions: [ListPosition]
        if isOverflow || bound >= values.liveCount {
            positions = []
            positions.reserveCapacity(values.liveCount)
            try forEachPosition(of: values, skipping) { positions.append($0) }
        } else {
            var top = TopList(limit: bound)
            try forEachPosition(of: values, skipping) { position in
                try top.insert(position) { try keys.isKey(of: $0, before: $1) }
            }
            positions = top.positions
        }
        try keys.sort(&positions)
        if offset > 0 { positions.removeFirst(min(offset, positions.count)) }
        return positions
    }

    /// The key of the record at an offset, of which nothing is verified.
    func unverifiedKey(at offset: UInt64) throws -> RecordKey {
        try KeyReader(self).key(at: offset)
    }

    /// The keys of a collection, in their own order.
    package func keys(in collection: String) throws -> [RecordKey] {
        guard let values = index.collections[ByteString(collection)]?.values else { return [] }
        let reader = KeyReader(self)
        var keys: [RecordKey] = []
        try values.forEachLiveOffset { keys.append(try reader.key(at: $0)) }
        return keys.sorted()
    }

    /// Visits the places of a collection's records, those that were created last first: they mostly
    /// come first in lists too, so that the others are no more than looked at. And in order of
    /// creation records mostly stand one beside another.
    private func forEachPosition(
        of values: KeyTable, _ skipping: (UInt64, FormatError) throws -> Void,
        _ visit: (ListPosition) throws -> Void
    ) throws {
        var contexts = contexts()
        var lastFrame: FrameContexts.Context?
        var createdAt: Int?
        var position = ListPosition(createdAt: 0, creation: 0, offset: 0)
        try image.forEachRecordBackward(
            of: values, salt: header.salt, &contexts, skipping: skipping
        ) { offset, bytes, record, frame in
            guard record.keyFitsItsType(bytes),
                let provenance = Provenance.of(record, bytes, frame: frame.header)
            else {
                throw FormatError(.malformed, "the record is malformed", offset: offset)
            }
            if frame !== lastFrame {
                lastFrame = frame
                createdAt = frame.head.names.firstIndex(of: "createdAt")
            }
            let date = CreationDate.read(
                bytes, at: record.value.lowerBound, isIndexed: record.flags.contains(.indexed),
                isCreatedAt: createdAt)
            position = ListPosition(
                createdAt: date ?? -.infinity, creation: provenance.creation, offset: offset)
        } then: {
            try visit(position)
        }
    }
}

/// Reads the keys by which records are ordered that nothing else orders.
private struct KeyReader {
    private let log: RecordWindow

    init(_ view: StoreView) { log = RecordWindow(view.image) }

    /// Sorts positions of different records.
    func sort(_ positions: inout [ListPosition]) throws {
        positions.sort { $0.comes(before: $1) ?? ($0.offset < $1.offset) }
        var start = 0
        for end in 1...max(1, positions.count) {
            let isTied =
                end < positions.count && positions[start].comes(before: positions[end]) == nil
            if isTied { continue }
            if end - start > 1 { try sortByKeys(&positions[start..<end]) }
            start = end
        }
    }

    private func sortByKeys(_ positions: inout ArraySlice<ListPosition>) throws {
        var keyed: [(key: RecordKey, position: ListPosition)] = []
        keyed.reserveCapacity(positions.count)
        for position in positions { keyed.append((try key(at: position.offset), position)) }
        keyed.sort { $0.key < $1.key }
        for (place, entry) in zip(positions.indices, keyed) { positions[place] = entry.position }
    }

    func isKey(of a: ListPosition, before b: ListPosition) throws -> Bool {
        try key(at: a.offset) < key(at: b.offset)
    }

    /// The key of a record that was verified when it was taken up.
    func key(at offset: UInt64) throws -> RecordKey {
        let longest = LogLayout.longestRecordStart
        return try log.withBytes(offset..<min(offset + longest, log.size)) { bytes in
            guard let (kind, range) = RecordHeader.key(in: bytes),
                let key = RecordKey.Kind(rawValue: kind).flatMap({
                    RecordKey(kind: $0, bytes: bytes.copy(range))
                })
            else { throw FormatError(.malformed, "the record is malformed", offset: offset) }
            return key
        }
    }
}

/// The first so many of a list whose members come in any order: a heap with the last on top.
struct TopList {
    typealias KeyOrder = (ListPosition, ListPosition) throws -> Bool

    private let limit: Int
    /// In no order that is of use outside.
    private(set) var positions: [ListPosition] = []

    init(limit: Int) { self.limit = limit }

    /// Takes a position if it is one of the first; `isKeyBefore` tells where only the keys can.
    mutating func insert(_ position: ListPosition, _ isKeyBefore: KeyOrder) throws {
        if positions.count < limit {
            positions.append(position)
            var child = positions.count - 1
            while child > 0, try isBefore((child - 1) / 2, child, isKeyBefore) {
                positions.swapAt(child, (child - 1) / 2)
                child = (child - 1) / 2
            }
        } else if let last = positions.first,
            try position.comes(before: last) ?? isKeyBefore(position, last)
        {
            positions[0] = position
            try sink(isKeyBefore)
        }
    }

    private mutating func sink(_ isKeyBefore: KeyOrder) throws {
        var parent = 0
        while true {
            var largest = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < positions.count {
                if try isBefore(largest, child, isKeyBefore) { largest = child }
            }
            if largest == parent { return }
            positions.swapAt(parent, largest)
            parent = largest
        }
    }

    private func isBefore(_ a: Int, _ b: Int, _ isKeyBefore: KeyOrder) throws -> Bool {
        let (a, b) = (positions[a], positions[b])
        return try a.comes(before: b) ?? isKeyBefore(a, b)
    }
}

/// Finds the field `createdAt` in a record's bytes without decoding the rest.
enum CreationDate {
    /// CBOR's tag for our dates: a double of seconds since 2001 (FORMAT.md, "Values").
    static let tag: UInt64 = 44225

    /// The date in the value at an offset; nil where there is none. `index` is that of the name in
    /// the frame's table.
    static func read(
        _ bytes: RawSpan, at offset: Int = 0, isIndexed: Bool, isCreatedAt index: Int?
    ) -> Double? {
        do throws(CBORError) {
            let field = try bytes.field(name, index: index, isIndexed: isIndexed, ofMapAt: offset)
            guard let offset = field else { return nil }
            var reader = CBORReader(at: offset)
            return try date(&reader, bytes)
        } catch {
            // A value that is not CBOR has no date; reading it whole reports it.
            return nil
        }
    }

    private static let name = Array("createdAt".utf8)

    private static func date(
        _ reader: inout CBORReader, _ bytes: RawSpan
    ) throws(CBORError) -> Double? {
        let head = try reader.head(in: bytes)
        guard head.major == .tag, head.argument == tag else { return nil }
        guard case .double(let bits) = try reader.head(in: bytes).float else { return nil }
        let date = Double(bitPattern: bits)
        return date.isNaN ? nil : date
    }
}
