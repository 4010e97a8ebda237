/// What stands at the end of a log: the rule by which writers find where to append, and readers
/// what is not yet there (FORMAT.md, "The end of the log").
package struct LogTail: Hashable, Sendable {
    /// Where the next frame goes, unless something has to be cut first.
    package var end: UInt64
    /// The last frame that is known to have been written whole.
    package var last: FrameHeader?
    /// Where it begins.
    package var lastOffset: UInt64
    /// Bytes behind the last frame that are neither a frame nor zeros: a write that never ended.
    package var torn: Range<UInt64>?
    /// A frame at the end that is damaged in its place, and not torn: it stays.
    package var damaged: Damage?

    package init(end: UInt64, last: FrameHeader?, lastOffset: UInt64) {
        self.end = end
        self.last = last
        self.lastOffset = lastOffset
    }

    /// The number that the next commit gets. Where the last frame is not known, it had one too.
    package var nextSequence: UInt64 {
        let lastEnd = lastOffset + UInt64(last?.length ?? 0)
        return (last?.sequence ?? 0) + (lastEnd == end ? 1 : 2)
    }

    /// The end of a log that ends as it should: with a frame that both its ends prove and nothing
    /// but zeros behind it, or with no frame at all. Reads the slack and 40 bytes.
    package static func proven(in log: some LogBytes, salt: UInt64) throws -> LogTail? {
        let floor = LogLayout.firstFrameOffset
        let content = try log.endOfContent(floor: floor)
        if content == floor { return LogTail(end: floor, last: nil, lastOffset: floor) }
        return try proven(endingAt: content + (8 - content % 8) % 8, in: log, salt: salt)
    }

    /// The end of a log at this offset, if a frame that both its ends prove ends there.
    package static func proven(
        endingAt end: UInt64, in log: some LogBytes, salt: UInt64
    ) throws -> LogTail? {
        try log.provenFrame(endingAt: end, salt: salt).map {
            LogTail(end: end, last: $0.header, lastOffset: $0.offset)
        }
    }

    /// Finds the end of a log from the end of its file.
    ///
    /// Reads the slack, then 40 bytes; only when the end is torn or damaged more: back by eight
    /// bytes to the last frame that both its ends prove.
    package static func find(in log: some LogBytes, salt: UInt64) throws -> LogTail {
        let floor = LogLayout.firstFrameOffset
        let content = try log.endOfContent(floor: floor)
        let end = content + (8 - content % 8) % 8
        if let tail = try proven(endingAt: end, in: log, salt: salt) { return tail }
        var proven = end
        while proven > floor {
            proven -= 8
            if let tail = try self.proven(endingAt: proven, in: log, salt: salt) {
                return try tail.judging(until: end, content: content, in: log, salt: salt)
            }
        }
        return try LogTail(end: floor, last: nil, lastOffset: floor)
            .judging(until: end, content: content, in: log, salt: salt)
    }

    /// Decides what the bytes between the last proven frame and the last byte that is not zero are.
    func judging(
        until end: UInt64, content: UInt64, in log: some LogBytes, salt: UInt64
    ) throws -> LogTail {
        guard end > self.end else { return self }
        var tail = self
        while let header = try log.writtenFrame(at: tail.end, before: end, salt: salt) {
            tail.last = header
            tail.lastOffset = tail.end
            tail.end += UInt64(header.length)
        }
        var frames = try DamagedFrames(
            at: tail.end..<end, content: content, after: tail.last?.sequence ?? 0, in: log,
            salt: salt)
        if frames == nil, tail.end > self.end,
            try log.withBytes(tail.end - 1..<tail.end, { $0.isZero(0..<1) })
        {
            // Only what stands behind it shows that the last frame was written whole. With zeros
            // there it would pass for torn itself, and be cut next.
            frames = DamagedFrames(cause: .badHeader)
        }
        if let frames {
            tail.damaged = Damage(range: tail.end..<min(end, log.size), cause: frames.cause)
            if let last = frames.last, last.header.sequence >= tail.last?.sequence ?? 0 {
                tail.last = last.header
                tail.lastOffset = last.offset
            }
            tail.end = end
        } else {
            tail.torn = tail.end..<min(end, log.size)
        }
        return tail
    }
}

/// A range at the end of the log in which frames stand that were written whole and are damaged now
/// (FORMAT.md, "The end of the log").
///
/// A write that did not end lacks its last bytes, and the end marker is the very last: so what stands
/// there is torn when that byte is missing. With it, and with lengths that lead from one end of the
/// range to the other, or with a spare that proves the last frame, the frames were whole once. And so
/// they were where one stands in the wrong place: no write that broke off moves a frame.
struct DamagedFrames {
    var cause: Damage.Cause
    /// The last frame of which the header is known.
    var last: (offset: UInt64, header: FrameHeader)?

    init(cause: Damage.Cause) { self.cause = cause }

    /// Nil where the range is torn.
    ///
    /// - Parameter sequence: that of the last frame before the range.
    init?(
        at range: Range<UInt64>, content: UInt64, after sequence: UInt64, in log: some LogBytes,
        salt: UInt64
    ) throws {
        if let inPlace = try Self.inPlace(range, content: content, in: log, salt: salt) {
            self = inPlace
        } else {
            guard range.count <= LogLayout.maximumFrameLength,
                let last = try log.displacedFrames(in: range, after: sequence, salt: salt).last
            else { return nil }
            cause = .badHeader
            self.last = (last.place, last.header)
        }
    }

    private static func inPlace(
        _ range: Range<UInt64>, content: UInt64, in log: some LogBytes, salt: UInt64
    ) throws -> DamagedFrames? {
        guard content == range.upperBound, range.count <= LogLayout.maximumFrameLength,
            range.count >= LogLayout.minimumFrameLength
        else { return nil }
        var frames = DamagedFrames(cause: .badHeader)
        var start = range.lowerBound
        while let header = try log.frameHeader(at: start, salt: salt) {
            guard UInt64(header.length) <= range.upperBound - start else { return nil }
            frames.last = (start, header)
            start += UInt64(header.length)
            if start == range.upperBound {
                frames.cause = .badTrailer
                return frames
            }
        }
        let rest = range.upperBound - start
        guard let trailer = try log.trailer(endingAt: range.upperBound),
            UInt64(trailer.length) <= rest
        else { return nil }
        let offset = range.upperBound - UInt64(trailer.length)
        if let frame = try log.rescuedFrame(at: offset..<range.upperBound, salt: salt) {
            frames.last = (offset, frame.header)
        } else if UInt64(trailer.length) != rest {
            return nil
        }
        return frames
    }
}
