import TestSupport
import Testing

@testable import GroupLogFormat

/// Logs in which somebody has put bytes in, or has taken some out.
@Suite struct DisplacedFrameTests {
    /// A log of some commits, and where their frames end.
    private struct Sample {
        var bytes: [UInt8]
        var ends: [Int] = []
        let header: LogHeader

        init(frames count: Int, using random: inout SeededGenerator) throws {
            header = LogHeader(
                storeID: StoreID(
                    bytes: (0..<16).map { _ in .random(in: .min ... .max, using: &random) }),
                generation: 1, salt: .random(in: .min ... .max, using: &random))
            bytes = header.encodedPreamble()
            for sequence in 1...count {
                var frame = FrameBuilder(author: nil)
                let size = Int.random(in: 0..<300, using: &random)
                try frame.append(
                    kind: .put, collection: "items", key: RecordKey(integer: Int64(sequence)),
                    content: .init(
                        bytes: (0..<size).map { _ in .random(in: .min ... .max, using: &random) },
                        isIndexed: false))
                bytes += try frame.sealed(
                    sequence: UInt64(sequence), time: 0, offset: UInt64(bytes.count),
                    salt: header.salt)
                ends.append(bytes.count)
            }
        }

        func tail(of bytes: [UInt8]) throws -> LogTail {
            try LogTail.find(in: LogBytesInMemory(bytes), salt: header.salt)
        }
    }

    @Test("the way back from a checksum leads to the offset that it was made for")
    func inverse() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            let salt = UInt64.random(in: .min ... .max, using: &random)
            let offset = UInt64.random(in: 0..<1 << 39, using: &random)
            let bytes = (0..<28).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            let began = Checksum.seed(salt: salt, offset: offset)
            let checksum = unsafe Checksum.crc32c(bytes.span.bytes, continuing: began)
            let found = unsafe Checksum.seed(of: bytes.span.bytes, endingWith: checksum)
            #expect(found == began, "seed \(seed)")
            #expect(
                Checksum.offset(withSeed: found, salt: salt, upperBits: UInt32(offset >> 32))
                    == offset, "seed \(seed)")
        }
    }

    @Test("bytes put in or taken out make damage, and nothing behind them passes for torn")
    func shifted() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        for round in 0..<200 {
            let sample = try Sample(frames: 12, using: &random)
            var bytes = sample.bytes
            let whole = Int.random(in: 0..<9, using: &random)
            let place = Int.random(
                in: sample.ends[whole] + 1..<sample.ends[whole + 1], using: &random)
            let count = [1, 2, 7, 8, 16, 100].randomElement(using: &random) ?? 1
            if Bool.random(using: &random) {
                let extra = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
                bytes.insert(contentsOf: extra, at: place)
            } else {
                bytes.removeSubrange(place..<min(place + count, sample.ends[whole + 1]))
            }
            let content = bytes.count
            bytes += [UInt8](repeating: 0, count: 4_096)
            let tail = try sample.tail(of: bytes)
            #expect(tail.torn == nil, "round \(round), seed \(seed)")
            #expect(tail.damaged != nil && Int(tail.end) >= content, "round \(round), seed \(seed)")
            #expect(tail.nextSequence > 12, "round \(round), seed \(seed)")
            let log = LogBytesInMemory(bytes)
            let frames = try log.displacedFrames(
                in: UInt64(sample.ends[whole])..<UInt64(bytes.count), after: UInt64(whole + 1),
                salt: sample.header.salt)
            #expect(frames.last?.header.sequence == 12, "round \(round), seed \(seed)")
            #expect(
                frames.allSatisfy {
                    Int($0.offset) + Int($0.header.length)
                        == sample.ends[Int($0.header.sequence) - 1]
                }, "round \(round), seed \(seed)")
            var walker = LogWalker(log, salt: sample.header.salt)
            var (served, lost) = (0, 0)
            walk: while true {
                switch try walker.next() {
                case .frame: served += 1
                case .damage: lost += 1
                case .unfinished, .end: break walk
                }
            }
            #expect(served >= whole + 1 && lost > 0, "round \(round), seed \(seed)")
            if case .unfinished = try walker.next() { Issue.record("seed \(seed)") }
        }
    }

    @Test(
        "a write that broke off is torn, also one that holds frames of another log, or old bytes of its own"
    )
    func torn() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let sample = try Sample(frames: 5, using: &random)
        let other = try Sample(frames: 5, using: &random)
        var frame = FrameBuilder(author: nil)
        try frame.append(
            kind: .put, collection: "items", key: RecordKey(integer: 6),
            content: .init(bytes: [7] + other.bytes + sample.bytes, isIndexed: false))
        let last = try frame.sealed(
            sequence: 6, time: 0, offset: UInt64(sample.bytes.count), salt: sample.header.salt)
        for cut in [8, 40, 200, last.count / 2, last.count - 8, last.count - 1] {
            let bytes = sample.bytes + last.prefix(cut) + [UInt8](repeating: 0, count: 512)
            let tail = try sample.tail(of: bytes)
            #expect(tail.torn != nil && Int(tail.end) == sample.bytes.count, "cut \(cut)")
        }
    }
}
