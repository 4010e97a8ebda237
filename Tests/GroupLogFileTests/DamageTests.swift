import GroupLogFormat
import GroupLogSystem
import Testing

@testable import GroupLogFile

/// What a reader of a store serves of a log that is damaged.
@Suite struct DamageTests {
    @Test("a bit flipped anywhere in an independent frame costs at most one record of it")
    func independent() throws {
        let volume = MemoryVolume()
        var frame = FrameBuilder(author: "test", flags: .independent, leadingNames: ["items"])
        let texts = ["one", "two", "three"]
        for text in texts {
            try frame.append(
                kind: .put, collection: "items", key: try #require(RecordKey(text: text)),
                content: .init(bytes: Array(text.utf8), isIndexed: false))
        }
        let (_, commit) = try volume.writer().withLock { try $0.append([frame]) }
        let place = try #require(commit?.frames.first?.offset)..<(try #require(commit?.end))
        let file = try volume.open(.log, .readWrite, .never)
        let good = try file.read(place)
        for offset in good.indices {
            for bit: UInt8 in 0..<8 {
                try file.writeAll([good[offset] ^ 1 << bit], at: place.lowerBound + UInt64(offset))
                let reader = try LogReader(volume, mapping: .never)
                let found = try reader.texts()
                #expect(found.count >= 2, "byte \(offset), bit \(bit)")
                #expect(found == texts.filter(found.contains), "byte \(offset), bit \(bit)")
                let isReported =
                    !reader.receipt.entries.isEmpty || reader.receipt.unfinished != nil
                #expect(isReported, "byte \(offset), bit \(bit)")
                // The log has one frame, and no frame lies behind its own damage.
                let behind = reader.receipt.entries.map { reader.receipt.framesBehind($0) }
                #expect(behind.allSatisfy { $0 == 0 }, "byte \(offset), bit \(bit)")
            }
            try file.writeAll([good[offset]], at: place.lowerBound + UInt64(offset))
        }
        // Two places at once: the header, and one record.
        try file.writeAll([good[9] ^ 1], at: place.lowerBound + 9)
        let record = try #require(good.indices.first { good[$0...].starts(with: "three".utf8) })
        try file.writeAll([good[record] ^ 1], at: place.lowerBound + UInt64(record))
        #expect(try LogReader(volume, mapping: .never).texts() == ["one", "two"])
    }

    @Test(
        "damage over the boundary of the last frames costs what it hit, and cuts nothing: the last frame's end tells that it was written whole",
        arguments: [(FrameFlags.independent, 0), (FrameFlags(), 0), (.independent, 1)])
    func lastFrames(_ flags: FrameFlags, between: Int) throws {
        func texts(_ index: Int) -> [String] { (0..<9).map { "\(index).\($0)" } }
        let volume = FaultyVolume()
        let (_, commit) = try volume.writer().withLock { log in
            try log.append([frame("zero")])
            for (index, flags) in [FrameFlags.independent, flags].enumerated() {
                var builder = FrameBuilder(author: "test", flags: flags, leadingNames: ["items"])
                for text in texts(index) {
                    try builder.append(
                        kind: .put, collection: "items", key: #require(RecordKey(text: text)),
                        content: .init(bytes: Array(text.utf8), isIndexed: false))
                }
                try log.append([builder])
                if index == 0 { for _ in 0..<between { try log.append([frame("lost")]) } }
            }
        }
        let frames = try #require(commit).frames
        var bytes = try #require(volume.bytes(of: .log))
        // The spare and the trailer of the one, all between, the header and the head of the last.
        for index in Int(frames[2].offset) - 16..<Int(frames[2 + between].offset) + 40 {
            bytes[index] = 0
        }
        try volume.setBytes(bytes, of: .log)
        let served = ["zero"] + texts(0) + (flags == .independent ? texts(1) : [])
        #expect(try volume.texts() == served)
        let (_, next) = try volume.writer().withLock { try $0.append([frame("new")]) }
        #expect(next?.frames.first?.offset == commit?.end)
        // No sequence is given out twice.
        #expect(try #require(next?.frames.first).sequence == UInt64(frames.count + 1))
        #expect(try volume.texts() == served + ["new"])
        #expect(try Quarantine(volume).entries().isEmpty)
        let causes = try LogReader(volume, mapping: .never).receipt.entries.map(\.damage.cause)
        #expect(causes.contains(.badHeader) && !causes.contains(.sequenceGap))
    }

    @Test("records of a kind that is not known, or of no collection, are skipped and said to be so")
    func unknownKinds() throws {
        let volume = MemoryVolume()
        var frame = FrameBuilder(author: nil, flags: [], leadingNames: ["items"])
        let content = FrameBuilder.Content(bytes: [0xF5], isIndexed: false)
        for (kind, collection) in [(RecordKind.put, nil), (RecordKind(rawValue: 200), "items")] {
            try frame.append(
                kind: kind, collection: collection, key: RecordKey(integer: 1), content: content)
        }
        try frame.append(
            kind: .put, collection: "items", key: RecordKey(integer: 2), content: content)
        _ = try volume.writer().withLock { try $0.append([frame]) }
        let reader = try LogReader(volume, mapping: .never)
        #expect(reader.receipt.entries.map(\.damage.cause) == [.unknownKind, .unknownKind])
        #expect(reader.index.collections.count == 1)
        #expect {
            try volume.compact()
        } throws: { error in
            guard case LogError.damaged(let receipt, _) = error else { return false }
            return receipt.entries.count == 2
        }
    }
}
