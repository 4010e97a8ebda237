import GroupLogFormat
import GroupLogSystem
import Testing

@testable import GroupLogFile

/// A power loss took blocks of commits that nobody had acknowledged, and left one behind them.
@Suite struct HoleTests {
    /// Frames of which one begins and one ends at a multiple of the block's size, with a hole between
    /// the two: the frames before it, those in it, those behind it.
    private struct Log {
        let volume = FaultyVolume()
        var hole: Range<UInt64> = 0..<0
        var served: [String] = []

        /// - Parameter pieces: how many frames stand in the hole.
        init(size: UInt64, pieces: UInt64, reaching excess: UInt64) throws {
            let writer = volume.writer()
            try append("one", to: writer)
            try append("two", upTo: size.nextMultiple(above: 4160 + 512) - excess, to: writer)
            let start = try writer.withLock { $0.tail.end }.result
            for piece in 1...pieces {
                let end = start + (size + 2 * excess) / pieces * piece / 8 * 8
                try append(
                    "lost \(piece)", upTo: piece == pieces ? start + size + 2 * excess : end,
                    to: writer)
                served.removeLast()
            }
            try append("three", to: writer)
            try append("four", to: writer)
            hole = start + excess..<start + excess + size
            var bytes = try #require(volume.bytes(of: .log))
            for index in hole { bytes[Int(index)] = 0 }
            try volume.setBytes(bytes, of: .log)
        }

        private mutating func append(
            _ name: String, upTo end: UInt64? = nil, to writer: LogWriter
        ) throws {
            var text = name
            if let end {
                // A frame's length is rounded up: so many bytes more make it end there.
                let least = try frame(name).sealed(sequence: 1, time: 0, offset: 4160, salt: 0)
                    .count
                let start = try writer.withLock { $0.tail.end }.result
                text += String(repeating: ".", count: Int(end - start) - least)
            }
            let key = name
            let (_, commit) = try writer.withLock { try $0.append([frame(text, key: key)]) }
            if let end { try #require(commit?.end == end) }
            served.append(text)
        }
    }

    private func check(_ log: Log, _ isReported: (LogReceipt) -> Bool) throws {
        let volume = log.volume
        let before = try #require(volume.bytes(of: .log))
        let reader = try LogReader(volume, mapping: .never)
        #expect(try reader.texts() == log.served)
        #expect(reader.receipt.unfinished == nil)
        #expect(isReported(reader.receipt), "\(reader.receipt.entries), hole \(log.hole)")
        for _ in 0..<2 {
            let (_, commit) = try volume.writer().withLock { try $0.append([frame("new")]) }
            let offset = try #require(commit?.frames.first).offset
            #expect(offset >= reader.end)
            if offset == reader.end {
                #expect(commit?.frames.first?.sequence == reader.sequence + 1)
            }
        }
        let after = try #require(volume.bytes(of: .log))
        #expect(after[..<Int(reader.end)] == before[..<Int(reader.end)])
        #expect(after.count >= before.count)
        #expect(try Quarantine(volume).entries().isEmpty)
        let later = try LogReader(volume, mapping: .never)
        #expect(try later.texts() == log.served + ["new"])
        #expect(isReported(later.receipt))
    }

    @Test(
        "what stands behind a hole is served, the hole is reported and never cut, and the next append goes behind the last frame",
        arguments: [512, 4096], [true, false])
    func wholeFrames(_ size: UInt64, hasLockFile: Bool) throws {
        for pieces: UInt64 in [1, 2, 4] {
            let log = try Log(size: size, pieces: pieces, reaching: 0)
            if !hasLockFile { try log.volume.remove(.lock) }
            try check(log) { receipt in
                receipt.entries.map(\.damage) == [Damage(range: log.hole, cause: .hole)]
            }
        }
    }

    @Test(
        "a hole that begins and ends inside of frames is reported as a part of what is lost",
        arguments: [512, 4096], [true, false])
    func partsOfFrames(_ size: UInt64, hasLockFile: Bool) throws {
        for pieces: UInt64 in [1, 2, 4] {
            let log = try Log(size: size, pieces: pieces, reaching: 40)
            if !hasLockFile { try log.volume.remove(.lock) }
            try check(log) { receipt in
                // The pieces lie one behind another, and none outside of the frames that are lost.
                let ranges = receipt.entries.map(\.damage.range)
                let isClosed = zip(ranges, ranges.dropFirst()).allSatisfy {
                    $0.upperBound == $1.lowerBound
                }
                return isClosed && ranges.first?.lowerBound == log.hole.lowerBound - 40
                    && ranges.last?.upperBound == log.hole.upperBound + 40
            }
        }
    }
}

extension UInt64 {
    fileprivate func nextMultiple(above floor: UInt64) -> UInt64 { (floor / self + 1) * self }
}
