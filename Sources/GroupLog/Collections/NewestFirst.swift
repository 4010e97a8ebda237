import GroupLogFile
package import GroupLogFormat

/// The order of every list: `createdAt` descending, then the sequence of creation descending, then
/// the key. Records without a date come last.
package struct ListPosition: Hashable, Sendable, Comparable {
    /// Seconds since 2001; the smallest number where there is no date.
    package var createdAt: Double
    package var creation: UInt64
    package var key: RecordKey
    package var offset: UInt64

    /// Whether `a` comes before `b` in a list.
    package static func < (a: ListPosition, b: ListPosition) -> Bool {
        if a.createdAt != b.createdAt { return a.createdAt > b.createdAt }
        if a.creation != b.creation { return a.creation > b.creation }
        return a.key < b.key
    }
}

extension StoreView {
    /// The records of a collection, newest first, of which `offset` are passed over and at most
    /// `limit` given.
    ///
    /// Looks at every record, keeps `offset + limit` positions, and reads what it gives.
    package func newestFirst(
        in collection: String, limit: Int = .max, offset: Int = 0
    ) throws -> [ListPosition] {
        guard limit > 0, offset >= 0,
            let values = index.collections[ByteString(collection)]?.values
        else { return [] }
        let (bound, isOverflow) = limit.addingReportingOverflow(offset)
        var top = TopList(limit: isOverflow ? .max : bound)
        // In order of creation the records mostly stand one behind another. Backwards, the newest
        // mostly come first, and all others are turned away at once; a window goes forwards only.
        if image.isMapped {
            try insert(values.liveOffsets().reversed(), of: image, into: &top)
        } else {
            try insert(values.liveOffsets(), of: BufferedLogBytes(image), into: &top)
        }
        return Array(top.sorted().dropFirst(offset).prefix(limit))
    }

    private func insert(
        _ offsets: [UInt64], of log: some LogBytes, into top: inout TopList
    ) throws {
        var contexts = contexts()
        for offset in offsets { try top.insert(position(at: offset, in: log, &contexts)) }
    }

    /// Where the record at an offset stands in lists.
    private func position(
        at offset: UInt64, in log: some LogBytes, _ contexts: inout FrameContexts
    ) throws -> ListPosition {
        let salt = header.salt
        return try log.withRecord(at: offset, salt: salt) { bytes, record in
            let frame = offset &- UInt64(record.frameDistance)
            let context = try contexts.context(ofFrameAt: frame, in: log, salt: salt)
            guard let key = record.recordKey(bytes),
                let provenance = Provenance.of(record, bytes, frame: context.header)
            else {
                throw FormatError(.malformed, "the record is malformed", offset: offset)
            }
            let date = CreationDate.read(
                bytes, record, isCreatedAt: context.head.names.firstIndex(of: "createdAt"))
            return ListPosition(
                createdAt: date ?? -.infinity, creation: provenance.creation, key: key,
                offset: offset)
        }
    }
}

/// The first so many of a list whose members come in any order: a heap with the last on top.
struct TopList {
    private let limit: Int
    private var heap: [ListPosition] = []

    init(limit: Int) { self.limit = limit }

    mutating func insert(_ position: ListPosition) {
        if heap.count < limit {
            heap.append(position)
            var child = heap.count - 1
            while child > 0, heap[(child - 1) / 2] < heap[child] {
                heap.swapAt(child, (child - 1) / 2)
                child = (child - 1) / 2
            }
        } else if let last = heap.first, position < last {
            heap[0] = position
            sink()
        }
    }

    private mutating func sink() {
        var parent = 0
        while true {
            var largest = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && heap[largest] < heap[child] { largest = child }
            if largest == parent { return }
            heap.swapAt(parent, largest)
            parent = largest
        }
    }

    func sorted() -> [ListPosition] { heap.sorted() }
}

/// Finds the field `createdAt` in a record's bytes without decoding the rest.
enum CreationDate {
    /// CBOR's tag for our dates: a double of seconds since 2001 (FORMAT.md, "Values").
    static let tag: UInt64 = 44225

    /// The date; nil where there is none. `index` is that of the name in the frame's table.
    static func read(_ bytes: RawSpan, _ record: RecordHeader, isCreatedAt index: Int?) -> Double? {
        do throws(CBORError) {
            guard let offset = try record.field(name, index: index, in: bytes) else { return nil }
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
