private import CGroupLog

/// A frame that stands whole in a place which is not the one that it was written for: somebody put
/// bytes in before it, or took some out (FORMAT.md, "The end of the log").
///
/// Its checksums do not fit where it stands. But a checksum's seed can be worked out from it and its
/// bytes, and the offset from the seed and the log's salt: so a frame of this log is known again in any
/// other place, and a frame of another log, or bytes that look like one, are not taken for it.
package struct DisplacedFrame: Hashable, Sendable {
    /// Where it stands.
    package var place: UInt64
    /// Where it was written.
    package var offset: UInt64
    package var header: FrameHeader
}

extension LogBytes {
    /// The displaced frames of commits after a sequence that stand in a range, in their order.
    ///
    /// Reads the range once, in pieces, and of what looks like a frame that is longer than the rest of
    /// its piece the last eight bytes.
    package func displacedFrames(
        in range: Range<UInt64>, after sequence: UInt64, salt: UInt64
    ) throws -> [DisplacedFrame] {
        let window: UInt64 = 1 << 20
        let limit = min(range.upperBound, size)
        var frames: [DisplacedFrame] = []
        var start = range.lowerBound
        while start < limit {
            let end = min(start + window, limit)
            let found = try withBytes(start..<end) {
                $0.displacedFrames(at: start, before: limit, after: sequence, salt: salt)
            }
            for frame in found where frame.place >= frames.last?.end ?? 0 {
                let isInside = frame.end <= end
                if try isInside || trailer(endingAt: frame.end) == FrameTrailer(frame.header) {
                    frames.append(frame)
                }
            }
            if end == limit { return frames }
            start = end - UInt64(LogLayout.frameHeaderSize - 1)
        }
        return frames
    }
}

extension DisplacedFrame {
    fileprivate var end: UInt64 { place + UInt64(header.length) }
}

extension RawSpan {
    /// What may be displaced frames in these bytes, whose first one stands at `start`: their headers
    /// stand here whole, and so do the trailers of those that end here.
    fileprivate func displacedFrames(
        at start: UInt64, before limit: UInt64, after sequence: UInt64, salt: UInt64
    ) -> [DisplacedFrame] {
        var frames: [DisplacedFrame] = []
        var index = 0
        while let marker = marker(from: index),
            marker + LogLayout.frameHeaderSize <= byteCount
        {
            index = marker + 1
            guard let header = FrameHeader.unverified(self, at: marker),
                header.sequence > sequence
            else { continue }
            let end = marker + Int(header.length)
            guard start + UInt64(end) <= limit,
                end > byteCount || FrameTrailer(self, endingAt: end) == FrameTrailer(header),
                let offset = displacedOffset(
                    of: header, at: marker, place: start + UInt64(marker), salt: salt)
            else { continue }
            frames.append(
                DisplacedFrame(place: start + UInt64(marker), offset: offset, header: header))
        }
        return frames
    }

    /// The offset for which a header was made; nil where it is not one of this log, displaced.
    private func displacedOffset(
        of header: FrameHeader, at index: Int, place: UInt64, salt: UInt64
    ) -> UInt64? {
        let seed = Checksum.seed(
            of: extracting(index..<index + 28), endingWith: header.checksum)
        let offset = Checksum.offset(
            withSeed: seed, salt: salt, upperBits: UInt32(place >> 32))
        guard offset != place, offset >= LogLayout.firstFrameOffset,
            offset.isMultiple(of: UInt64(LogLayout.alignment)),
            max(offset, place) - min(offset, place) <= LogLayout.maximumFrameLength
        else { return nil }
        return offset
    }

    /// Where a frame's marker first stands from an index on.
    private func marker(from start: Int) -> Int? {
        let found = unsafe extracting(start..<byteCount).withUnsafeBytes {
            unsafe grouplog_find_pair(
                $0.baseAddress, $0.count, UInt8(FrameHeader.marker & 0xFF),
                UInt8(FrameHeader.marker >> 8))
        }
        return found < byteCount - start ? start + found : nil
    }
}
