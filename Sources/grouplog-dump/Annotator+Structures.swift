import GroupLogFormat

extension Annotator {
    /// A copy of the log's header.
    mutating func takeLogHeader(_ bytes: RawSpan, base: UInt64) {
        begin("log header")
        let covered = Field.logHeader.size - 4
        let isWhole = bytes.byteCount > covered
        _ = take(
            Field.logHeader.fields, bytes, at: 0, base: base,
            checksums: isWhole ? ["checksum": Checksum.crc32c(bytes.extracting(0..<covered))] : [:])
    }

    /// A frame of a length, of which these bytes exist.
    mutating func takeFrame(_ bytes: RawSpan, length: Int, base: UInt64) {
        let frame = FrameInspection(bytes, length: length, offset: base, salt: salt)
        let payload = LogLayout.frameHeaderSize..<length - LogLayout.frameTrailerSize
        begin("frame header")
        guard takeFrameHeader(bytes, payload, base: base) else { return }
        begin("payload head")
        takeHead(bytes, in: payload, base: base, names: frame.head?.names ?? [])
        takeRecords(of: frame, bytes, base: base)
        if let spare = frame.spare { takeSpare(bytes, spare, end: payload.upperBound, base: base) }
        guard bytes.byteCount >= length else { return }
        begin("frame trailer")
        _ = take(
            Field.frameTrailer.fields, bytes, at: payload.upperBound, base: base,
            checksums: ["checksum": bytes.integer(at: LogLayout.frameHeaderSize - 4)])
    }

    private mutating func takeFrameHeader(
        _ bytes: RawSpan, _ payload: Range<Int>, base: UInt64
    ) -> Bool {
        var checksums: [String: UInt32] = [:]
        if bytes.byteCount >= payload.lowerBound {
            checksums["checksum"] = FrameHeader.seal(bytes, at: 0, logOffset: base, salt: salt)
        }
        if bytes.byteCount >= payload.upperBound {
            checksums["payload checksum"] = Checksum.crc32c(
                bytes.extracting(payload), continuing: Checksum.seed(salt: salt, offset: base))
        }
        return take(Field.frameHeader.fields, bytes, at: 0, base: base, checksums: checksums)
    }

    private mutating func takeHead(
        _ bytes: RawSpan, in range: Range<Int>, base: UInt64, names: [String]
    ) {
        let start = range.lowerBound
        guard take(Field.payloadHead.fields, bytes, at: start, base: base, names: names),
            let size = PayloadHead.size(bytes, at: start),
            size <= min(range.upperBound, bytes.byteCount) - start
        else { return }
        let end = start + size - 4
        var offset = start + Field.payloadHead.size
        var index = 0
        while offset < end {
            let next = offset + 1 + Int(bytes.integer(at: offset, as: UInt8.self))
            guard next <= end else {
                take(offset..<end, base: base, "name \(index)", "cut short")
                break
            }
            let text = offset + 1..<next
            take(offset..<next, base: base, "name \(index)", bytes.text(text) ?? "not UTF-8")
            offset = next
            index += 1
        }
        let checksum = PayloadHead.checksum(
            bytes.extracting(start..<end), frameOffset: base, salt: salt)
        _ = take(
            [Field("checksum", 4, .checksum)], bytes, at: end, base: base,
            checksums: ["checksum": checksum])
    }

    /// The records, the bytes among them that are none, and what fills up the payload.
    private mutating func takeRecords(of frame: FrameInspection, _ bytes: RawSpan, base: UInt64) {
        var end = frame.recordsStart
        for record in frame.records {
            let range = record.header.range
            takeUnreadable(end..<range.lowerBound, base: base)
            end = range.upperBound
            begin("record")
            if frame.logRange(range).overlaps(wanted) {
                takeRecord(record.header, of: frame, bytes, base: base)
            }
        }
        guard end < frame.recordsEnd else { return }
        if frame.unreadable.contains(where: { $0.lowerBound == end }) {
            takeUnreadable(end..<frame.recordsEnd, base: base)
        } else {
            begin("padding")
            take(end..<frame.recordsEnd, base: base, "padding")
        }
    }

    private mutating func takeUnreadable(_ range: Range<Int>, base: UInt64) {
        guard !range.isEmpty else { return }
        begin("unreadable")
        take(range, base: base, "unreadable", "no record verifies here")
    }

    private mutating func takeRecord(
        _ record: RecordHeader, of frame: FrameInspection, _ bytes: RawSpan, base: UInt64
    ) {
        let names = frame.head?.names ?? []
        let start = record.range.lowerBound
        let checksum = RecordHeader.checksum(
            bytes, of: record.range, logOffset: base + UInt64(start), salt: salt)
        _ = take(
            Field.record.fields, bytes, at: start, base: base, names: names,
            checksums: ["checksum": checksum])
        if !record.provenance.isEmpty {
            let provenance = frame.header.flatMap { Provenance.of(record, bytes, frame: $0) }
            take(
                record.provenance, base: base, "provenance",
                provenance.map { Self.text($0, names: names) } ?? "cannot be read")
        }
        take(
            record.key, base: base, "key",
            Naming.key(kind: record.keyKind, bytes.extracting(record.key)))
        guard !record.value.isEmpty else { return }
        let value = RecordValue(record, bytes, names: names)
        take(
            record.value, base: base, "value",
            value.value == nil ? value.fault ?? "" : value.notation)
    }

    private static func text(_ provenance: Provenance, names: [String]) -> String {
        let author = provenance.author.map {
            Int($0) < names.count ? names[Int($0)] : "name \($0)"
        }
        let distance = provenance.predecessorDistance
        return "sequence \(provenance.sequence), time \(Naming.date(provenance.time)), "
            + "author \(author ?? "none"), creation \(provenance.creation)"
            + (distance > 0 ? ", replaces the record \(distance) bytes before" : "")
    }

    private mutating func takeSpare(_ bytes: RawSpan, _ spare: Spare, end: Int, base: UInt64) {
        begin("spare")
        for (index, start) in spare.directory.enumerated() {
            let place = spare.start + 2 * index
            take(
                place..<place + 2, base: base, "record \(index)",
                "\(start), at \(base + UInt64(start))")
        }
        let head = spare.start + 2 * spare.directory.count
        take(head..<head + spare.head.size, base: base, "payload head", "once more")
        let checksum = Checksum.crc32c(
            bytes.extracting(spare.start..<end - 4),
            continuing: Checksum.seed(salt: salt, offset: base))
        _ = take(
            Field.spareEnd.fields, bytes, at: end - Field.spareEnd.size, base: base,
            checksums: ["checksum": checksum])
    }
}
