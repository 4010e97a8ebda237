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
    /// The displaced frames that stand in a range, in their order. Reads the range once, and of what
    /// looks like a frame both ends.
    package func displacedFrames(
        in range: Range<UInt64>, salt: UInt64
    ) throws -> [DisplacedFrame] {
        let window: UInt64 = 1 << 20
        var frames: [DisplacedFrame] = []
        var place = range.lowerBound
        let limit = min(range.upperBound, size)
        while place < limit {
            let end = min(place + window, limit)
            guard let marker = try withBytes(place..<end, { $0.firstMarker }) else {
                // The marker may stand across the border of two windows.
                place = end == limit ? limit : end - 1
                continue
            }
            place += UInt64(marker)
            if let frame = try displacedFrame(at: place, before: limit, salt: salt) {
                frames.append(frame)
                place += UInt64(frame.header.length)
            } else {
                place += 1
            }
        }
        return frames
    }

    private func displacedFrame(
        at place: UInt64, before limit: UInt64, salt: UInt64
    ) throws -> DisplacedFrame? {
        let size = UInt64(LogLayout.frameHeaderSize)
        guard limit - place >= size else { return nil }
        return try withBytes(place..<place + size) { bytes -> DisplacedFrame? in
            guard let header = FrameHeader.unverified(bytes, at: 0),
                UInt64(header.length) <= limit - place,
                try trailer(endingAt: place + UInt64(header.length)) == FrameTrailer(header)
            else { return nil }
            let seed = Checksum.seed(of: bytes.extracting(0..<28), endingWith: header.checksum)
            let offset = Checksum.offset(
                withSeed: seed, salt: salt, upperBits: UInt32(place >> 32))
            guard offset != place, offset >= LogLayout.firstFrameOffset,
                offset.isMultiple(of: UInt64(LogLayout.alignment)),
                max(offset, place) - min(offset, place) <= LogLayout.maximumFrameLength
            else { return nil }
            return DisplacedFrame(place: place, offset: offset, header: header)
        }
    }
}

extension RawSpan {
    /// Where a frame's marker first stands.
    fileprivate var firstMarker: Int? {
        let index = unsafe withUnsafeBytes {
            unsafe grouplog_find_pair(
                $0.baseAddress, $0.count, UInt8(FrameHeader.marker & 0xFF),
                UInt8(FrameHeader.marker >> 8))
        }
        return index < byteCount ? index : nil
    }
}
