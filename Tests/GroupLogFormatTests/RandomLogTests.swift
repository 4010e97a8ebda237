import TestSupport
import Testing

@testable import GroupLogFormat

@Suite struct RandomLogTests {
    @Test("random logs are read back record by record, and found whole")
    func roundTrip() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let log = try RandomLog(
                frames: Int.random(in: 0...12, using: &random), using: &random)
            let slack = [UInt8](repeating: 0, count: 8 * Int.random(in: 0...20, using: &random))
            let read = try RandomLog.read(log.bytes + slack, salt: log.salt)
            #expect(read.records == log.records && read.isWhole, "seed \(seed)")
            let tail = try LogTail.find(in: LogBytesInMemory(log.bytes + slack), salt: log.salt)
            #expect(tail.end == UInt64(log.bytes.count), "seed \(seed)")
            #expect(tail.torn == nil && tail.damaged == nil, "seed \(seed)")
        }
    }

    @Test("whatever happens to a log, what is served of it was written, and the rest is reported")
    func damage() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<1_000 {
            let log = try RandomLog(frames: Int.random(in: 1...8, using: &random), using: &random)
            var bytes = log.bytes
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                Self.harm(&bytes, using: &random)
            }
            let read = try RandomLog.read(bytes, salt: log.salt)
            let written = Set(log.records)
            #expect(read.records.allSatisfy(written.contains), "seed \(seed)")
            if read.isWhole {
                // A cut between two frames leaves a shorter log that is whole.
                #expect(log.records.starts(with: read.records), "seed \(seed)")
            }
            let tail = try LogTail.find(in: LogBytesInMemory(bytes), salt: log.salt)
            #expect(tail.end.isMultiple(of: 8), "seed \(seed)")
            if let torn = tail.torn {
                // What is called torn is what no two ends prove: no whole frame goes with it.
                for frame in log.frames where torn.contains(UInt64(frame.lowerBound)) {
                    #expect(
                        Array(log.bytes[frame]) != Array(bytes[frame.clamped(to: bytes.indices)]),
                        "seed \(seed)")
                }
            }
        }
    }

    private static func harm(_ bytes: inout [UInt8], using random: inout SeededGenerator) {
        let first = FixtureLog.firstFrame
        guard bytes.count > first else { return }
        let place = Int.random(in: first..<bytes.count, using: &random)
        let end = min(place + Int.random(in: 1...300, using: &random), bytes.count)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: bytes.removeLast(bytes.count - place)
        case 2: bytes.replaceSubrange(place..<end, with: repeatElement(0, count: end - place))
        case 3: bytes.removeSubrange(place..<end)
        case 4: bytes.insert(contentsOf: bytes[place..<end], at: place)
        default: bytes += RandomLog.bytes(upTo: 200, using: &random)
        }
    }

    @Test("a walk over random garbage ends, finds nothing and never traps")
    func garbage() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let salt = random.next()
            var bytes = LogHeader(
                storeID: StoreID(bytes: Array(0..<16)), generation: 1, salt: salt
            ).encodedPreamble()
            for _ in 0..<Int.random(in: 0...40, using: &random) {
                bytes += RandomLog.bytes(upTo: 60, using: &random)
                if Bool.random(using: &random) { bytes += Self.falseFrame(using: &random) }
            }
            let read = try RandomLog.read(bytes, salt: salt)
            #expect(read.records.isEmpty, "seed \(seed)")
            _ = try LogTail.find(in: LogBytesInMemory(bytes), salt: salt)
            _ = try LogReading.lines(Array(bytes[Int.random(in: 0...70, using: &random)...]))
        }
    }

    /// A marker and a possible length, then noise, then a possible trailer.
    private static func falseFrame(using random: inout SeededGenerator) -> [UInt8] {
        let length = UInt32.random(in: 7...100, using: &random) * 8
        var bytes: [UInt8] = []
        bytes.append(littleEndian: FrameHeader.marker)
        bytes.append(littleEndian: UInt16(truncatingIfNeeded: random.next()))
        bytes.append(littleEndian: length)
        while bytes.count < Int(length) - 4 {
            bytes.append(UInt8.random(in: 0...255, using: &random))
        }
        bytes.append(littleEndian: length / 8 | 0xE700_0000)
        return bytes
    }

    @Test(
        "a log inside a log's value is never taken for frames, even where the outer frame is lost")
    func logInLog() throws {
        var inner = SampleLog()
        for index in 0..<20 { try inner.append(["inner \(index)"]) }
        var random = SeededGenerator(seed: 1)
        let salt = FixtureLog.salt
        for shift in 0..<8 {
            var outer = FixtureLog()
            var frame = FixtureLog.frame()
            let value = [UInt8](repeating: 0xF1, count: shift) + inner.bytes
            try frame.append(
                kind: .put, collection: "items", key: FixtureLog.key,
                content: .init(bytes: value, isIndexed: false))
            try outer.append(frame)
            try outer.append(FixtureLog.frame())
            outer.bytes[outer.frames[0] + Int.random(in: 0..<32, using: &random)] ^= 0x55
            let read = try RandomLog.read(outer.withSlack(), salt: salt)
            #expect(read.records.isEmpty && !read.isWhole)
        }
    }
}
