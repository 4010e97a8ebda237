import GroupLogFormat
import ToolSupport

/// Checks every byte of a log that can be checked, more than a reader does: of a good frame also
/// the records' own checksums and the spare, which a reader needs only where something is wrong.
struct Verification {
    private(set) var frames = 0
    private(set) var records = 0
    private(set) var damageCount = 0
    private(set) var noteCount = 0
    private let source: LogSource
    private let salt: UInt64
    private let report: (Finding) throws -> Void

    /// Runs all checks; `report` gets what is found, in the order of the log.
    init(_ scan: LogScan, report: @escaping (Finding) throws -> Void) throws {
        source = scan.source
        salt = try scan.source.salt()
        self.report = report
        for copy in source.headers.copies {
            if let fault = copy.fault { try found(Finding(fault, copy.range)) }
        }
        try scan.forEach { part in
            try check(part)
            return true
        }
    }

    private mutating func found(_ finding: Finding) throws {
        switch finding.weight {
        case .damage: damageCount += 1
        case .note: noteCount += 1
        }
        try report(finding)
    }

    private mutating func check(_ part: LogPart) throws {
        switch part {
        case .header, .slack: break
        case .gap(let range):
            guard try !source.bytes.withBytes(range, { $0.isZero(0..<$0.byteCount) }) else {
                return
            }
            try found(Finding(range, "not zero", detail: "between the log's headers stand zeros"))
        case .frame(let content):
            frames += 1
            let findings = try source.bytes.withBytes(part.range) { bytes in
                content.damage.map { finding($0, of: content, bytes) } + check(content, bytes)
            }
            for finding in findings { try found(finding) }
        case .damage(let damage): try check(damage)
        case .unfinished(let range): try found(Finding(unfinished: range))
        }
    }

    /// A frame with a bad payload is lost as a whole; what exactly was hit may help.
    private mutating func check(_ damage: Damage) throws {
        var finding = Finding(damage)
        guard damage.cause == .badPayload else { return try found(finding) }
        let frame = try FrameInspection(damage.range, of: source)
        finding.lostRecords = frame.head?.recordCount
        if frame.head == nil { finding.detail = "the payload head does not verify" }
        try found(finding)
        for range in frame.unreadable {
            try found(
                Finding(frame.logRange(range), "unreadable", detail: "no record verifies here"))
        }
        let bytes = source.bytes
        for record in frame.records where !record.isIntact {
            var finding = Finding(
                frame.logRange(record.header.range), Damage.Cause.badRecord.rawValue)
            finding.key = try bytes.withBytes(damage.range) { record.header.recordKey($0) }
            finding.collection = frame.collection(of: record)
            try found(finding)
        }
    }

    // MARK: Frames that are served

    private mutating func check(_ content: FrameContent, _ bytes: RawSpan) -> [Finding] {
        records += content.records.count
        var findings: [Finding] = []
        for record in content.records { check(record, of: content, bytes, &findings) }
        // Of a damaged frame everything that can be told has been told.
        guard content.damage.allSatisfy({ $0.cause == .sequenceGap }) else { return findings }
        let unknown = content.header.flags.names.filter { $0.hasPrefix("bit ") }
        if !unknown.isEmpty {
            findings.append(
                Finding(
                    content.offset..<content.offset + UInt64(LogLayout.frameHeaderSize),
                    "unknown flags", weight: .note, detail: unknown.joined(separator: ", ")))
        }
        checkEnd(of: content, bytes, &findings)
        return findings
    }

    /// What stands between the last record and the trailer.
    private func checkEnd(
        of content: FrameContent, _ bytes: RawSpan, _ findings: inout [Finding]
    ) {
        let payload = content.header.payload
        let start =
            content.records.last?.range.upperBound ?? payload.lowerBound + content.head.size
        var end = payload.upperBound
        func place(_ range: Range<Int>) -> Range<UInt64> {
            content.offset + UInt64(range.lowerBound)..<content.offset + UInt64(range.upperBound)
        }
        if content.header.flags.contains(.independent) {
            let spare = Spare.decode(
                bytes, at: 0, length: bytes.byteCount, frameOffset: content.offset, salt: salt)
            guard let spare, spare.start >= start else {
                findings.append(
                    Finding(place(start..<end), "bad spare", detail: "the spare does not verify"))
                return
            }
            if !repeats(spare, content, bytes) {
                findings.append(
                    Finding(
                        place(spare.start..<end), "bad spare",
                        detail: "the spare does not repeat the frame"))
            }
            end = spare.start
        }
        if !bytes.isZero(start..<end) || end - start >= LogLayout.alignment {
            findings.append(
                Finding(place(start..<end), "not padding", detail: "bytes behind the last record"))
        }
    }

    private func repeats(_ spare: Spare, _ content: FrameContent, _ bytes: RawSpan) -> Bool {
        var header = content.header
        header.payloadChecksum = 0
        header.checksum = 0
        let size = content.head.size
        let copy = spare.start + 2 * spare.directory.count
        let own = content.header.payload.lowerBound
        return spare.header == header && spare.head.size == size
            && spare.directory == content.records.map(\.range.lowerBound)
            && bytes.extracting(copy..<copy + size).isEqual(
                to: bytes.extracting(own..<own + size))
    }

    /// Damage of a frame that is served, with the reason where a record is not good although its
    /// checksum fits.
    private func finding(
        _ damage: Damage, of content: FrameContent, _ bytes: RawSpan
    ) -> Finding {
        var finding = Finding(damage)
        guard damage.cause == .badRecord else { return finding }
        let start = Int(damage.range.lowerBound - content.offset)
        let part = start..<start + damage.range.count
        if let record = RecordHeader.decode(bytes, in: part),
            record.checksum
                == RecordHeader.checksum(
                    bytes, of: record.range, logOffset: damage.range.lowerBound, salt: salt)
        {
            finding.detail = content.fault(of: record, bytes)
        }
        return finding
    }

    private func check(
        _ record: RecordHeader, of content: FrameContent, _ bytes: RawSpan,
        _ findings: inout [Finding]
    ) {
        let start = record.range.lowerBound
        let offset = content.offset + UInt64(start)
        var finding = Finding(offset..<offset + UInt64(record.range.count), "malformed record")
        finding.collection = content.collection(of: record)
        finding.key = record.recordKey(bytes)
        func add(_ detail: String) {
            finding.detail = detail
            findings.append(finding)
        }
        if record.checksum
            != RecordHeader.checksum(bytes, of: record.range, logOffset: offset, salt: salt)
        {
            add("the record's checksum does not fit")
        }
        if let index = record.collection, content.name(index) == nil {
            add("its collection is name \(index) of \(content.head.names.count)")
        }
        if let author = content.provenance(bytes, of: record)?.author, content.name(author) == nil {
            add("its author is name \(author) of \(content.head.names.count)")
        }
        if let fault = RecordValue(record, bytes, names: content.head.names).fault { add(fault) }
        if record.kind.isUnknown || RecordKey.Kind(rawValue: record.keyKind) == nil {
            finding.weight = .note
            finding.cause = Damage.Cause.unknownKind.rawValue
            add("\(record.kind), key \(Naming.keyKind(record.keyKind)); readers skip it")
        }
    }
}

extension RecordKind {
    fileprivate var isUnknown: Bool {
        ![.put, .delete, .syncState, .cursor, .metadata].contains(self)
    }
}
