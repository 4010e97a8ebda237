import GroupLogFile
import GroupLogFormat
import GroupLogSystem

/// A writer that comes to a log in any state: after it, all that a reader was served before is
/// there, and what the writer appended is there too.
enum RecoveryTarget {
    static func run(_ input: [UInt8]) throws {
        let log = FuzzedLog(input)
        let volume = MemoryVolume()
        let file = try volume.open(.log, .readWrite, .exclusive)
        try file.writeAll(log.bytes, at: 0)
        let before = try served(file)
        try readAll(volume)

        let options = LogWriter.Options(mayCreate: false, purpose: "fuzzing", timeoutSeconds: 5)
        let tail = try LogWriter(volume, options).withLock { $0.tail }.result
        require(try isPrefix(before, of: served(file)), "mending takes nothing away")
        try checkEnd(tail, volume)
        guard tail.nextSequence <= LogLayout.maximumSequence else { return }

        // Another writer, which finds the end anew.
        var frame = FrameBuilder(author: nil, flags: [], leadingNames: ["items"])
        try frame.append(
            kind: .put, collection: "items", key: RecordKey(integer: 1),
            content: .init(bytes: [0xF5], isIndexed: false))
        let commit = try LogWriter(volume, options).withLock { try $0.append([frame]) }.commit
        require(commit?.frames.first?.offset == tail.end, "the next frame goes to the end")
        let after = try served(file)
        require(isPrefix(before, of: after), "appending takes nothing away")
        require(
            after.last?.offset ?? 0 > tail.end && after.last?.sequence == tail.nextSequence,
            "what was appended is served, as the last")
        try readAll(volume)
    }

    private struct Served: Equatable {
        var offset: UInt64
        var sequence: UInt64
        var bytes: [UInt8]
    }

    /// All records that a reader of the log is served.
    private static func served(_ file: any VolumeFile) throws -> [Served] {
        let bytes = try file.read(0..<file.status().size)
        let source = LogBytesInMemory(bytes)
        var walker = LogWalker(source, salt: FuzzedLog.salt)
        var result: [Served] = []
        while true {
            switch try walker.next() {
            case .frame(let content):
                for record in content.records {
                    let start = content.offset + UInt64(record.range.lowerBound)
                    let end = start + UInt64(record.range.count)
                    result.append(
                        Served(
                            offset: start, sequence: content.header.sequence,
                            bytes: Array(bytes[Int(start)..<Int(end)])))
                }
            case .damage: continue
            case .unfinished, .end: return result
            }
        }
    }

    /// Whether all of the first is in the second, in order. What was unfinished may be damage once
    /// there is something behind it, and then some of it is served.
    private static func isPrefix(_ first: [Served], of second: [Served]) -> Bool {
        second.starts(with: first)
    }

    /// A reader comes to the end where the writer goes on. Of sequences nothing can be said: the input
    /// may be frames of several logs.
    private static func checkEnd(_ tail: LogTail, _ volume: MemoryVolume) throws {
        let reader = try LogReader(volume, mapping: .never)
        let end = reader.receipt.unfinished?.upperBound ?? reader.end
        require((end + 7) / 8 * 8 == tail.end, "readers and writers come to the same end")
        require(
            reader.receipt.unfinished == nil || tail.damaged != nil,
            "what was torn is out of the way")
    }

    /// Every record that is found is read by its offset alone, or refused with an error: in a forged
    /// frame the payload's checksum may fit and a record's own may not.
    private static func readAll(_ volume: MemoryVolume) throws {
        let reader = try LogReader(volume, mapping: .never)
        var contexts = FrameContexts()
        contexts.rescued = reader.index.rescuedFrames
        for collection in reader.index.collections.values {
            for table in [collection.values, collection.syncStates] {
                try table.forEachLiveOffset { offset in
                    do {
                        _ = try reader.image.storedRecord(
                            at: offset, salt: FuzzedLog.salt, contexts: &contexts)
                    } catch let error as FormatError where error.kind == .badChecksum {}
                }
            }
        }
    }
}
