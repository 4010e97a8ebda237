import GroupLogFormat
import GroupLogSystem
import ToolSupport

/// A log's bytes, read from the file as they are asked for.
///
/// Read and not mapped: a mapping kills its process where somebody cuts the file short, and this
/// tool is used on files that something is wrong with. The size is the one that the file had when
/// it was opened, so a log that grows meanwhile is looked at as it was.
final class FileBytes: LogBytes {
    let size: UInt64
    private let file: FileDescriptor
    private var window: [UInt8] = []
    private var start: UInt64 = 0

    private static let windowSize: UInt64 = 1 << 20

    init(_ file: consuming FileDescriptor) throws {
        size = try file.status().size
        self.file = file
    }

    func withBytes<R>(_ range: Range<UInt64>, _ body: (RawSpan) throws -> R) throws -> R {
        if range.lowerBound < start || range.upperBound > start + UInt64(window.count) {
            try load(range)
        }
        // The body may ask for other bytes, so it gets an array that stays.
        let window = window
        let first = Int(range.lowerBound - start)
        return try body(unsafe window.span.bytes.extracting(first..<first + range.count))
    }

    /// Reads the range and what lies beside it in the direction in which the reading goes.
    private func load(_ range: Range<UInt64>) throws {
        let length = max(UInt64(range.count), min(Self.windowSize, size))
        let goesBack = range.upperBound <= start
        let lower = goesBack ? range.upperBound - min(range.upperBound, length) : range.lowerBound
        let upper = lower + min(length, size - lower)
        window = []
        var buffer = [UInt8](repeating: 0, count: Int(upper - lower))
        guard try file.read(into: &buffer, at: lower) == buffer.count else {
            throw ToolError(.io, "'\(file.path)' became shorter while it was read")
        }
        window = buffer
        start = lower
    }

    func forget() { window = [] }
}
