import GroupLogFormat
import GroupLogSystem

/// A new log of a store, made of the records of an older one: frames flagged `compacted`, then the
/// mark (FORMAT.md, "Compaction").
///
/// It is written a MiB at a time, each of them synced: whoever appends to the old log meanwhile
/// does not find the disk busy with all of it at once, and little is left for the last sync, which
/// is done while writers wait.
struct CompactedLog {
    let file: any VolumeFile
    let header: LogHeader
    /// Behind the last frame that was written.
    private(set) var end: UInt64
    private(set) var recordCount = 0
    private var frames = BulkFrames(author: nil, flags: .compacted)
    /// At least that of each frame so far.
    private(set) var sequence: UInt64 = 0
    private var last: (offset: UInt64, header: FrameHeader)?

    private static let step = 1 << 20

    /// Begins a log in an empty file.
    init(_ file: any VolumeFile, header: LogHeader) throws(SystemError) {
        self.file = file
        self.header = header
        let preamble = header.encodedPreamble()
        try file.writeAll(preamble, at: 0)
        end = UInt64(preamble.count)
    }

    /// The number of the frame to which the next record goes, if it fits.
    var frameNumber: Int { frames.frameNumber }

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
        if frames.size >= Self.step { try flush(isSynced: true) }
    }

    /// Writes what was added and not written yet.
    mutating func flush(isSynced: Bool) throws {
        var bytes: [UInt8] = []
        for frame in frames.take() {
            let newest = frame.newestCopied
            sequence = max(sequence, newest?.sequence ?? 0)
            bytes += try seal(frame, time: newest?.time ?? 0, at: end + UInt64(bytes.count))
        }
        try write(bytes)
        if isSynced && !bytes.isEmpty { try file.synchronize(.barrier) }
    }

    /// Ends the copied part: writes what is left, the mark, and the slack, and syncs.
    mutating func finish(_ mark: MarkContent, time: Int64) throws -> LogTail {
        try flush(isSynced: false)
        var frame = FrameBuilder(author: nil, flags: [.compacted, .mark, .quiet])
        try frame.append(
            kind: .metadata, collection: nil, key: .mark,
            content: .init(bytes: mark.encoded(), isIndexed: false))
        sequence = max(sequence, mark.lastSequence)
        try write(try seal(frame, time: time, at: end))
        try file.writeZeros(end..<end + Slack.size(forLogOf: end))
        try file.synchronize(.barrier)
        guard let last else { preconditionFailure("the mark was just written") }
        return LogTail(end: end, last: last.header, lastOffset: last.offset)
    }

    private mutating func seal(
        _ frame: FrameBuilder, time: Int64, at offset: UInt64
    ) throws -> [UInt8] {
        let bytes = try frame.sealed(
            sequence: sequence, time: time, offset: offset, salt: header.salt)
        guard offset + UInt64(bytes.count) <= KeyTable.maximumOffset else {
            throw LogError.logTooLarge(path: VolumeName.newLog.text)
        }
        let header = try unsafe FrameHeader.decode(
            bytes.span.bytes, at: 0, logOffset: offset, salt: self.header.salt)
        last = (offset, header)
        return bytes
    }

    private mutating func write(_ bytes: [UInt8]) throws(SystemError) {
        try file.writeAll(bytes, at: end)
        end += UInt64(bytes.count)
    }
}
