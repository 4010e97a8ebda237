import TestSupport
import Testing

@testable import GroupLogFormat

@Suite struct ProvenanceTests {
    private func header(sequence: UInt64, time: Int64) -> FrameHeader {
        FrameHeader(
            flags: .compacted, length: 56, sequence: sequence, time: time, payloadChecksum: 0,
            checksum: 0)
    }

    private func decode(_ bytes: [UInt8], _ frame: FrameHeader) -> Provenance? {
        unsafe Provenance.decode(bytes.span.bytes, in: 0..<bytes.count, frame: frame)
    }

    @Test("whatever a record comes from comes back")
    func roundTrip() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<5_000 {
            let sequence = Self.number(using: &random) & UInt64(Int64.max)
            let own = sequence - Self.number(using: &random) % (sequence + 1)
            let frame = header(
                sequence: sequence, time: Int64(bitPattern: Self.number(using: &random)))
            let provenance = Provenance(
                sequence: own, time: Int64(bitPattern: Self.number(using: &random)),
                author: Bool.random(using: &random)
                    ? nil
                    : UInt16.random(in: 0..<UInt16(LogLayout.maximumNameCount), using: &random),
                creation: own - Self.number(using: &random) % (own + 1),
                predecessorDistance: Bool.random(using: &random)
                    ? 0 : Self.number(using: &random))
            let bytes = provenance.encoded(frameSequence: sequence, frameTime: frame.time)
            #expect(bytes.count <= 50)
            #expect(decode(bytes, frame) == provenance, "seed \(seed)")
            var four = provenance
            four.predecessorDistance = 0
            let fourCount = four.encoded(frameSequence: sequence, frameTime: frame.time).count
            for cut in 0..<bytes.count {
                let decoded = decode(Array(bytes[..<cut]), frame)
                #expect(decoded == (cut == fourCount ? four : nil), "seed \(seed)")
            }
            let tooMany = bytes + (bytes.count == fourCount ? [7, 0] : [0])
            #expect(decode(tooMany, frame) == nil, "seed \(seed)")
        }
    }

    /// A number of any size.
    private static func number(using random: inout SeededGenerator) -> UInt64 {
        random.next() >> UInt64.random(in: 0..<64, using: &random)
    }

    @Test("a record of the frame itself takes four zero bytes, the author set apart")
    func small() {
        let frame = header(sequence: 9, time: 1_000)
        let own = Provenance(sequence: 9, time: 1_000, author: 0, creation: 9)
        #expect(own.encoded(frameSequence: 9, frameTime: 1_000) == [0, 0, 1, 0])
        let older = Provenance(sequence: 5, time: 999, author: nil, creation: 1)
        #expect(older.encoded(frameSequence: 9, frameTime: 1_000) == [4, 1, 0, 4])
        #expect(decode([4, 1, 0, 4], frame) == older)
        #expect(decode([4, 1, 0, 4, 0], frame) == older)
        let replacing = Provenance(
            sequence: 9, time: 1_000, author: nil, creation: 1, predecessorDistance: 300)
        #expect(replacing.encoded(frameSequence: 9, frameTime: 1_000) == [0, 0, 0, 8, 0xAC, 2])
    }

    @Test("numbers too long, sequences before the first and authors beyond the table are refused")
    func hostile() {
        let frame = header(sequence: 9, time: 0)
        let long = [UInt8](repeating: 0xFF, count: 10)
        #expect(decode(long + [0, 0, 0], frame) == nil)
        #expect(decode([0] + long + [0, 0], frame) == nil)
        #expect(decode([0] + [UInt8](repeating: 0x80, count: 10) + [0, 0, 0], frame) == nil)
        #expect(decode([10, 0, 0, 0], frame) == nil)
        #expect(decode([5, 0, 0, 5], frame) == nil)
        #expect(decode([0, 0, 0xFF, 0xFF, 3, 0], frame) == nil)
        #expect(decode([0, 0, 0xFE, 0xFF, 3, 0], frame)?.author == 65_533)
        #expect(decode([9, 0, 0, 0], frame)?.sequence == 0)
    }
}
