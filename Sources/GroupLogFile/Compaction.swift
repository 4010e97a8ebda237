package import GroupLogFormat
import GroupLogSystem

/// Replaces a log by one that has only what is still needed (FORMAT.md, "Compaction").
///
/// Most of it is done without any lock: the log is copied as it was at the beginning, then what was
/// appended meanwhile, until little is left. Only that rest is copied with the lock held, and then
/// the new log takes the old one's name. A crash at any moment leaves the old log or the new one,
/// each whole. Whoever reads the old one goes on with it.
package struct Compaction {
    /// What a compaction has done.
    package struct Outcome: Sendable {
        /// Of the new log.
        package var header: LogHeader
        package var sizeBefore: UInt64
        package var sizeAfter: UInt64
        package var recordCount: Int
    }

    /// How it is to be done.
    package struct Options: Sendable {
        /// Whether what damage has cost may be made final.
        package var discardsDamage: Bool
        package var isCancelled: @Sendable () -> Bool
        /// So many tombstones are kept in any case.
        package var tombstoneCount = 100_000

        package init(
            discardsDamage: Bool = false, isCancelled: @escaping @Sendable () -> Bool = { false }
        ) {
            self.discardsDamage = discardsDamage
            self.isCancelled = isCancelled
        }
    }

    /// Told how many bytes of the old log are done, and of how many, about once a MiB.
    package typealias Progress = (UInt64, UInt64) -> Void

    /// With at most so many bytes left to copy the lock is taken.
    private static let lastBytes: UInt64 = 256 << 10
    private static let progressStep: UInt64 = 1 << 20

    /// So many bytes are written and synced at a time: whoever appends to the old log meanwhile does
    /// not find the disk busy with all of them at once, and little is left for the last sync, for
    /// which writers wait.
    private static let writeStep = 1 << 20

    private let writer: LogWriter
    private let options: Options
    private var reader: LogReader
    private var survivors: Survivors
    private var copy: LogCopy
    /// How far the old log was carried over.
    private var position = LogLayout.firstFrameOffset
    private var lastSequence: UInt64?
    private let file: any VolumeFile
    /// Behind the last byte that was written to the new log.
    private var end: UInt64 = 0
    private var told: UInt64 = 0

    /// Compacts the log of a store.
    ///
    /// - Parameter reader: the log as it is now; its table of offsets says what is still needed.
    /// - Throws: `LogError.superseded` where another log took this one's place meanwhile, or
    ///   somebody else began to compact it; `LogError.damaged`. Then the log is as it was.
    package static func run(
        _ writer: LogWriter, _ reader: LogReader, _ options: Options, _ wait: LogWriter.Wait,
        progress: Progress = { _, _ in }
    ) throws -> Outcome {
        try checkDamage(reader, options, writer.path)
        guard reader.header.generation < LogLayout.maximumSequence else {
            throw FormatError(.tooLarge, "the log cannot be compacted any more", offset: 32)
        }
        let file = try writer.withOpenFiles(wait) { files in
            guard files.log?.header == reader.header else {
                throw LogError.superseded(path: writer.path)
            }
            return try OpenFiles.beginReplacement(writer.volume)
        }
        do {
            var compaction = try Compaction(writer, reader, options, file)
            return try compaction.run(wait, progress)
        } catch {
            remove(file, of: writer)
            throw error
        }
    }

    private init(
        _ writer: LogWriter, _ reader: LogReader, _ options: Options, _ file: any VolumeFile
    ) throws {
        self.writer = writer
        self.reader = reader
        self.options = options
        self.file = file
        let header = LogHeader(
            storeID: reader.header.storeID, generation: reader.header.generation + 1,
            salt: .random(in: .min ... .max))
        survivors = try Survivors(of: reader, tombstones: options.tombstoneCount)
        copy = LogCopy(
            ofLogWith: reader.header.salt, to: CompactedLog(header: header),
            forgottenSequence: survivors.forgottenSequence)
    }

    private mutating func run(_ wait: LogWriter.Wait, _ progress: Progress) throws -> Outcome {
        try copyNewest(progress)
        while reader.end - position > Self.lastBytes {
            try advance(to: reader.end, progress) { _ in false }
            try refresh()
        }
        var sizeBefore: UInt64 = 0
        try writer.replaceLog(wait) { log in
            sizeBefore = log.tail.end
            let tail = try finish(&log)
            return .init(file: file, header: copy.target.header, tail: tail)
        }
        return Outcome(
            header: copy.target.header, sizeBefore: sizeBefore, sizeAfter: end,
            recordCount: copy.target.recordCount)
    }

    /// Copies the newest record of each key, as the log was at the beginning.
    private mutating func copyNewest(_ progress: Progress) throws {
        var survivors = survivors
        let (index, image) = (reader.index, reader.image)
        try advance(to: reader.end, progress) { record in
            guard survivors.keeps(record.kind, at: record.offset) else { return true }
            guard record.kind == .syncState, let collection = record.collection else {
                return false
            }
            return try !survivors.keepsSyncState(
                of: index.find(record.key, in: collection, log: image))
        }
        try refresh()
    }

    /// Copies what is left with the lock held.
    private mutating func finish(_ log: inout LockedLog) throws -> LogTail {
        try refresh()
        guard reader.header == log.header, reader.end == log.tail.end else {
            throw LogError.superseded(path: writer.path)
        }
        // All of it: what is newest now was perhaps copied before in an older version.
        try advance(to: reader.end, { _, _ in }) { _ in false }
        guard position == reader.end else {
            throw LogError.superseded(path: writer.path)
        }
        let tail = try copy.finish(
            lastSequence: log.nextSequence - 1, time: log.tail.last?.time ?? 0)
        try write()
        try file.writeZeros(end..<end + Slack.size(forLogOf: end))
        try file.synchronize(.barrier)
        return tail
    }

    private mutating func refresh() throws {
        guard try reader.refresh() != .replaced else {
            throw LogError.superseded(path: writer.path)
        }
        try Self.checkDamage(reader, options, writer.path)
    }

    private static func checkDamage(
        _ reader: LogReader, _ options: Options, _ path: String
    ) throws(LogError) {
        guard !options.discardsDamage, !reader.receipt.entries.isEmpty else { return }
        throw .damaged(reader.receipt, path: path)
    }

    /// Carries over the frames up to an offset at which one ends.
    private mutating func advance(
        to end: UInt64, _ progress: Progress, leavingOut isLeftOut: (CopiedRecord) throws -> Bool
    ) throws {
        var walker = LogWalker(
            BufferedLogBytes(reader.image), salt: reader.header.salt, from: position,
            lastSequence: lastSequence)
        walk: while walker.position < end {
            switch try walker.next() {
            case .frame(let content):
                try walker.source.withBytes(content.offset..<content.end) {
                    try copy.add(content, $0, leavingOut: isLeftOut)
                }
            case .damage: copy.noteDamage()
            case .unfinished, .end: break walk
            }
            if options.isCancelled() { throw LogError.cancelled }
            if copy.target.size >= Self.writeStep {
                try write()
                try file.synchronize(.barrier)
            }
            try tell(walker.position, of: end, progress)
        }
        position = walker.position
        lastSequence = walker.lastSequence
    }

    private mutating func write() throws {
        let bytes = try copy.target.take()
        guard end + UInt64(bytes.count) <= KeyTable.maximumOffset else {
            throw LogError.logTooLarge(path: VolumeName.newLog.text)
        }
        try file.writeAll(bytes, at: end)
        end += UInt64(bytes.count)
    }

    /// Tells how far it has come, and gives up where somebody else has begun to do the same.
    private mutating func tell(
        _ position: UInt64, of end: UInt64, _ progress: Progress
    ) throws {
        guard position >= told + Self.progressStep else { return }
        told = position
        progress(position, max(end, position))
        guard try OpenFiles.isReplacement(file, named: writer.volume) else {
            throw LogError.superseded(path: writer.path)
        }
    }

    /// Removes what was written, unless somebody else's file has the name by now. The lock is taken
    /// for that, so where it cannot be had the next compaction removes it.
    private static func remove(_ file: any VolumeFile, of writer: LogWriter) {
        let wait = LogWriter.Wait(deadline: Deadline(secondsFromNow: 1))
        do {
            try writer.withOpenFiles(wait) { _ in
                if try OpenFiles.isReplacement(file, named: writer.volume) {
                    try writer.volume.remove(.newLog)
                }
            }
        } catch {}
    }
}
