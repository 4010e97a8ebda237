import GroupLogFormat

/// A log's bytes for reading many records one after another, forward or backward, from a file that is
/// not mapped.
///
/// Records that are read together mostly stand together. When some reads have been near each other, a
/// large piece is read about the next one: most of it in the direction in which the reading goes, and
/// as much behind as a frame of many records is long, since of each frame the head is read too. Reads
/// here and there cost what they ask for.
package final class RecordWindow: LogBytes {
    private let image: LogImage
    private var window: [UInt8] = []
    private var start: UInt64 = 0
    /// Where the last read was that the window did not have.
    private var lastMiss: UInt64 = 0
    /// How many such reads there have been near each other.
    private var nearMisses = 0

    private static let ahead: UInt64 = 256 << 10
    private static let behind = UInt64(LogLayout.maximumIndependentFrameLength) + 4096
    /// One record alone takes at most five: its length, itself, and three parts of its frame's head.
    private static let missesOfOneRecord = 5

    package init(_ image: LogImage) { self.image = image }

    package var size: UInt64 { image.size }

    package func withBytes<R>(
        _ range: Range<UInt64>, _ body: (RawSpan) throws -> R
    ) throws -> R {
        if image.isMapped || UInt64(range.count) > Self.behind {
            return try image.withBytes(range, body)
        }
        if range.lowerBound < start || range.upperBound > start + UInt64(window.count) {
            guard try load(range) else { return try image.withBytes(range, body) }
        }
        let part = Int(range.lowerBound - start)..<Int(range.upperBound - start)
        // The body may ask for other bytes, so it gets an array that stays.
        let window = window
        return try body(unsafe window.span.bytes.extracting(part))
    }

    /// Reads a piece about the range, if that seems worth it.
    private func load(_ range: Range<UInt64>) throws -> Bool {
        let goesBack = range.lowerBound < lastMiss
        let distance = goesBack ? lastMiss - range.lowerBound : range.lowerBound - lastMiss
        nearMisses = distance <= Self.ahead + Self.behind ? nearMisses + 1 : 0
        lastMiss = range.lowerBound
        guard nearMisses > Self.missesOfOneRecord else { return false }
        let (before, after) = goesBack ? (Self.ahead, Self.behind) : (Self.behind, Self.ahead)
        let lower = range.lowerBound - min(range.lowerBound, before)
        let upper = min(range.lowerBound + after, size)
        guard range.upperBound <= upper else { return false }
        window = []
        window = try image.withBytes(lower..<upper) { $0.copy(0..<$0.byteCount) }
        start = lower
        return true
    }
}
