import Testing

@testable import GroupLogFormat

/// A log read through a copy that was made while its last frame was being written: both ends of
/// the frame are in the copy, zeros between them.
private final class StaleCopy: LogBytes {
    private var bytes: LogBytesInMemory
    private let whole: LogBytesInMemory

    init(_ whole: [UInt8], missing range: Range<Int>) {
        self.whole = LogBytesInMemory(whole)
        bytes = LogBytesInMemory(whole)
        bytes.bytes.replaceSubrange(range, with: repeatElement(0, count: range.count))
    }

    var size: UInt64 { bytes.size }

    func withBytes<R>(_ range: Range<UInt64>, _ body: (RawSpan) throws -> R) throws -> R {
        try bytes.withBytes(range, body)
    }

    func forget() { bytes = whole }
}

@Suite struct StaleCopyTests {
    @Test(
        "a frame that was copied while it was written is read again before it is called damaged",
        arguments: [FrameFlags(), .independent])
    func readAgain(_ flags: FrameFlags) throws {
        var log = SampleLog()
        try log.append(["a"])
        try log.append(["b", "c"], flags: flags)
        let start = Int(log.frameOffsets[1])
        let header = try unsafe LogHeader.decode(log.bytes.span.bytes)
        let copy = StaleCopy(log.bytes, missing: start + 48..<log.bytes.count - 8)
        var walker = LogWalker(copy, salt: header.salt)
        var counts: [Int] = []
        while case .frame(let content) = try walker.next() {
            #expect(content.damage.isEmpty)
            counts.append(content.records.count)
        }
        #expect(counts == [1, 2])
    }
}
