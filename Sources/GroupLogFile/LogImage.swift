import GroupLogFormat
package import GroupLogSystem

/// The bytes of one log file up to a size that a stat has shown: immutable, since a log only grows
/// behind its end. Whoever holds one can read it for ever, also when the log has been compacted.
package struct LogImage: LogBytes, Sendable {
    let file: any VolumeFile
    /// nil where the file is read instead of mapped.
    let region: MappedRegion?
    package let size: UInt64

    /// The bytes of the same file as it is now, also when it has lost its name.
    package func grown() throws(SystemError) -> LogImage {
        LogImage(file: file, region: region, size: max(size, try file.status().size))
    }

    /// Whether any place is reached without asking the system.
    package var isMapped: Bool { region != nil }

    package func withBytes<R>(
        _ range: Range<UInt64>, _ body: (RawSpan) throws -> R
    ) throws -> R {
        guard range.upperBound <= size else {
            throw FormatError(.truncated, "the log ends before this", offset: range.lowerBound)
        }
        if let region, range.upperBound <= UInt64(region.length) {
            return try region.withBytes(Int(range.lowerBound)..<Int(range.upperBound), body)
        }
        let bytes = try file.read(range)
        guard bytes.count == range.count else {
            throw FormatError(
                .truncated, "the log was cut short while it was read", offset: range.lowerBound)
        }
        return try body(unsafe bytes.span.bytes)
    }
}

/// Reads a log from front to back in large pieces, for a walk over a file that is not mapped. A look
/// back, at a key that came before, reads what it needs and leaves the piece as it is.
package final class BufferedLogBytes: LogBytes {
    private let image: LogImage
    private var window: [UInt8] = []
    private var start: UInt64 = 0

    private static let windowSize: UInt64 = 256 << 10

    package init(_ image: LogImage) { self.image = image }

    package var size: UInt64 { image.size }

    package func withBytes<R>(
        _ range: Range<UInt64>, _ body: (RawSpan) throws -> R
    ) throws -> R {
        guard UInt64(range.count) <= Self.windowSize, range.lowerBound >= start else {
            return try image.withBytes(range, body)
        }
        if range.upperBound > start + UInt64(window.count) {
            start = range.lowerBound
            window = []
            let end = min(range.lowerBound + Self.windowSize, size)
            window = try image.withBytes(start..<end) { $0.copy(0..<$0.byteCount) }
        }
        let part = Int(range.lowerBound - start)..<Int(range.upperBound - start)
        let window = window
        return try body(unsafe window.span.bytes.extracting(part))
    }

    package func forget() {
        window = []
        start = 0
    }
}
