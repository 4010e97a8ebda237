import GroupLogFormat
import ToolSupport

/// `grouplog-dump hex`.
enum HexCommand {
    private static let offset = Argument<UInt64>(
        "offset", "Where to begin, in decimal digits or, behind 0x, in hexadecimal ones.",
        as: .offset)
    private static let length = Option<UInt64?>(
        "length", "count",
        "How many bytes. (default: to the end of the frame, at most \(defaultLength))", as: .offset)

    private static let defaultLength: UInt64 = 4096

    static let command = Command(
        "hex", abstract: "Shows bytes with the names and the meaning of the fields that they are.",
        discussion: """
            The names are those of FORMAT.md. Checksums are computed; where one does not fit, the \
            one that would is shown. Damaged bytes are read as what they most likely were.
            JSON: offset, length, structure, field, bytes (in hexadecimal, those that were asked \
            for), meaning, verdict (good or bad).
            """,
        examples: [
            .init("The log's header", "grouplog-dump hex notes.grouplog 0"),
            .init("A record and what follows", "grouplog-dump hex --length 200 notes.log 0x108a"),
        ],
        arguments: [DumpOptions.log, offset], options: [length]
    ) { invocation in
        let source = try LogSource(path: invocation[DumpOptions.log])
        let start = invocation[offset]
        let size = source.bytes.size
        guard start < size else {
            throw ToolError(
                .usage,
                "offset \(start) is not in the log, which has "
                    + counted(size, "byte"))
        }
        let length = invocation[length]
        var wanted = start..<start + min(length ?? defaultLength, size - start)
        if length == nil, let part = try part(at: start, of: source) {
            wanted = wanted.clamped(to: part.range)
        }
        var printer = HexPrinter(source.bytes, wanted, invocation)
        for annotation in try annotations(wanted, of: source) { try printer.add(annotation) }
        // What could be shown was shown; what is wrong is told by the error.
        if source.headers.salt == nil { _ = try source.salt() }
        return .done
    }

    /// The part of the log in which an offset lies.
    private static func part(at offset: UInt64, of source: LogSource) throws -> LogPart? {
        var found: LogPart?
        try forEachPart(offset..<offset + 1, of: source) { part in
            found = part
            return false
        }
        return found
    }

    private static func annotations(
        _ wanted: Range<UInt64>, of source: LogSource
    ) throws -> [Annotation] {
        var annotator = Annotator(wanted: wanted, salt: source.headers.salt ?? 0)
        try forEachPart(wanted, of: source) { part in
            try annotator.take(part, of: source.bytes)
            return true
        }
        if source.headers.salt == nil, wanted.upperBound > LogLayout.firstFrameOffset {
            annotator.takeRaw(
                LogLayout.firstFrameOffset..<source.bytes.size, "unknown",
                "frames cannot be read without the log's header")
        }
        return annotator.annotations
    }

    private static func forEachPart(
        _ range: Range<UInt64>, of source: LogSource, _ visit: (LogPart) throws -> Bool
    ) throws {
        guard let salt = source.headers.salt else {
            for part in LogScan.preamble(size: source.bytes.size)
            where part.range.overlaps(range) {
                guard try visit(part) else { return }
            }
            return
        }
        var scan = LogScan(source)
        scan.range = range
        // In the usual case the offset is that of a frame or a record, and no walk is needed.
        scan.start = try source.bytes.provenStart(at: range.lowerBound, salt: salt)
        try scan.forEach(visit)
    }
}

extension Annotator {
    /// Names what stands in one part of a log.
    fileprivate mutating func take(_ part: LogPart, of log: FileBytes) throws {
        switch part {
        case .header(let range, _):
            try log.withBytes(range) { takeLogHeader($0, base: range.lowerBound) }
        case .gap(let range): takeRaw(range, "gap")
        case .frame(let content):
            try log.withBytes(part.range) {
                takeFrame($0, length: Int(content.header.length), base: content.offset)
            }
        case .damage(let damage):
            try takeFaulty(damage.range, "damage", damage.cause.rawValue, of: log)
        case .unfinished(let range):
            try takeFaulty(range, "unfinished", "not a whole frame", of: log)
        case .slack(let range): takeRaw(range, "slack")
        }
    }

    /// Reads bytes that are not accepted as the frame that one of their ends says they were.
    private mutating func takeFaulty(
        _ range: Range<UInt64>, _ name: String, _ meaning: String, of log: FileBytes
    ) throws {
        // A quarantined file has zeros before the bytes that were cut.
        let start = try log.firstContent(in: range)
        takeRaw(range.lowerBound..<start, name, meaning)
        let limit = min(range.upperBound, start + UInt64(LogLayout.maximumFrameLength))
        let count = try log.withBytes(start..<limit) { bytes -> Int in
            let length =
                FrameHeader.unverified(bytes, at: 0)?.length
                ?? FrameTrailer(bytes, endingAt: bytes.byteCount)?.length
            guard let length else { return 0 }
            let count = min(Int(length), bytes.byteCount)
            takeFrame(bytes.extracting(0..<count), length: Int(length), base: start)
            return count
        }
        takeRaw(start + UInt64(count)..<range.upperBound, name, meaning)
    }

    /// Bytes that are no structure.
    fileprivate mutating func takeRaw(
        _ range: Range<UInt64>, _ name: String, _ meaning: String = ""
    ) {
        guard !range.isEmpty else { return }
        begin(name)
        take(0..<Int(clamping: range.count), base: range.lowerBound, name, meaning)
    }
}

extension LogBytes {
    /// The first multiple of eight in a range behind which not only zeros stand; the range's end
    /// where there are only zeros.
    fileprivate func firstContent(in range: Range<UInt64>) throws -> UInt64 {
        var start = range.lowerBound
        while start < range.upperBound {
            let piece = start..<min(start + 1 << 16, range.upperBound)
            let zeros = try withBytes(piece) { bytes in
                stride(from: 0, to: bytes.byteCount, by: LogLayout.alignment).first {
                    !bytes.isZero($0..<min($0 + LogLayout.alignment, bytes.byteCount))
                }
            }
            if let zeros { return start + UInt64(zeros) }
            start = piece.upperBound
        }
        return range.upperBound
    }

    /// Where the frame begins that begins at an offset, or whose record does; nil where neither is
    /// proven.
    fileprivate func provenStart(at offset: UInt64, salt: UInt64) throws -> UInt64? {
        if try provenFrame(at: offset, salt: salt) != nil { return offset }
        let head = UInt64(LogLayout.recordHeaderSize)
        guard offset <= size, size - offset >= head,
            let length = try withBytes(offset..<offset + head, { RecordHeader.length($0, at: 0) }),
            UInt64(length) <= size - offset
        else { return nil }
        let distance = try withBytes(offset..<offset + UInt64(length)) { bytes -> UInt32? in
            let record = RecordHeader.decode(bytes, in: 0..<length)
            let checksum = record.map {
                RecordHeader.checksum(bytes, of: $0.range, logOffset: offset, salt: salt)
            }
            return record?.checksum == checksum ? record?.frameDistance : nil
        }
        guard let distance, UInt64(distance) <= offset else { return nil }
        let start = offset - UInt64(distance)
        return try provenFrame(at: start, salt: salt) == nil ? nil : start
    }
}
