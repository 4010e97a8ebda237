/// Walks a log forward, frame by frame, past damage (FORMAT.md, "Reader's duties").
///
/// ```swift
/// let log = LogBytesInMemory(bytes)
/// let header = try HeaderCopies.decode(bytes.span.bytes).header
/// var walker = LogWalker(log, salt: header.salt)
/// while case .frame(let frame) = try walker.next() { print(frame.offset, frame.records.count) }
/// ```
///
/// It takes memory for one frame at a time. What it gives out has been verified; damage is a step
/// like others, and only what the source itself throws ends the walk.
public struct LogWalker<Source: LogBytes> {
    /// What the walk came upon.
    public enum Step: Sendable {
        /// A frame whose records can be served, with whatever is wrong with it.
        case frame(FrameContent)
        /// Bytes that are no frame, with frames behind them.
        case damage(Damage)
        /// Bytes behind the last frame that are not a whole frame, or not yet.
        case unfinished(Range<UInt64>)
        /// Nothing but zeros follows.
        case end
    }

    /// The log's bytes; may be given anew when the log has grown.
    public var source: Source
    /// The salt of the log's header, by which frames are told from other bytes.
    public let salt: UInt64
    /// Where the walk stands: behind the last frame that it gave out, or behind the damage.
    public private(set) var position: UInt64
    /// The sequence of the last frame.
    public private(set) var lastSequence: UInt64?
    /// Steps found ahead of the one that was asked for.
    private var found: [Step] = []
    /// Whether the way to the next frame lay over damage, which explains a gap in the sequence.
    private var crossedDamage = false
    /// The name tables of the frames so far.
    package var knownNames = KnownNames()
    /// Whether zeros are taken as the end without looking for frames behind them. Right for a
    /// reader that goes on from where it stood: only a power loss leaves a hole, and no reader
    /// lives through one.
    private let stopsAtZeros: Bool

    /// A walk from an offset at which a frame begins or may begin.
    ///
    /// - Parameters:
    ///   - source: the log's bytes.
    ///   - salt: of the log's header.
    ///   - position: the first frame's offset, or where an earlier walk stood.
    ///   - lastSequence: that of the frame before, so that a gap behind it is noticed.
    ///   - stopsAtZeros: whether zeros are the end, without a look for frames behind them.
    public init(
        _ source: Source, salt: UInt64, from position: UInt64 = LogLayout.firstFrameOffset,
        lastSequence: UInt64? = nil, stopsAtZeros: Bool = false
    ) {
        self.source = source
        self.salt = salt
        self.position = position
        self.lastSequence = lastSequence
        self.stopsAtZeros = stopsAtZeros
    }

    /// The next step. After `.end` and `.unfinished` the walk stays where it is, so it can go on
    /// when the log has grown.
    public mutating func next() throws -> Step {
        if !found.isEmpty { return took(found.removeFirst()) }
        let size = source.size
        guard position <= size, size - position >= 8,
            try source.withBytes(position..<position + 8, { !$0.isZero(0..<8) })
        else { return try atZeros() }
        if let header = try source.provenFrame(at: position, salt: salt) {
            return took(try read(header, at: position))
        }
        return try atDamage()
    }

    /// Reads a frame that both its ends prove.
    ///
    /// A copy of the bytes that was made while the frame was being written can have its end and
    /// not yet its middle. So what does not verify is read again before it is called damage: when
    /// the end is there, all that was written before it is.
    private mutating func read(_ header: FrameHeader, at offset: UInt64) throws -> Step {
        let step = try decoded(header, at: offset)
        if case .frame(let content) = step, content.damage.isEmpty { return step }
        source.forget()
        return try decoded(header, at: offset)
    }

    private mutating func decoded(_ header: FrameHeader, at offset: UInt64) throws -> Step {
        let end = offset + UInt64(header.length)
        let source = source
        return try source.withBytes(offset..<end) { bytes in
            do throws(FormatError) {
                return .frame(
                    try FrameContent.decode(
                        bytes, header: header, offset: offset, salt: salt, knowing: &knownNames))
            } catch {
                return .damage(Damage(range: offset..<end, cause: .badPayload))
            }
        }
    }

    private mutating func took(_ step: Step) -> Step {
        switch step {
        case .frame(var content):
            if let last = lastSequence, !crossedDamage, !content.header.follows(last) {
                content.damage.append(
                    Damage(range: content.offset..<content.offset, cause: .sequenceGap))
            }
            lastSequence = content.header.sequence
            crossedDamage = false
            position = content.end
            return .frame(content)
        case .damage(let damage):
            crossedDamage = true
            // A file may end anywhere, and frames begin at multiples of eight.
            position = damage.range.upperBound + (8 - damage.range.upperBound % 8) % 8
        case .unfinished, .end: break
        }
        return step
    }

    private mutating func atZeros() throws -> Step {
        guard !stopsAtZeros, try source.endOfContent(floor: position) > position else {
            return .end
        }
        return try atDamage()
    }

    /// No proven frame begins at `position`, and something stands there or behind it.
    private mutating func atDamage() throws -> Step {
        let start = position
        // A good header without its trailer is a write under way, or a damaged trailer: either
        // way no other frame begins inside it, and there is nothing to search.
        let length = try source.frameHeader(at: start, salt: salt).map { UInt64($0.length) } ?? 8
        if let next = try nextFrame(after: start + length - 8) {
            return try atDamage(until: next)
        }
        let content = try source.endOfContent(floor: start)
        let end = content + (8 - content % 8) % 8
        guard end > start else { return .end }
        if let header = try source.writtenFrame(at: start, before: end, salt: salt) {
            return try atDamage(until: start + UInt64(header.length))
        }
        // No write leaves more than the longest frame.
        if end - start <= LogLayout.maximumFrameLength,
            try DamagedFrames(
                at: start..<end, content: content, after: lastSequence ?? 0, in: source, salt: salt)
                == nil
        {
            return .unfinished(start..<min(end, source.size))
        }
        return try atDamage(until: min(end, source.size))
    }

    /// What is damage unless a writer has just finished the frame at `position`: between the look at
    /// its end and the looks behind it, or since a copy of the bytes was made.
    private mutating func atDamage(until end: UInt64) throws -> Step {
        source.forget()
        if let header = try source.provenFrame(at: position, salt: salt) {
            return took(try read(header, at: position))
        }
        try explain(position..<end)
        return took(found.removeFirst())
    }

    /// Fills `found` with what stands in a range that begins with no proven frame: whole frames
    /// that one good end gives away, and damage between them.
    private mutating func explain(_ range: Range<UInt64>) throws {
        // From the front: a header whose trailer is gone tells where its frame ends.
        var start = range.lowerBound
        var end = range.upperBound
        while start < end, let header = try source.frameHeader(at: start, salt: salt),
            UInt64(header.length) <= end - start
        {
            let stop = start + UInt64(header.length)
            var step = try read(header, at: start)
            if case .frame(var content) = step {
                content.damage.append(
                    Damage(range: stop - 8..<stop, cause: .badTrailer, lostRecords: 0))
                step = .frame(content)
            }
            found.append(step)
            start = stop
        }
        // From the back: a trailer tells where its frame began, even if the header is gone.
        var back: [Step] = []
        while end > start, let trailer = try source.trailer(endingAt: end),
            UInt64(trailer.length) <= end - start,
            let content = try source.rescuedFrame(
                at: end - UInt64(trailer.length)..<end, salt: salt)
        {
            back.append(.frame(content))
            end = content.offset
        }
        if start < end {
            let isHole = try isZero(start..<end)
            found.append(
                .damage(Damage(range: start..<end, cause: isHole ? .hole : .badHeader)))
        }
        found += back.reversed()
    }

    private func isZero(_ range: Range<UInt64>) throws -> Bool {
        var start = range.lowerBound
        while start < range.upperBound {
            let end = min(start + (1 << 20), range.upperBound)
            guard try source.withBytes(start..<end, { $0.isZero(0..<$0.byteCount) }) else {
                return false
            }
            start = end
        }
        return true
    }

    /// Where the next proven frame behind an offset begins.
    ///
    /// Costs two bytes at each multiple of eight, and 28 bytes of checksum where a marker and a
    /// possible length stand: text that is full of false frames does not slow it down.
    package func nextFrame(after offset: UInt64) throws -> UInt64? {
        let window: UInt64 = 1 << 20
        let headerSize = UInt64(LogLayout.frameHeaderSize)
        var start = offset + 8
        while start <= source.size, source.size - start >= headerSize {
            let end = min(start + window, source.size)
            let heads = try source.withBytes(start..<end) { self.candidates($0, at: start) }
            for candidate in heads
            where try source.provenFrame(at: candidate, salt: salt) != nil {
                return candidate
            }
            guard end < source.size else { return nil }
            start += (end - start - headerSize) / 8 * 8 + 8
        }
        return nil
    }

    private func candidates(_ bytes: RawSpan, at start: UInt64) -> [UInt64] {
        var result: [UInt64] = []
        var offset = 0
        while offset + LogLayout.frameHeaderSize <= bytes.byteCount {
            if bytes.integer(at: offset, as: UInt16.self) == FrameHeader.marker,
                let header = FrameHeader.unverified(bytes, at: offset),
                header.checksum
                    == FrameHeader.seal(
                        bytes, at: offset, logOffset: start + UInt64(offset), salt: salt)
            {
                result.append(start + UInt64(offset))
            }
            offset += 8
        }
        return result
    }
}
