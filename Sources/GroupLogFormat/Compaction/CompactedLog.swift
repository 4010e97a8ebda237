/// Builds a log of the records of another one: frames flagged `compacted`, then the mark (FORMAT.md,
/// "Compaction").
///
/// Pure: the bytes are taken from it piece by piece, in their order, and written by whoever made it.
package struct CompactedLog {
    package let header: LogHeader
    package private(set) var recordCount = 0
    /// Where the bytes that were not taken yet begin.
    private var start: UInt64 = 0
    /// Bytes that are final and were not taken yet.
    private var bytes: [UInt8]
    private var frames = BulkFrames(author: nil, flags: .compacted)
    /// At least that of each frame so far.
    private(set) var sequence: UInt64 = 0

    /// Begins with the header, both copies of it.
    package init(header: LogHeader) {
        self.header = header
        bytes = header.encodedPreamble()
    }

    /// About how many bytes wait to be taken.
    package var size: Int { bytes.count + frames.size }

    /// Behind the last byte that was made.
    private var end: UInt64 { start + UInt64(bytes.count) }

    /// Takes what was made since the last time, whole frames of it.
    ///
    /// - Throws: `FormatError` for what does not fit into a frame.
    package mutating func take() throws(FormatError) -> [UInt8] {
        try seal()
        start = end
        defer { bytes = [] }
        return bytes
    }

    /// Adds a record. `make` is called as `BulkFrames` does it, with the frame's number.
    mutating func add(
        _ kind: RecordKind, _ key: RecordKey, in collection: String?,
        make: (inout FrameBuilder, Int) throws -> (FrameBuilder.Content, FrameBuilder.Origin)
    ) throws {
        var number = frames.frameNumber
        try frames.add(key, in: collection, kind: kind) { builder in
            defer { number += 1 }
            return try make(&builder, number)
        }
        recordCount += 1
    }

    /// Ends the log with the mark. Gives the log's end; the bytes have still to be taken.
    mutating func finish(_ mark: MarkContent, time: Int64) throws(FormatError) -> LogTail {
        try seal()
        var frame = FrameBuilder(author: nil, flags: [.compacted, .mark, .quiet])
        try frame.append(
            kind: .metadata, collection: nil, key: .mark,
            content: .init(bytes: mark.encoded(), isIndexed: false))
        sequence = max(sequence, mark.lastSequence)
        let offset = end
        try append(frame, time: time)
        let last = try unsafe FrameHeader.decode(
            bytes.span.bytes, at: Int(offset - start), logOffset: offset, salt: header.salt)
        return LogTail(end: end, last: last, lastOffset: offset)
    }

    private mutating func seal() throws(FormatError) {
        for frame in frames.take() {
            let newest = frame.newestCopied
            sequence = max(sequence, newest?.sequence ?? 0)
            try append(frame, time: newest?.time ?? 0)
        }
    }

    private mutating func append(_ frame: FrameBuilder, time: Int64) throws(FormatError) {
        bytes += try frame.sealed(sequence: sequence, time: time, offset: end, salt: header.salt)
    }
}
