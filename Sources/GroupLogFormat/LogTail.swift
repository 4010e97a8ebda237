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

    /// The number that the next commit gets.
    package var nextSequence: UInt64 { (last?.sequence ?? 0) + (damaged == nil ? 1 : 2) }

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
        var cause = try Self.causeOfDamage(
            tail.end..<end, content: content, in: log, salt: salt)
        if cause == nil, tail.end > self.end,
            try log.withBytes(tail.end - 1..<tail.end, { $0.isZero(0..<1) })
        {
            // Only what stands behind it shows that the last frame was written whole. With zeros
            // there it would pass for torn itself, and be cut next.
            cause = .badHeader
        }
        if let cause {
            tail.damaged = Damage(range: tail.end..<end, cause: cause)
            tail.end = end
        } else {
            tail.torn = tail.end..<min(end, log.size)
        }
        return tail
    }

    /// Why a range at the end of the log is one whole frame that is damaged; nil where it is torn.
    ///
    /// A write that did not end lacks its last bytes, and the end marker is the very last: so a
    /// frame is torn when that byte is missing. With it, and with a length that leads from one end
    /// of the range to the other, the frame was whole once.
    static func causeOfDamage(
        _ range: Range<UInt64>, content: UInt64, in log: some LogBytes, salt: UInt64
    ) throws -> Damage.Cause? {
        guard content == range.upperBound, range.count <= LogLayout.maximumFrameLength,
            range.count >= LogLayout.minimumFrameLength
        else { return nil }
        if let header = try log.frameHeader(at: range.lowerBound, salt: salt) {
            return Int(header.length) == range.count ? .badTrailer : nil
        }
        let trailer = try log.trailer(endingAt: range.upperBound)
        return trailer.map { Int($0.length) } == range.count ? .badHeader : nil
    }
}
