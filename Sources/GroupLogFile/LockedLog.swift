package import GroupLogFormat
import GroupLogSystem

/// The log while this process holds the store's lock: its end is known, and frames can be appended.
package struct LockedLog {
    package let header: LogHeader
    let file: any VolumeFile
    /// The bytes of the file, slack included.
    private(set) var size: UInt64
    package private(set) var tail: LogTail
    /// What was appended while the lock was held.
    private(set) var appended: [(offset: UInt64, sequence: UInt64)] = []
    /// Why the log takes nothing more before its end has been proven anew: what a failed write left
    /// behind the end could not be covered.
    private(set) var obstacle: SystemError?

    init(header: LogHeader, file: any VolumeFile, size: UInt64, tail: LogTail) {
        self.header = header
        self.file = file
        self.size = size
        self.tail = tail
    }

    /// The number that the next commit gets.
    package var nextSequence: UInt64 { tail.nextSequence }

    /// Appends frames, one behind another, all of them or none.
    ///
    /// Room is made before a byte of a frame is written. When a write fails, what was written is
    /// covered with zeros, so that the log is as it was before; a log that could not even be
    /// covered is mended by whoever takes the lock next, since the frame's end is missing.
    ///
    /// Takes the frames one by one, so that of a long one there is one copy.
    package mutating func append(_ frames: consuming [FrameBuilder]) throws(LogError) {
        if let obstacle { throw .system(obstacle) }
        guard !frames.isEmpty else { return }
        var pieces: [[UInt8]] = []
        var places: [(offset: UInt64, sequence: UInt64)] = []
        var offset = tail.end
        var sequence = nextSequence
        let time = Clock.wallMicroseconds()
        frames.reverse()
        while let frame = frames.popLast() {
            let sealed: [UInt8]
            do throws(FormatError) {
                sealed = try (consume frame).sealed(
                    sequence: sequence, time: time, offset: offset, salt: header.salt)
            } catch {
                throw .format(error, path: VolumeName.log.text)
            }
            places.append((offset, sequence))
            offset += UInt64(sealed.count)
            sequence += 1
            // Many short frames are written at once, a long one on its own.
            if let count = pieces.last?.count, count + sealed.count <= Self.pieceSize {
                pieces[pieces.count - 1] += sealed
            } else {
                pieces.append(sealed)
            }
        }
        guard offset <= KeyTable.maximumOffset else {
            throw .logTooLarge(path: VolumeName.log.text)
        }
        let lastOffset = places[places.count - 1].offset
        let last = try header(ofLastFrameIn: pieces, at: lastOffset, endingAt: offset)
        try write(pieces, tail.end..<offset)
        tail = LogTail(end: offset, last: last, lastOffset: lastOffset)
        appended += places
    }

    private func header(
        ofLastFrameIn pieces: [[UInt8]], at offset: UInt64, endingAt end: UInt64
    ) throws(LogError) -> FrameHeader {
        let piece = pieces[pieces.count - 1]
        do throws(FormatError) {
            return try unsafe FrameHeader.decode(
                piece.span.bytes, at: piece.count - Int(end - offset), logOffset: offset,
                salt: header.salt)
        } catch {
            throw .format(error, path: VolumeName.log.text)
        }
    }

    /// How many bytes of several frames are put together for one write.
    private static let pieceSize = 4 << 20

    private mutating func write(_ pieces: [[UInt8]], _ range: Range<UInt64>) throws(LogError) {
        let end = range.upperBound
        let isBulk = range.count >= Slack.bulkSize
        if end > size && !isBulk { try makeSlack(behind: end, reaching: end) }
        do throws(SystemError) {
            var offset = range.lowerBound
            for piece in pieces {
                try file.writeAll(piece, at: offset)
                offset += UInt64(piece.count)
            }
        } catch {
            cover(range)
            throw .system(error)
        }
        if end > size {
            size = end
            // The commit stands. Where there is no room for slack, the next append says so.
            do throws(LogError) { try makeSlack(behind: end, reaching: end) } catch {}
        }
    }

    /// Writes zeros behind `end`; enough when the file reaches `needed`.
    private mutating func makeSlack(
        behind end: UInt64, reaching needed: UInt64
    ) throws(LogError) {
        let target = end + Slack.size(forLogOf: end)
        let chunk: UInt64 = 64 << 10
        while size < target {
            do throws(SystemError) {
                let next = min(size + chunk, target)
                try file.writeZeros(size..<next)
                size = next
            } catch {
                let reached: UInt64
                do throws(SystemError) { reached = try file.status().size } catch {
                    throw .system(error)
                }
                size = max(size, reached)
                if size >= needed && error.errno.isOutOfSpace { return }
                throw .system(error)
            }
        }
    }

    /// Puts zeros over frames that could not be written whole.
    private mutating func cover(_ range: Range<UInt64>) {
        do throws(SystemError) {
            try file.erase(range.clamped(to: 0..<(try file.status().size)))
        } catch {
            obstacle = error
        }
    }

    /// Ends a log that another one has replaced with a frame that says so, for those who have it open.
    ///
    /// Only to be called when the replacement is durable: after a power loss nobody may find the old
    /// log closed and no new one. It is a hint, so whatever goes wrong is of no consequence.
    func close(replacedBy generation: UInt64) {
        do {
            guard try file.tryLock() else { return }
            defer { try? file.unlock() }
            var frame = FrameBuilder(author: nil, flags: [.quiet, .closing])
            try frame.append(
                kind: .metadata, collection: nil, key: .replaced,
                content: .init(
                    bytes: ReplacementContent(generation: generation).encoded(), isIndexed: false))
            var log = self
            try log.append([frame])
        } catch {}
    }

    /// Writes the bytes of all frames from an offset on once more, without changing any.
    ///
    /// What is there is proven first: where the system has given up bytes that it could not write,
    /// they are gone, and others are not to be made durable in their place.
    func writeAgain(from start: UInt64) throws {
        let image = LogImage(file: file, region: nil, size: tail.end)
        var walker = LogWalker(BufferedLogBytes(image), salt: header.salt, from: start)
        while walker.position < tail.end {
            guard case .frame(let content) = try walker.next(), content.damage.isEmpty else {
                throw FormatError(
                    .badChecksum, "what was to be synced is gone", offset: walker.position)
            }
        }
        let step: UInt64 = 1 << 20
        var offset = start
        while offset < tail.end {
            let bytes = try file.read(offset..<min(offset + step, tail.end))
            guard !bytes.isEmpty else { return }
            try file.writeAll(bytes, at: offset)
            offset += UInt64(bytes.count)
        }
    }
}

/// How many zeros are kept behind the last frame (FORMAT.md, "Slack").
enum Slack {
    /// Appends of this size and more write straight on: making room first would write all twice.
    static let bulkSize = 64 << 10

    static func size(forLogOf end: UInt64) -> UInt64 {
        let eighth = end / 8 / 4096 * 4096
        return min(max(eighth, 16 << 10), 1 << 20)
    }
}
