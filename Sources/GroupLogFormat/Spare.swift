/// What an independent frame says twice, so that damage to any one place costs at most one record
/// (FORMAT.md, "Spare"): where its records begin, its payload head, and its header.
package struct Spare {
    /// Where each record begins, counted from the start of the frame.
    package var directory: [Int]
    package var head: PayloadHead
    /// The frame's header; its two checksums, which the spare does not repeat, are zero.
    package var header: FrameHeader
    /// Where the spare begins, counted from the start of the frame.
    package var start: Int

    package static let headerCopySize = 24
    package static let endSize = 8

    static func size(head: Int, records: Int) -> Int {
        2 * records + head + headerCopySize + endSize
    }

    static func encoded(
        directory: [UInt16], head: [UInt8], headerStart: [UInt8], frameOffset: UInt64, salt: UInt64
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        let size = size(head: head.count, records: directory.count)
        bytes.reserveCapacity(size)
        for start in directory { bytes.append(littleEndian: start) }
        bytes += head
        bytes += headerStart
        bytes.append(littleEndian: UInt32(size))
        bytes.append(
            littleEndian: Checksum.crc32c(
                unsafe bytes.span.bytes, continuing: Checksum.seed(salt: salt, offset: frameOffset))
        )
        return bytes
    }

    /// The spare of the frame of `length` bytes that begins at `start` of the bytes, if it
    /// verifies.
    package static func decode(
        _ bytes: RawSpan, at start: Int, length: Int, frameOffset: UInt64, salt: UInt64
    ) -> Spare? {
        let end = start + length - LogLayout.frameTrailerSize
        let room = length - LogLayout.frameHeaderSize - LogLayout.frameTrailerSize
        guard start >= 0, length <= LogLayout.maximumIndependentFrameLength,
            end <= bytes.byteCount, room >= size(head: LogLayout.payloadHeadBaseSize, records: 0)
        else { return nil }
        let size = Int(bytes.integer(at: end - endSize, as: UInt32.self))
        guard size >= self.size(head: LogLayout.payloadHeadBaseSize, records: 0), size <= room
        else { return nil }
        let seed = Checksum.seed(salt: salt, offset: frameOffset)
        guard
            bytes.integer(at: end - 4)
                == Checksum.crc32c(bytes.extracting(end - size..<end - 4), continuing: seed)
        else { return nil }
        return parse(
            bytes, in: end - size..<end, frameStart: start, frameOffset: frameOffset, salt: salt)
    }

    private static func parse(
        _ bytes: RawSpan, in range: Range<Int>, frameStart: Int, frameOffset: UInt64, salt: UInt64
    ) -> Spare? {
        let headerStart = range.upperBound - endSize - headerCopySize
        // Only the 24 copied bytes mean anything; what is read behind them is overwritten.
        guard var header = FrameHeader.unverified(bytes, at: headerStart) else { return nil }
        header.payloadChecksum = 0
        header.checksum = 0
        guard
            let head = head(
                bytes, in: range.lowerBound..<headerStart, frameOffset: frameOffset, salt: salt)
        else { return nil }
        let directory = (0..<head.recordCount).map {
            Int(bytes.integer(at: range.lowerBound + 2 * $0, as: UInt16.self))
        }
        let start = range.lowerBound - frameStart
        // The first record's place is where the head ends, so none can lie before that.
        guard zip(directory, directory.dropFirst() + [start]).allSatisfy({ $0 < $1 }) else {
            return nil
        }
        return Spare(directory: directory, head: head, header: header, start: start)
    }

    /// The head ends the range; its size stands inside it, so the number of records that fits is
    /// found from both: `range = 2 * recordCount + head`.
    private static func head(
        _ bytes: RawSpan, in range: Range<Int>, frameOffset: UInt64, salt: UInt64
    ) -> PayloadHead? {
        // The first two bytes of the directory are the first record's offset, and that is the end
        // of the frame's own head: so the head's size is known. Without records, the head is all.
        var size = range.count
        if range.count > LogLayout.payloadHeadBaseSize {
            let first = Int(bytes.integer(at: range.lowerBound, as: UInt16.self))
            let candidate = first - LogLayout.frameHeaderSize
            if candidate >= LogLayout.payloadHeadBaseSize, candidate < range.count,
                (range.count - candidate) % 2 == 0
            {
                size = candidate
            }
        }
        let headRange = range.upperBound - size..<range.upperBound
        do throws(FormatError) {
            let head = try PayloadHead.decode(
                bytes, in: headRange, frameOffset: frameOffset, salt: salt)
            return head.size == size && 2 * head.recordCount == range.count - size ? head : nil
        } catch {
            return nil
        }
    }
}
