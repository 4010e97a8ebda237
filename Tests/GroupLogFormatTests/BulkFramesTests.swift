import GroupLogFormat
import Testing

@Suite struct BulkFramesTests {
    @Test("the names of a record that goes to the next frame do not make the one before too long")
    func names() throws {
        var bulk = BulkFrames(author: "test")
        for record in 0..<4 {
            let names = (0..<100).map { "\(record)/\($0)/" + String(repeating: "n", count: 240) }
            try bulk.add(try #require(RecordKey(text: "\(record)")), in: "items") { builder in
                var writer = CBORWriter()
                writer.mapHead(names.count)
                for name in names {
                    let index = builder.index(ofName: name)
                    writer.unsigned(UInt64(try #require(index)))
                    writer.null()
                }
                return .init(bytes: writer.bytes, isIndexed: true)
            }
        }
        var offset = LogLayout.firstFrameOffset
        var found: [String: [String]] = [:]
        for (place, frame) in bulk.take().enumerated() {
            let bytes = try frame.sealed(
                sequence: UInt64(place + 1), time: 0, offset: offset, salt: 5)
            #expect(bytes.count <= LogLayout.maximumIndependentFrameLength)
            let span = unsafe bytes.span.bytes
            let header = try FrameHeader.decode(span, at: 0, logOffset: offset, salt: 5)
            let content = try FrameContent.decode(span, header: header, offset: offset, salt: 5)
            for record in content.records {
                let key = try #require(record.recordKey(span)?.textValue)
                guard case .map(let pairs) = try CBORValue.decode(span.copy(record.value)) else {
                    Issue.record("the value of \(key) is no map")
                    continue
                }
                found[key] = pairs.compactMap { pair in
                    guard case .unsigned(let index) = pair.key else { return nil }
                    return content.name(UInt16(index))
                }
            }
            offset += UInt64(bytes.count)
        }
        #expect(found.count == 4)
        for (key, names) in found {
            #expect(names.count == 100 && names.allSatisfy { $0.hasPrefix("\(key)/") })
        }
    }
}
