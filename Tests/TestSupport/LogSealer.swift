import GroupLogFormat

/// Gives a log that was changed good checksums again, so that tests reach what lies behind them.
///
/// It goes by the lengths and counts that stand in the bytes, as far as they lead to anything, and
/// takes the checksums from the format's own functions.
package struct LogSealer {
    /// Which checksums are made good.
    package struct Parts: OptionSet, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Those of payload heads, records and spares.
        package static let inside = Parts(rawValue: 1)
        /// Those of payloads.
        package static let payload = Parts(rawValue: 2)
        /// Those of frame headers, with the trailers that repeat them.
        package static let ends = Parts(rawValue: 4)
    }

    private let salt: UInt64
    private let parts: Parts

    package init(salt: UInt64, _ parts: Parts) {
        self.salt = salt
        self.parts = parts
    }

    /// Seals each frame of a log that a marker and a length lead to.
    package func seal(_ log: inout [UInt8]) {
        var start = Int(LogLayout.firstFrameOffset)
        while log.count - start >= LogLayout.frameHeaderSize {
            let header = unsafe FrameHeader.unverified(log.span.bytes, at: start)
            if let header, Int(header.length) <= log.count - start {
                let end = start + Int(header.length)
                seal(&log, frame: start..<end, logOffset: UInt64(start))
                start = end
            } else {
                start += LogLayout.alignment
            }
        }
    }

    /// Seals the frame that a range of the bytes is taken for; in the log it stands at `logOffset`.
    package func seal(_ bytes: inout [UInt8], frame: Range<Int>, logOffset: UInt64) {
        guard frame.count >= LogLayout.minimumFrameLength else { return }
        let payload =
            frame.lowerBound + LogLayout.frameHeaderSize..<frame.upperBound
            - LogLayout.frameTrailerSize
        if parts.contains(.inside) {
            sealInside(&bytes, payload, frameOffset: logOffset)
        }
        if parts.contains(.payload) {
            let checksum = crc32c(bytes, payload, frameOffset: logOffset)
            bytes.put(littleEndian: checksum, at: frame.lowerBound + 24)
        }
        if parts.contains(.ends) {
            let start = frame.lowerBound
            let checksum = crc32c(bytes, start..<start + 28, frameOffset: logOffset)
            bytes.put(littleEndian: checksum, at: start + 28)
            let length: UInt32 = unsafe bytes.span.bytes.integer(at: start + 4)
            bytes.put(littleEndian: checksum, at: payload.upperBound)
            bytes.put(littleEndian: length / 8 | 0xE700_0000, at: payload.upperBound + 4)
        }
    }

    private func sealInside(_ bytes: inout [UInt8], _ payload: Range<Int>, frameOffset: UInt64) {
        let end = payload.upperBound
        let head = Int(unsafe bytes.span.bytes.integer(at: payload.lowerBound + 8, as: UInt32.self))
        if head >= LogLayout.payloadHeadBaseSize, head <= payload.count {
            let range = payload.lowerBound..<payload.lowerBound + head - 4
            let checksum = crc32c(bytes, range, frameOffset: frameOffset)
            bytes.put(littleEndian: checksum, at: range.upperBound)
        }
        let frame = payload.lowerBound - LogLayout.frameHeaderSize
        var start = payload.lowerBound + head
        while start < end,
            let record = unsafe RecordHeader.decode(bytes.span.bytes, in: start..<end)
        {
            let checksum = RecordHeader.checksum(
                unsafe bytes.span.bytes, of: record.range,
                logOffset: frameOffset + UInt64(start - frame), salt: salt)
            bytes.put(littleEndian: checksum, at: start + 16)
            start = record.range.upperBound
        }
        let spare = Int(unsafe bytes.span.bytes.integer(at: end - 8, as: UInt32.self))
        if spare >= Spare.headerCopySize + Spare.endSize, spare <= payload.count {
            let checksum = crc32c(bytes, end - spare..<end - 4, frameOffset: frameOffset)
            bytes.put(littleEndian: checksum, at: end - 4)
        }
    }

    private func crc32c(_ bytes: [UInt8], _ range: Range<Int>, frameOffset: UInt64) -> UInt32 {
        Checksum.crc32c(
            unsafe bytes.span.bytes.extracting(range),
            continuing: Checksum.seed(salt: salt, offset: frameOffset))
    }
}
