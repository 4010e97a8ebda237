import GroupLogFormat

/// Carries what can still be read of a log over into a new one.
struct Salvage {
    private(set) var recordCount = 0
    /// Places in which bytes are that no record could be made of.
    private(set) var lostPlaces = 0
    private var copy: LogCopy
    private let source: LogSource
    private let isServedOnly: Bool
    /// That of the last frame, for records whose own frame has lost it.
    private var lastHeader: FrameHeader?
    private var lastSequence: UInt64 = 0

    /// - Parameter isServedOnly: whether records are left out that no reader would show: those of
    ///   transactions that are not whole.
    init(of source: LogSource, isServedOnly: Bool) throws {
        self.source = source
        self.isServedOnly = isServedOnly
        let known = source.headers.header
        let header = LogHeader(
            storeID: known?.storeID
                ?? StoreID(bytes: (0..<16).map { _ in .random(in: .min ... .max) }),
            generation: min((known?.generation ?? 0) + 1, LogLayout.maximumSequence),
            salt: .random(in: .min ... .max))
        copy = LogCopy(ofLogWith: try source.salt(), to: CompactedLog(header: header))
    }

    /// About how many bytes wait to be written.
    var size: Int { copy.target.size }

    mutating func take() throws -> [UInt8] { try copy.target.take() }

    mutating func add(_ part: LogPart) throws {
        switch part {
        case .header, .gap, .slack: return
        case .frame(let content):
            try source.bytes.withBytes(part.range) { try add(content, $0) }
            lostPlaces += content.damage.count { $0.lostRecords != 0 }
        case .damage(let damage):
            copy.noteDamage()
            try rescue([try FrameInspection(damage.range, of: source)])
            try rescueDisplaced(in: damage.range)
        case .unfinished(let range):
            try rescue(
                try FrameInspection.all(in: range, of: source.bytes, salt: try source.salt()))
        }
    }

    private mutating func add(_ content: FrameContent, _ bytes: RawSpan) throws {
        lastHeader = content.header
        lastSequence = max(lastSequence, content.header.sequence)
        let before = copy.target.recordCount
        try copy.add(content, bytes)
        recordCount += copy.target.recordCount - before
    }

    /// Takes out of frames that are not served, or are not whole, the records whose own checksums
    /// fit.
    private mutating func rescue(_ frames: [FrameInspection]) throws {
        for frame in frames { try rescue(frame) }
    }

    private mutating func rescue(_ frame: FrameInspection) throws {
        lostPlaces += 1
        guard !isServedOnly, let head = frame.head else { return }
        let records = frame.records.filter(\.isIntact).map(\.header)
        guard !records.isEmpty else { return }
        let range = frame.offset..<frame.offset + frame.length
        // A commit that did not happen as a whole is none, and has no checksum.
        let damage = Damage(range: range, cause: .badHeader)
        let content = FrameContent(
            offset: range.lowerBound, header: try header(of: frame), head: head,
            records: records, damage: [damage])
        try source.bytes.withBytes(range) { try add(content, $0) }
        if frame.unreadable.isEmpty, frame.records.count == records.count,
            records.count == head.recordCount
        {
            lostPlaces -= 1
        }
    }

    /// Takes over frames that stand whole in a place which is not theirs.
    private mutating func rescueDisplaced(in range: Range<UInt64>) throws {
        let salt = try source.salt()
        guard !isServedOnly else { return }
        for frame in try source.bytes.displacedFrames(
            in: range, after: lastSequence, salt: salt)
        {
            let bytes = frame.place..<frame.place + UInt64(frame.header.length)
            try source.bytes.withBytes(bytes) { bytes in
                let content: FrameContent
                do throws(FormatError) {
                    content = try FrameContent.decode(
                        bytes, header: frame.header, offset: frame.offset, salt: salt)
                } catch {
                    lostPlaces += 1
                    return
                }
                lostPlaces += content.damage.count { $0.lostRecords != 0 }
                try add(content, bytes)
            }
        }
    }

    /// The frame's header, if it verifies; or else one that puts the records behind the frame before.
    private func header(of frame: FrameInspection) throws -> FrameHeader {
        let salt = try source.salt()
        if let header = try source.bytes.frameHeader(at: frame.offset, salt: salt) { return header }
        if let header = frame.spare?.header { return header }
        return FrameHeader(
            flags: [], length: UInt32(LogLayout.minimumFrameLength),
            sequence: min(lastSequence + 1, LogLayout.maximumSequence),
            time: lastHeader?.time ?? 0, payloadChecksum: 0, checksum: 0)
    }

    /// Ends the new log.
    mutating func finish() throws {
        if lostPlaces > 0 { copy.noteDamage() }
        _ = try copy.finish(lastSequence: lastSequence, time: lastHeader?.time ?? 0)
    }
}
