import Testing

@testable import GroupLogFormat

private let salt: UInt64 = 0x0123_4567_89AB_CDEF

/// A log of frames in memory, as a writer would have left it.
struct SampleLog {
    var bytes: [UInt8]
    var frameOffsets: [UInt64] = []
    private var sequence: UInt64 = 0

    init() {
        bytes = LogHeader(
            storeID: StoreID(bytes: Array(0..<16)), generation: 1, salt: salt
        ).encodedPreamble()
    }

    mutating func append(
        _ texts: [String], flags: FrameFlags = [], author: String? = "app"
    ) throws {
        var builder = FrameBuilder(author: author, flags: flags, leadingNames: ["items"])
        for text in texts {
            let key = try #require(RecordKey(text: text))
            try builder.append(
                kind: .put, collection: "items", key: key,
                content: .init(bytes: [0x61, 0x78], isIndexed: false))
        }
        sequence += 1
        frameOffsets.append(UInt64(bytes.count))
        bytes += try builder.sealed(
            sequence: sequence, time: 1_000 + Int64(sequence), offset: UInt64(bytes.count),
            salt: salt)
    }

    mutating func addSlack(_ count: Int = 4096) {
        bytes.append(contentsOf: repeatElement(0, count: count))
    }

    static func walk(_ bytes: [UInt8]) throws -> Walked {
        var walker = LogWalker(LogBytesInMemory(bytes), salt: salt)
        var walked = Walked()
        while true {
            switch try walker.next() {
            case .frame(let content):
                let slice = Array(bytes[Int(content.offset)..<Int(content.end)])
                walked.keys += content.records.map {
                    unsafe $0.recordKey(slice.span.bytes)?.description ?? "?"
                }
                walked.damage += content.damage
            case .damage(let damage): walked.damage.append(damage)
            case .unfinished(let range):
                walked.unfinished = range
                return walked
            case .end: return walked
            }
        }
    }

    struct Walked {
        var keys: [String] = []
        var damage: [Damage] = []
        var unfinished: Range<UInt64>?
    }
}

@Suite struct FrameTests {
    @Test("a log is read back record by record")
    func roundTrip() throws {
        var log = SampleLog()
        try log.append(["a", "b"])
        try log.append(["c"], flags: .independent)
        log.addSlack()
        let walked = try SampleLog.walk(log.bytes)
        #expect(walked.keys == ["a", "b", "c"])
        #expect(walked.damage.isEmpty && walked.unfinished == nil)
        let tail = try LogTail.find(in: LogBytesInMemory(log.bytes), salt: salt)
        #expect(tail.nextSequence == 3 && tail.torn == nil)
        #expect(tail.lastOffset == log.frameOffsets[1])
    }

    @Test("a log cut at any byte of its last frame has a torn tail and all before it")
    func cutAnywhere() throws {
        var log = SampleLog()
        try log.append(["a"])
        try log.append(["b", "c"], flags: .independent)
        try log.append(["last"])
        let start = Int(log.frameOffsets[2])
        for cut in start..<log.bytes.count {
            for slack in [0, 4096] {
                var bytes = Array(log.bytes[..<cut])
                bytes.append(contentsOf: repeatElement(0, count: slack))
                let walked = try SampleLog.walk(bytes)
                #expect(walked.keys == ["a", "b", "c"], "cut at \(cut)")
                #expect(walked.damage.isEmpty, "cut at \(cut)")
                let tail = try LogTail.find(in: LogBytesInMemory(bytes), salt: salt)
                #expect(tail.end == UInt64(start), "cut at \(cut)")
                #expect(tail.damaged == nil)
                #expect((tail.torn == nil) == (walked.unfinished == nil))
            }
        }
    }

    @Test("a flipped bit anywhere costs at most the record or transaction that it hit")
    func flips() throws {
        var log = SampleLog()
        try log.append(["t1", "t2"])
        try log.append((0..<6).map { "i\($0)" }, flags: .independent)
        try log.append(["u"])
        try log.append((0..<3).map { "j\($0)" }, flags: .independent)
        log.addSlack()
        let whole = Set(try SampleLog.walk(log.bytes).keys)
        #expect(whole.count == 12)
        let end = Int(log.frameOffsets[0])..<log.bytes.count - 4096
        for index in end {
            for bit in 0..<8 {
                var bytes = log.bytes
                bytes[index] ^= 1 << UInt8(bit)
                let walked = try SampleLog.walk(bytes)
                let missing = whole.subtracting(walked.keys)
                #expect(Set(walked.keys).isSubset(of: whole), "byte \(index) bit \(bit)")
                #expect(
                    missing.count <= 1 || missing == ["t1", "t2"],
                    "byte \(index) bit \(bit): \(missing)")
                #expect(
                    !walked.damage.isEmpty || walked.unfinished != nil, "byte \(index) bit \(bit)")
            }
        }
    }

    @Test("a frame copied to another place is no frame")
    func placeMatters() throws {
        var log = SampleLog()
        try log.append(["a"])
        let frame = Array(log.bytes[Int(log.frameOffsets[0])...])
        try log.append(["b"])
        log.bytes += frame
        let walked = try SampleLog.walk(log.bytes)
        #expect(walked.keys == ["a", "b"])
    }

    @Test("a hole before a later frame is reported, and the later frame is served")
    func hole() throws {
        var log = SampleLog()
        try log.append(["a"])
        try log.append(["gone"])
        try log.append(["c"])
        let hole = Int(log.frameOffsets[1])..<Int(log.frameOffsets[2])
        log.bytes.replaceSubrange(hole, with: repeatElement(0, count: hole.count))
        let walked = try SampleLog.walk(log.bytes)
        #expect(walked.keys == ["a", "c"])
        #expect(walked.damage.map(\.cause) == [.hole])
    }

    @Test("frames with damaged trailers at the end are kept, whatever is torn behind them")
    func damagedEnds() throws {
        for flags in [FrameFlags.independent, []] {
            var log = SampleLog()
            try log.append(["a"])
            try log.append(["b"], flags: flags)
            try log.append(["c"], flags: flags)
            try log.append(["d"])
            let ends = log.frameOffsets.dropFirst().map { Int($0) - 1 } + [log.bytes.count - 1]
            for torn in [nil, 40, 60] {
                for bit: UInt8 in 0..<8 {
                    var bytes = log.bytes
                    // The trailers' last bytes, or one of the checksums in them.
                    for end in ends[1...] { bytes[bit < 4 ? end : end - 5] ^= 1 << bit }
                    if let torn { bytes.removeLast(log.bytes.count - ends[2] - 1 - torn) }
                    let walked = try SampleLog.walk(bytes)
                    let note = Comment(rawValue: "\(flags.names), torn \(torn ?? 0), bit \(bit)")
                    #expect(
                        walked.keys == (torn == nil ? ["a", "b", "c", "d"] : ["a", "b", "c"]), note)
                    #expect(Set(walked.damage.map(\.cause)) == [.badTrailer], note)
                    #expect((walked.unfinished != nil) == (torn != nil), note)
                    let tail = try LogTail.find(in: LogBytesInMemory(bytes), salt: salt)
                    let end = torn == nil ? bytes.count : ends[2] + 1
                    #expect(tail.end == UInt64(end), note)
                    #expect(tail.nextSequence == (torn == nil ? 5 : 4), note)
                    #expect(
                        tail.torn == (torn == nil ? nil : UInt64(end)..<UInt64(bytes.count)), note)
                }
            }
        }
    }
}
