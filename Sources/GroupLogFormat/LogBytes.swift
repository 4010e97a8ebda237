private import CGroupLog

/// The bytes of a log, wherever they are: mapped, read on demand, or in memory.
///
/// Everything that walks a log is written against this, so it runs on files, on fakes and on
/// plain arrays alike.
public protocol LogBytes {
    /// How many bytes exist.
    var size: UInt64 { get }

    /// Lends the bytes of a range inside `0..<size`; the caller has checked that it is inside.
    /// The range is at most as long as the longest frame.
    func withBytes<R>(_ range: Range<UInt64>, _ body: (RawSpan) throws -> R) throws -> R

    /// Drops copies of bytes that a writer may have changed since.
    func forget()
}

extension LogBytes {
    /// Nothing to drop: right for bytes that are read anew each time.
    public func forget() {}
}

/// A log's bytes in an array.
public struct LogBytesInMemory: LogBytes, Sendable {
    /// The log, whole or cut.
    public var bytes: [UInt8]
    /// Takes the bytes of a log.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }
    /// How many bytes there are.
    public var size: UInt64 { UInt64(bytes.count) }
    /// Lends a range of the bytes.
    public func withBytes<R>(
        _ range: Range<UInt64>, _ body: (RawSpan) throws -> R
    ) throws -> R {
        let part = Int(range.lowerBound)..<Int(range.upperBound)
        return try body(unsafe bytes.span.bytes.extracting(part))
    }
}

extension LogBytes {
    /// The offset behind the last byte that is not zero, at least `floor`.
    package func endOfContent(floor: UInt64) throws -> UInt64 {
        let window: UInt64 = 64 << 10
        var end = size
        while end > floor {
            let start = end - min(window, end - floor)
            let zeros = try withBytes(start..<end) { UInt64($0.trailingZeroCount) }
            if zeros < end - start { return end - zeros }
            end = start
        }
        return floor
    }

    /// The verified header of the frame at an offset; nil where none begins there.
    package func frameHeader(at offset: UInt64, salt: UInt64) throws -> FrameHeader? {
        guard offset <= size, size - offset >= UInt64(LogLayout.frameHeaderSize) else { return nil }
        return try withBytes(offset..<offset + UInt64(LogLayout.frameHeaderSize)) { bytes in
            guard let header = FrameHeader.unverified(bytes, at: 0),
                header.checksum == FrameHeader.seal(bytes, at: 0, logOffset: offset, salt: salt)
            else { return nil }
            return header
        }
    }

    /// The eight bytes before an offset, read as a trailer.
    func trailer(endingAt end: UInt64) throws -> FrameTrailer? {
        let size = UInt64(LogLayout.frameTrailerSize)
        guard end >= size, end <= self.size else { return nil }
        return try withBytes(end - size..<end) { FrameTrailer($0, endingAt: $0.byteCount) }
    }

    /// The frame that ends at an offset, proven by both its ends: 40 bytes are read.
    package func provenFrame(
        endingAt end: UInt64, salt: UInt64
    ) throws -> (offset: UInt64, header: FrameHeader)? {
        guard let trailer = try trailer(endingAt: end),
            end >= LogLayout.firstFrameOffset + UInt64(trailer.length)
        else { return nil }
        let start = end - UInt64(trailer.length)
        guard let header = try frameHeader(at: start, salt: salt),
            FrameTrailer(header) == trailer
        else { return nil }
        return (start, header)
    }

    /// The frame that begins at an offset, if both its ends prove it.
    package func provenFrame(at offset: UInt64, salt: UInt64) throws -> FrameHeader? {
        guard let header = try frameHeader(at: offset, salt: salt),
            UInt64(header.length) <= size - offset,
            try trailer(endingAt: offset + UInt64(header.length)) == FrameTrailer(header)
        else { return nil }
        return header
    }
}

extension LogBytes {
    /// The header of a frame that ends before `end` and was written whole, though its trailer does
    /// not prove it: its payload does. Only of use where `end` has something behind the frame:
    /// then no writer is still at work on it.
    func writtenFrame(
        at offset: UInt64, before end: UInt64, salt: UInt64
    ) throws -> FrameHeader? {
        guard let header = try frameHeader(at: offset, salt: salt), offset < end,
            UInt64(header.length) < min(end, size) - offset
        else { return nil }
        let payload = offset + UInt64(LogLayout.frameHeaderSize)
        let trailer = offset + UInt64(header.length) - UInt64(LogLayout.frameTrailerSize)
        let checksum = try withBytes(payload..<trailer) {
            Checksum.crc32c($0, continuing: Checksum.seed(salt: salt, offset: offset))
        }
        return checksum == header.payloadChecksum ? header : nil
    }

    /// The independent frame that a range may be, served by its spare.
    func rescuedFrame(at range: Range<UInt64>, salt: UInt64) throws -> FrameContent? {
        guard range.count <= LogLayout.maximumIndependentFrameLength else { return nil }
        return try withBytes(range) { bytes in
            FrameContent.rescue(
                bytes, length: range.count, offset: range.lowerBound, salt: salt)
        }
    }
}

extension RawSpan {
    /// The length of the run of zeros at the end.
    package var trailingZeroCount: Int {
        unsafe withUnsafeBytes { unsafe grouplog_trailing_zeros($0.baseAddress, $0.count) }
    }
}
