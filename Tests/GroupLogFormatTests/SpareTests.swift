import Testing

@testable import GroupLogFormat

@Suite struct SpareTests {
    private let salt: UInt64 = 77
    private let offset: UInt64 = 8192

    private func frame(records: Int, names: [String], flags: FrameFlags = .independent) throws
        -> [UInt8]
    {
        var frame = FrameBuilder(author: names.first, flags: flags, leadingNames: names)
        for index in 0..<records {
            try frame.append(
                kind: .put, collection: names.last, key: RecordKey(integer: Int64(index)),
                content: .init(bytes: [UInt8](repeating: 0x0A, count: index), isIndexed: false))
        }
        return try frame.sealed(sequence: 12, time: -3, offset: offset, salt: salt)
    }

    private func spare(_ bytes: [UInt8]) -> Spare? {
        unsafe Spare.decode(
            bytes.span.bytes, at: 0, length: bytes.count, frameOffset: offset, salt: salt)
    }

    @Test("the spare repeats the head, the header and where each record begins")
    func content() throws {
        for records in [0, 1, 2, 7, 100] {
            for names in [[], ["a"], ["items", "title", "url"]] {
                let bytes = try frame(records: records, names: names)
                let spare = try #require(self.spare(bytes))
                let header = try FrameHeader.decode(
                    unsafe bytes.span.bytes, at: 0, logOffset: offset, salt: salt)
                let content = try FrameContent.decode(
                    unsafe bytes.span.bytes, header: header, offset: offset, salt: salt)
                #expect(spare.head == content.head)
                #expect(spare.head.names == names && spare.head.recordCount == records)
                #expect(spare.directory == content.records.map(\.range.lowerBound))
                #expect(spare.header.sequence == 12 && spare.header.time == -3)
                #expect(Int(spare.header.length) == bytes.count)
                #expect(spare.header.flags == .independent)
            }
        }
    }

    @Test("a spare with any bit flipped is no spare")
    func flips() throws {
        let bytes = try frame(records: 3, names: ["items"])
        let start = try #require(self.spare(bytes)?.start)
        for bit in start * 8..<(bytes.count - LogLayout.frameTrailerSize) * 8 {
            var changed = bytes
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(spare(changed) == nil, "bit \(bit)")
        }
    }

    @Test("a spare is one only at its own place, and a transaction has none")
    func place() throws {
        let bytes = try frame(records: 3, names: ["items"])
        #expect(
            unsafe Spare.decode(
                bytes.span.bytes, at: 0, length: bytes.count, frameOffset: offset + 8, salt: salt)
                == nil)
        #expect(
            unsafe Spare.decode(
                bytes.span.bytes, at: 0, length: bytes.count, frameOffset: offset, salt: salt + 1)
                == nil)
        #expect(spare(try frame(records: 3, names: ["items"], flags: [])) == nil)
    }

    @Test(
        "an independent frame reaches 64 KiB, with its last record at the end of what 16 bits tell")
    func largest() throws {
        var frame = FrameBuilder(author: nil, flags: .independent)
        let content = FrameBuilder.Content(
            bytes: [UInt8](repeating: 1, count: 65_200), isIndexed: false)
        try frame.append(kind: .put, collection: "c", key: RecordKey(integer: 1), content: content)
        while frame.lengthBound + 60 < LogLayout.maximumIndependentFrameLength {
            try frame.append(kind: .delete, collection: "c", key: RecordKey(integer: 2))
        }
        let bytes = try frame.sealed(sequence: 12, time: 0, offset: offset, salt: salt)
        #expect(bytes.count > 65_400 && bytes.count <= LogLayout.maximumIndependentFrameLength)
        #expect(try #require(spare(bytes)?.directory.last) > 65_200)
    }
}
