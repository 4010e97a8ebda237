import TestSupport
import Testing

@testable import GroupLogFormat

/// A frame that somebody has changed and then given good checksums again.
struct ForgedFrame {
    static let salt = FixtureLog.salt
    static let offset = FixtureLog.firstFrame
    var bytes: [UInt8]

    /// A frame of three records, one of them with provenance.
    init(_ flags: FrameFlags) throws {
        var frame = FixtureLog.frame(flags)
        for title in ["a", "b"] {
            try frame.append(
                kind: .put, collection: "items", key: try FixtureLog.key(title),
                content: FixtureLog.value(title))
        }
        try frame.append(
            kind: .put, collection: "items", key: FixtureLog.key, content: FixtureLog.value("c"),
            origin: .createdAt(3))
        bytes = try frame.sealed(
            sequence: 9, time: 1, offset: UInt64(Self.offset), salt: Self.salt)
    }

    /// Where the first record begins.
    var firstRecord: Int {
        LogLayout.frameHeaderSize
            + Int(unsafe bytes.span.bytes.integer(at: 40, as: UInt32.self))
    }

    /// Gives the structures inside the payload good checksums again, as far as they can be found.
    mutating func sealInside() { seal(.inside) }

    /// Gives the frame as a whole good checksums again.
    mutating func sealOutside() { seal([.payload, .ends]) }

    mutating func seal(_ parts: LogSealer.Parts) {
        LogSealer(salt: Self.salt, parts)
            .seal(&bytes, frame: 0..<bytes.count, logOffset: UInt64(Self.offset))
    }

    /// A log with this frame alone.
    var log: [UInt8] { FixtureLog().bytes + bytes + [UInt8](repeating: 0, count: 64) }
}

@Suite struct HostileTests {
    /// The causes of all damage that a walk reports.
    private func causes(_ frame: ForgedFrame) throws -> [Damage.Cause] {
        try SampleLog.walk(frame.log).damage.map(\.cause)
    }

    @Test("a forged frame with nothing changed is good: the forger knows his trade")
    func forger() throws {
        for flags in [FrameFlags.independent, []] {
            var frame = try ForgedFrame(flags)
            let original = frame.bytes
            frame.sealInside()
            frame.sealOutside()
            #expect(frame.bytes == original)
            #expect(try causes(frame).isEmpty)
        }
    }

    @Test("counts and lengths beyond the frame are damage, whatever the checksums say")
    func lengths() throws {
        for flags in [FrameFlags.independent, []] {
            let first = try ForgedFrame(flags).firstRecord
            let changes: [(String, (inout ForgedFrame) -> Void)] = [
                ("record count", { $0.bytes.put(littleEndian: UInt32.max, at: 32) }),
                ("record count, one more", { $0.bytes.put(littleEndian: UInt32(4_000), at: 32) }),
                ("name count", { $0.bytes.put(littleEndian: UInt16.max, at: 36) }),
                ("author", { $0.bytes.put(littleEndian: UInt16(4), at: 38) }),
                ("head size", { $0.bytes.put(littleEndian: UInt32.max, at: 40) }),
                ("head size, too small", { $0.bytes.put(littleEndian: UInt32(15), at: 40) }),
                ("a name's length", { $0.bytes[44] = 255 }),
                ("a name's bytes", { $0.bytes[45] = 0xFF }),
                ("key length", { $0.bytes.put(littleEndian: UInt16.max, at: first + 6) }),
                ("no key", { $0.bytes.put(littleEndian: UInt16(0), at: first + 6) }),
                ("value length", { $0.bytes.put(littleEndian: UInt32.max, at: first + 12) }),
            ]
            for (name, change) in changes {
                var frame = try ForgedFrame(flags)
                change(&frame)
                frame.sealInside()
                frame.sealOutside()
                #expect(try causes(frame) == [.badPayload], "\(name), \(flags.names)")
            }
        }
    }

    @Test("a record that the format does not allow is lost by itself, whatever its checksum says")
    func malformedRecords() throws {
        for flags in [FrameFlags.independent, []] {
            let first = try ForgedFrame(flags).firstRecord
            let changes: [(String, (inout ForgedFrame) -> Void)] = [
                ("frame distance", { $0.bytes[first + 8] &+= 1 }),
                ("a text as a UUID", { $0.bytes[first + 4] = 2 }),
                ("a text as an integer", { $0.bytes[first + 4] = 3 }),
                ("a text that is no UTF-8", { $0.bytes[first + 20] = 0xFF }),
                (
                    "a key as provenance",
                    {
                        $0.bytes[first + 5] = 1
                        $0.bytes[first + 12] -= 1
                    }
                ),
            ]
            for (name, change) in changes {
                var frame = try ForgedFrame(flags)
                change(&frame)
                frame.sealInside()
                frame.sealOutside()
                let walked = try SampleLog.walk(frame.log)
                #expect(walked.damage.map(\.cause) == [.badRecord], "\(name), \(flags.names)")
                #expect(walked.keys.count == 2, "\(name), \(flags.names)")
            }
            var unknown = try ForgedFrame(flags)
            unknown.bytes[first + 4] = 200
            unknown.sealInside()
            unknown.sealOutside()
            #expect(try causes(unknown).isEmpty, "a later version may know the type")
        }
    }

    @Test("a spare whose directory does not rise is none, and the frame's own head serves")
    func directories() throws {
        for distance: UInt16 in [0, 32, .max] {
            var frame = try ForgedFrame(.independent)
            let end = frame.bytes.count - LogLayout.frameTrailerSize
            let size: UInt32 = unsafe frame.bytes.span.bytes.integer(at: end - 8)
            frame.bytes.put(littleEndian: distance, at: end - Int(size) + 2)
            frame.sealInside()
            frame.bytes[24] ^= 1
            frame.seal(.ends)
            let walked = try SampleLog.walk(frame.log)
            #expect(walked.keys.count == 3)
            #expect(walked.damage.map(\.range.lowerBound).allSatisfy { $0 > 4160 })
        }
    }

    @Test("a sequence from which nobody can count on is no frame's")
    func sequences() throws {
        for (sequence, isFrame) in [
            (UInt64(Int64.max), true), (UInt64(Int64.max) + 1, false), (.max, false),
        ] {
            var frame = try ForgedFrame([])
            frame.bytes.put(littleEndian: sequence, at: 8)
            frame.sealOutside()
            let source = LogBytesInMemory(frame.log)
            let header = try source.provenFrame(
                at: UInt64(ForgedFrame.offset), salt: ForgedFrame.salt)
            #expect((header != nil) == isFrame)
            let tail = try LogTail.find(in: source, salt: ForgedFrame.salt)
            #expect(tail.nextSequence == (isFrame ? sequence + 1 : 2))
        }
    }

    @Test("no field set to an extreme value makes a reader trap, however good the checksums are")
    func sweep() throws {
        for flags in [FrameFlags.independent, [], [.independent, .compacted]] {
            let good = try ForgedFrame(flags)
            for width in [1, 2, 4, 8] {
                for place in 0...good.bytes.count - LogLayout.frameTrailerSize - width {
                    for byte: UInt8 in [0, 0x7F, 0x80, 0xFF] {
                        var frame = good
                        frame.bytes.replaceSubrange(
                            place..<place + width, with: repeatElement(byte, count: width))
                        try read(frame)
                        frame.sealInside()
                        try read(frame)
                    }
                }
            }
        }
    }

    /// Reads a frame in all ways there are: whole, by its spare, and record by record.
    private func read(_ changed: ForgedFrame) throws {
        var frame = changed
        frame.sealOutside()
        _ = try RandomLog.read(frame.log, salt: ForgedFrame.salt)
        _ = try LogTail.find(in: LogBytesInMemory(frame.log), salt: ForgedFrame.salt)
        frame.bytes[24] ^= 1
        _ = try RandomLog.read(frame.log, salt: ForgedFrame.salt)
        let bytes = unsafe frame.bytes.span.bytes
        let first = frame.firstRecord
        guard first < frame.bytes.count else { return }
        _ = RecordHeader.length(bytes, at: first)
        _ = RecordHeader.key(in: bytes.extracting(first..<frame.bytes.count))
        _ = try? RecordHeader.verified(
            bytes, in: first..<frame.bytes.count,
            logOffset: UInt64(ForgedFrame.offset + first), salt: ForgedFrame.salt)
    }

    @Test("a record of more than 32 MiB and a transaction of more than 64 MiB are refused")
    func writerLimits() throws {
        var frame = FixtureLog.frame()
        func content(_ count: Int) -> FrameBuilder.Content {
            .init(bytes: [UInt8](repeating: 1, count: count), isIndexed: false)
        }
        let error = #expect(throws: FormatError.self) {
            try frame.append(
                kind: .put, collection: "items", key: FixtureLog.key,
                content: content(LogLayout.maximumRecordLength))
        }
        #expect(error?.kind == .tooLarge)
        #expect(frame.isEmpty)
        for _ in 0..<3 {
            try frame.append(
                kind: .put, collection: "items", key: FixtureLog.key,
                content: content(LogLayout.maximumRecordLength - 1_100))
        }
        let other = #expect(throws: FormatError.self) {
            try frame.sealed(sequence: 1, time: 0, offset: 4160, salt: 0)
        }
        #expect(other?.kind == .tooLarge)
    }

    @Test("after a mark the sequences of commits go on, and a gap behind it is reported")
    func marks() throws {
        for (next, causes) in [(303, []), (304, [Damage.Cause.sequenceGap])] as [(UInt64, _)] {
            var log = FixtureLog(generation: 2)
            try log.append(FixtureLog.frame([.compacted]), sequence: 290)
            try log.append(FixtureLog.frame([.compacted]), sequence: 290)
            try log.append(FixtureLog.frame([.compacted, .mark]), sequence: 302)
            try log.append(FixtureLog.frame(), sequence: next)
            #expect(try SampleLog.walk(log.withSlack()).damage.map(\.cause) == causes)
        }
        var log = FixtureLog()
        try log.append(FixtureLog.frame([.compacted]), sequence: 5)
        try log.append(FixtureLog.frame([.compacted]), sequence: 4)
        #expect(try SampleLog.walk(log.withSlack()).damage.map(\.cause) == [.sequenceGap])
    }
}
