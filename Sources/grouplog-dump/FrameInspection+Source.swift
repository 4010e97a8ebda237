import GroupLogFormat

extension FrameInspection {
    /// Takes apart what stands in a range of a log, taken as one frame. What is longer than a
    /// frame can be is looked at up to that length.
    init(_ range: Range<UInt64>, of source: LogSource) throws {
        let salt = try source.salt()
        let length = min(range.count, LogLayout.maximumFrameLength)
        self = try source.bytes.withBytes(range.lowerBound..<range.lowerBound + UInt64(length)) {
            FrameInspection($0, length: length, offset: range.lowerBound, salt: salt)
        }
    }
}
