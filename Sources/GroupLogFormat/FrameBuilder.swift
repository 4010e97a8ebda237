/// Builds one frame: collects records, then fills in what depends on the place in the log.
///
/// Building needs no lock; only `sealed` does, since checksums depend on the offset and the
/// sequence. The record's bytes are written once, where they will stay.
package struct FrameBuilder: Sendable {
    package var flags: FrameFlags
    package private(set) var names: NameTable
    package private(set) var recordCount = 0
    private let author: UInt16
    private var records: [UInt8] = []
    private var starts: [Int] = []
    private var updates: [Update] = []

    /// A record whose provenance is filled in when the frame's sequence and place are known.
    private struct Update: Sendable {
        var start: Int
        var origin: Origin
    }

    /// Where a record came from, as its writer knows it before the commit has a sequence.
    package enum Origin: Sendable, Hashable {
        /// New in this frame.
        case new
        /// A new value, or the end, of a key that has had a value since the commit of this sequence.
        /// The newest record of the key until then stands at `predecessor`.
        case createdAt(UInt64, predecessor: UInt64? = nil)
        /// Copied from another frame.
        case copied(Provenance)
    }

    /// What `value` a record gets.
    package struct Content: Sendable {
        package var bytes: [UInt8]
        package var isIndexed: Bool
        package init(bytes: [UInt8], isIndexed: Bool) {
            self.bytes = bytes
            self.isIndexed = isIndexed
        }
        /// The value of records that have none.
        package static let none = Content(bytes: [], isIndexed: false)
    }

    /// An empty frame. The collections and fields that are named first get the first indexes.
    package init(author: String?, flags: FrameFlags = [], leadingNames: [String] = []) {
        self.flags = flags
        var table = NameTable()
        for name in leadingNames { _ = table.index(of: name) }
        self.author = author.flatMap { table.index(of: $0) } ?? LogLayout.noName
        names = table
    }

    /// The index of a field's name for the map keys of indexed values; nil where the table cannot
    /// take it, so that the value has to be stored with its names.
    package mutating func index(ofName name: String) -> UInt16? { names.index(of: name) }

    /// Takes back the names behind the first so many, which no record uses yet.
    package mutating func removeNames(behind count: Int) { names.removeNames(behind: count) }

    /// Adds a record.
    package mutating func append(
        kind: RecordKind, collection: String?, key: RecordKey, content: Content = .none,
        origin: Origin = .new
    ) throws(FormatError) {
        var collectionIndex = LogLayout.noName
        if let collection {
            guard let index = names.index(of: collection) else {
                throw FormatError(
                    .tooLarge,
                    "the name '\(collection.prefix(40))' is longer than "
                        + "\(LogLayout.maximumNameLength) bytes, or the frame has too many names")
            }
            collectionIndex = index
        }
        let length = LogLayout.recordHeaderSize + Self.longestProvenance + key.bytes.count
        guard content.bytes.count <= LogLayout.maximumRecordLength - length else {
            throw FormatError(
                .tooLarge,
                "the record has \(content.bytes.count) bytes, at most "
                    + "\(LogLayout.maximumRecordLength - length) fit")
        }
        starts.append(records.count)
        if origin != .new { updates.append(Update(start: starts.count - 1, origin: origin)) }
        makeRoom(length + content.bytes.count + LogLayout.frameHeaderSize + names.headSize + 64)
        records.append(kind.rawValue)
        records.append(content.isIndexed ? RecordFlags.indexed.rawValue : 0)
        records.append(littleEndian: collectionIndex)
        records.append(key.kind.rawValue)
        records.append(0)
        records.append(littleEndian: UInt16(key.bytes.count))
        records.append(littleEndian: UInt32(0))
        records.append(littleEndian: UInt32(content.bytes.count))
        records.append(littleEndian: UInt32(0))
        records += key.bytes
        records += content.bytes
        recordCount += 1
    }

    /// Makes room for so many bytes more. `reserveCapacity` gives what it is asked for and no more:
    /// asked for each record, it would copy all records each time.
    private mutating func makeRoom(_ count: Int) {
        let needed = records.count + count
        guard needed > records.capacity else { return }
        records.reserveCapacity(max(needed, 2 * records.capacity))
    }

    private static let longestProvenance = 50

    /// An upper bound of the frame's length.
    package var lengthBound: Int {
        let spare = flags.contains(.independent) ? names.headSize + 2 * recordCount + 64 : 0
        return LogLayout.frameHeaderSize + names.headSize + records.count
            + updates.count * Self.longestProvenance + spare + LogLayout.frameTrailerSize
            + LogLayout.alignment
    }

    /// The newest of the origins that records were copied with; nil where none was copied.
    package var newestCopied: Provenance? {
        var newest: Provenance?
        for case .copied(let provenance) in updates.lazy.map(\.origin)
        where provenance.sequence >= newest?.sequence ?? 0 { newest = provenance }
        return newest
    }

    /// Whether no record has been added.
    package var isEmpty: Bool { recordCount == 0 }

    /// The whole frame for its place in the log.
    package consuming func sealed(
        sequence: UInt64, time: Int64, offset: UInt64, salt: UInt64
    ) throws(FormatError) -> [UInt8] {
        insertProvenance(sequence: sequence, time: time, offset: offset)
        let head = names.encodedHead(
            recordCount: recordCount, author: author, frameOffset: offset, salt: salt)
        let front = LogLayout.frameHeaderSize + head.count
        let isIndependent = flags.contains(.independent)
        let spareSize = isIndependent ? Spare.size(head: head.count, records: recordCount) : 0
        let padded = LogLayout.aligned(front + records.count + spareSize) - spareSize
        let length = padded + spareSize + LogLayout.frameTrailerSize
        guard length <= LogLayout.maximumFrameLength else {
            throw FormatError(
                .tooLarge,
                "the transaction has \(length) bytes, at most \(LogLayout.maximumFrameLength) fit")
        }
        precondition(
            !isIndependent || length <= LogLayout.maximumIndependentFrameLength,
            "an independent frame has at most 64 KiB")
        var header = FrameHeader(
            flags: flags, length: UInt32(length), sequence: sequence, time: time,
            payloadChecksum: 0, checksum: 0)
        let start = header.encodedStart()

        // Moved and not copied, since a record may be long.
        var bytes: [UInt8] = []
        swap(&bytes, &records)
        let end = front + bytes.count
        bytes.reserveCapacity(length)
        bytes.insert(contentsOf: start + [UInt8](repeating: 0, count: 8) + head, at: 0)
        sealRecords(&bytes, front..<end, frameOffset: offset, salt: salt)
        bytes.append(contentsOf: repeatElement(0, count: padded - bytes.count))
        if isIndependent {
            bytes += Spare.encoded(
                directory: starts.map { UInt16(front + $0) }, head: head, headerStart: start,
                frameOffset: offset, salt: salt)
        }
        header.payloadChecksum = Checksum.crc32c(
            unsafe bytes.span.bytes.extracting(LogLayout.frameHeaderSize..<bytes.count),
            continuing: Checksum.seed(salt: salt, offset: offset))
        bytes.put(littleEndian: header.payloadChecksum, at: 24)
        header.checksum = FrameHeader.seal(
            unsafe bytes.span.bytes, at: 0, logOffset: offset, salt: salt)
        bytes.put(littleEndian: header.checksum, at: 28)
        FrameTrailer(header).append(to: &bytes)
        return bytes
    }

    private mutating func insertProvenance(sequence: UInt64, time: Int64, offset: UInt64) {
        guard !updates.isEmpty else { return }
        var result: [UInt8] = []
        result.reserveCapacity(records.count + updates.count * Self.longestProvenance)
        var pending = updates[...]
        let front = offset + UInt64(LogLayout.frameHeaderSize + names.headSize)
        for index in starts.indices {
            let start = starts[index]
            let end = index + 1 < starts.count ? starts[index + 1] : records.count
            let newStart = result.count
            let body = start + LogLayout.recordHeaderSize
            result += records[start..<body]
            if let update = pending.first, update.start == index {
                pending.removeFirst()
                let provenance = provenance(
                    of: update.origin, sequence: sequence, time: time,
                    offset: front + UInt64(newStart))
                let bytes = provenance.encoded(frameSequence: sequence, frameTime: time)
                result[newStart + 5] = UInt8(bytes.count)
                result += bytes
            }
            result += records[body..<end]
            starts[index] = newStart
        }
        records = result
        updates = []
    }

    private func provenance(
        of origin: Origin, sequence: UInt64, time: Int64, offset: UInt64
    ) -> Provenance {
        let author = author == LogLayout.noName ? nil : author
        switch origin {
        case .new:
            return Provenance(sequence: sequence, time: time, author: author, creation: sequence)
        case .createdAt(let creation, let predecessor):
            return Provenance(
                sequence: sequence, time: time, author: author, creation: creation,
                predecessorDistance: predecessor.map { offset - min($0, offset) } ?? 0)
        case .copied(let provenance): return provenance
        }
    }

    private func sealRecords(
        _ bytes: inout [UInt8], _ range: Range<Int>, frameOffset: UInt64, salt: UInt64
    ) {
        for index in starts.indices {
            let isLast = index + 1 == starts.count
            let start = range.lowerBound + starts[index]
            let end = isLast ? range.upperBound : range.lowerBound + starts[index + 1]
            bytes.put(littleEndian: UInt32(start), at: start + 8)
            let checksum = RecordHeader.checksum(
                unsafe bytes.span.bytes, of: start..<end, logOffset: frameOffset + UInt64(start),
                salt: salt)
            bytes.put(littleEndian: checksum, at: start + 16)
        }
    }
}
