package import GroupLogFormat
import GroupLogSystem

/// One log open for reading: its bytes, the offset cache, and how far both have come.
///
/// Takes no lock and changes no byte. `refresh` compares a stat and looks behind the end that it
/// knows; the proof that it still reads the same log is in the file: the header, and the last frame
/// at its place. Whatever does not fit means taking the log up anew.
package struct LogReader {
    /// What a refresh found.
    package enum Outcome: Hashable, Sendable {
        case unchanged
        case grown
        /// Another log stands at the path, or the bytes are others: all was read anew.
        case replaced
    }

    /// How the bytes of the log are reached.
    package enum Mapping: Hashable, Sendable {
        /// Mapped: fast, and safe as long as nobody truncates the log in place.
        case whenPossible
        /// Read with pread(2): nothing that others do to the file can stop the process.
        case never
    }

    private let volume: any StoreVolume
    private let mapping: Mapping
    private var open: OpenLog

    /// A log that is open, and what is known of it.
    private struct OpenLog {
        var header: LogHeader
        var image: LogImage
        var status: FileStatus
        /// Behind the last frame that was taken up.
        var end = LogLayout.firstFrameOffset
        var last: (offset: UInt64, header: FrameHeader)?
        var index = LogIndex()
        var receipt = LogReceipt()
    }

    /// Opens the log of a store and reads it whole.
    package init(_ volume: any StoreVolume, mapping: Mapping) throws {
        self.volume = volume
        self.mapping = mapping
        open = try Self.open(volume, mapping)
    }

    package var header: LogHeader { open.header }
    package var image: LogImage { open.image }
    package var index: LogIndex { open.index }
    package var receipt: LogReceipt { open.receipt }
    /// Behind the last frame that is known.
    package var end: UInt64 { open.end }
    /// The last frame that is known.
    package var last: (offset: UInt64, header: FrameHeader)? { open.last }
    /// The sequence of the last commit that is known; 0 before the first.
    package var sequence: UInt64 { open.last?.header.sequence ?? 0 }

    /// Drops all that is known, and reads the log from the disk.
    package mutating func reload() throws { open = try Self.open(volume, mapping) }

    /// The log as it was right after a commit, which is not earlier than the log's mark. Reads the
    /// log up to there.
    package func state(at sequence: UInt64) throws -> LogReader {
        var earlier = self
        earlier.open = OpenLog(header: open.header, image: open.image, status: open.status)
        earlier.open.receipt = open.receipt.ofHeaders
        try Self.takeUp(
            &earlier.open, isMapped: open.image.isMapped, stopsAtZeros: false, upTo: sequence)
        return earlier
    }

    /// Takes up what came since. Costs one stat and a look at 100 bytes where nothing did.
    package mutating func refresh() throws -> Outcome {
        let status = try volume.statusOfLog()
        guard status.isSameFile(as: open.status), status.size >= open.image.size,
            try isSameLog()
        else {
            open = try Self.open(volume, mapping)
            return .replaced
        }
        if status.size != open.image.size { try grow(to: status) }
        let isChanged = status != open.status
        open.status = status
        // What stood unfinished behind the zeros, or in their place, may have been mended since.
        let wasUnfinished = isChanged && open.receipt.unfinished != nil
        if try isAtEnd() && !wasUnfinished { return .unchanged }
        let before = open.end
        do {
            try Self.takeUp(
                &open, isMapped: open.image.region != nil, stopsAtZeros: !wasUnfinished)
        } catch let error as FormatError where error.kind == .truncated {
            // The file was cut while it was read.
            open = try Self.open(volume, mapping)
            return .replaced
        }
        return open.end == before ? .unchanged : .grown
    }

    /// Whether the bytes are still those that were taken up: the header, and the last frame.
    private func isSameLog() throws -> Bool {
        let image = open.image
        let size = UInt64(LogLayout.headerSize)
        let header = open.header
        let isHeader = try image.withBytes(0..<size) { bytes in
            bytes.integer(at: 40, as: UInt64.self) == header.salt
                && bytes.integer(at: 32, as: UInt64.self) == header.generation
        }
        guard isHeader || open.receipt.entries.contains(where: \.isFirstHeader) else {
            return false
        }
        guard let last = open.last, open.index.rescuedFrames[last.offset] == nil else {
            return true
        }
        return try image.frameHeader(at: last.offset, salt: header.salt) == last.header
    }

    private func isAtEnd() throws -> Bool {
        guard open.image.size >= open.end + 8 else { return open.image.size <= open.end }
        return try open.image.withBytes(open.end..<open.end + 8) { $0.isZero(0..<8) }
    }

    private mutating func grow(to status: FileStatus) throws {
        let region = open.image.region
        let fits = region.map { UInt64($0.length) >= status.size } ?? true
        open.image = LogImage(
            file: open.image.file,
            region: fits ? region : Self.region(open.image.file, size: status.size),
            size: status.size)
    }

    private static func region(_ file: any VolumeFile, size: UInt64) -> MappedRegion? {
        // Address space costs nothing but itself; so much room lets a log grow for long without a
        // new mapping. What cannot be mapped, be it for a limit on address space, is read.
        let room = max(size / 2, 64 << 20)
        guard let length = Int(exactly: size + room) else { return nil }
        return try? file.map(length: length)
    }

    private static func open(
        _ volume: any StoreVolume, _ mapping: Mapping
    ) throws -> OpenLog {
        let file = try volume.openLog(.read)
        let status = try file.status()
        let region = mapping == .never ? nil : region(file, size: status.size)
        let image = LogImage(file: file, region: region, size: status.size)
        let copies = try volume.headerCopies(of: file)
        var log = OpenLog(header: copies.header, image: image, status: status)
        for (fault, offset) in [
            (copies.firstFault, 0), (copies.secondFault, LogLayout.secondHeaderOffset),
        ] where fault != nil {
            let range = offset..<offset + UInt64(LogLayout.headerSize)
            log.receipt.note(Damage(range: range, cause: .badLogHeader, lostRecords: 0))
        }
        try takeUp(&log, isMapped: region != nil, stopsAtZeros: false)
        return log
    }

    /// Walks on from where the log is known, and takes up each frame.
    private static func takeUp(
        _ log: inout OpenLog, isMapped: Bool, stopsAtZeros: Bool, upTo sequence: UInt64 = .max
    ) throws {
        guard log.image.size <= KeyTable.maximumOffset else {
            throw LogError.logTooLarge(path: VolumeName.log.text)
        }
        if isMapped {
            try takeUp(&log, from: log.image, stopsAtZeros: stopsAtZeros, upTo: sequence)
        } else {
            try takeUp(
                &log, from: BufferedLogBytes(log.image), stopsAtZeros: stopsAtZeros,
                upTo: sequence)
        }
    }

    private static func takeUp(
        _ log: inout OpenLog, from source: some LogBytes, stopsAtZeros: Bool,
        upTo sequence: UInt64
    ) throws {
        let salt = log.header.salt
        var walker = LogWalker(
            source, salt: salt, from: log.end, lastSequence: log.last?.header.sequence,
            stopsAtZeros: stopsAtZeros)
        walker.knownNames = log.index.knownNames
        defer { log.index.knownNames = walker.knownNames }
        log.receipt.unfinished = nil
        while true {
            switch try walker.next() {
            case .frame(let content):
                let isCopied = content.header.flags.contains(.compacted)
                if !isCopied && content.header.sequence > sequence { return }
                let unserved = try source.withBytes(content.offset..<content.end) { bytes in
                    try log.index.apply(content, bytes, log: source)
                }
                // Counted first: a frame does not lie behind its own damage.
                log.receipt.frameCount += 1
                for damage in content.damage { log.receipt.note(damage) }
                for damage in unserved { log.receipt.note(damage) }
                log.last = (content.offset, content.header)
                log.end = content.end
            case .damage(let damage):
                log.receipt.note(damage)
                log.end = walker.position
            case .unfinished(let range):
                log.receipt.unfinished = range
                return
            case .end: return
            }
        }
    }
}

extension LogReceipt.Entry {
    fileprivate var isFirstHeader: Bool {
        damage.cause == .badLogHeader && damage.range.lowerBound == 0
    }
}
