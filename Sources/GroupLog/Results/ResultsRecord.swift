import GroupLogFile
import GroupLogFormat

/// Where a record stands in a results list: as in every list (see `ListPosition`), and with the key in
/// it, so that it holds for the record wherever in a log that is.
struct ResultsPlace: Hashable, Comparable, Sendable {
    /// Seconds since 2001; the smallest number where there is no date.
    var createdAt: Double
    var creation: UInt64
    var key: RecordKey

    init(createdAt: Double, creation: UInt64, key: RecordKey) {
        self.createdAt = createdAt
        self.creation = creation
        self.key = key
    }

    init(_ record: StoredRecord) {
        createdAt = record.createdAt ?? -.infinity
        creation = record.creation
        key = record.key
    }

    static func < (a: ResultsPlace, b: ResultsPlace) -> Bool {
        if a.createdAt != b.createdAt { return a.createdAt > b.createdAt }
        if a.creation != b.creation { return a.creation > b.creation }
        return a.key < b.key
    }
}

/// A record of a results list.
struct ResultsRecord<M: Model>: Sendable {
    var place: ResultsPlace
    /// See `StoredRecord.contentHash`.
    var hash: Int
    var model: M
}

extension StoredRecord {
    /// The date that lists are sorted by, as in `ListPosition`.
    var createdAt: Double? {
        unsafe CreationDate.read(
            value.span.bytes, isIndexed: isIndexed, isCreatedAt: names.firstIndex(of: "createdAt"))
    }

    /// A hash of the record's fields by their names, by which a change is told: the indexes of names may
    /// be others in another frame. Random from process to process, so that nobody can choose values
    /// that have the same.
    var contentHash: Int {
        var hasher = Hasher()
        do throws(CBORError) {
            if isIndexed, try unsafe hashFields(of: value.span.bytes, into: &hasher) {
                return hasher.finalize()
            }
        } catch {
            // What is no map of CBOR is compared byte for byte, as that without indexes is.
        }
        hasher.combine(value)
        return hasher.finalize()
    }

    /// Gives false for what is no map of a known length.
    private func hashFields(
        of bytes: RawSpan, into hasher: inout Hasher
    ) throws(CBORError) -> Bool {
        var reader = CBORReader()
        let map = try reader.head(.map, in: bytes)
        guard !map.isIndefinite else { return false }
        for _ in 0..<map.argument {
            let index = try reader.head(.unsigned, in: bytes).argument
            hasher.combine(index < UInt64(names.count) ? ByteString(names[Int(index)]) : nil)
            let start = reader.offset
            try reader.skip(in: bytes)
            hasher.combine(reader.offset - start)
            unsafe bytes.extracting(start..<reader.offset).withUnsafeBytes {
                unsafe hasher.combine(bytes: $0)
            }
        }
        return reader.offset == bytes.byteCount
    }
}
