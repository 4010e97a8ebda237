import TestSupport
import Testing

@testable import GroupLogFormat

@Suite("Name tables that are read more than once")
struct KnownNamesTests {
    /// A log of frames whose tables have these names, the first of which is the author.
    private func log(_ tables: [[String]]) throws -> [UInt8] {
        var bytes = FixtureLog().bytes
        for (index, table) in tables.enumerated() {
            var frame = FrameBuilder(author: table.first)
            for name in table { _ = frame.index(ofName: name) }
            try frame.append(
                kind: .put, collection: table.last, key: RecordKey(integer: Int64(index)),
                content: FixtureLog.value("a"))
            bytes += try frame.sealed(
                sequence: UInt64(index + 1), time: 1, offset: UInt64(bytes.count),
                salt: FixtureLog.salt)
        }
        return bytes
    }

    @Test("each frame has its own names, however many tables there were before")
    func many() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let tables = (0..<200).map { _ in
            let number = Int.random(in: 0..<12, using: &random)
            return ["app \(number % 5)", "title", "items \(number)"]
        }
        var walker = LogWalker(LogBytesInMemory(try log(tables)), salt: FixtureLog.salt)
        for table in tables {
            guard case .frame(let content) = try walker.next() else {
                Issue.record("a frame is missing, seed \(seed)")
                return
            }
            #expect(content.head.names == table, "seed \(seed)")
            #expect(content.head.author == table[0], "seed \(seed)")
            #expect(content.damage.isEmpty, "seed \(seed)")
        }
    }

    @Test("the bytes of a known table are none of another count of names")
    func counts() throws {
        let table = ["app", "title", "items"]
        for count: UInt16 in [2, 4] {
            var bytes = try log([table, table])
            let second = (bytes.count + FixtureLog.firstFrame) / 2
            bytes.put(littleEndian: count, at: second + LogLayout.frameHeaderSize + 4)
            LogSealer(salt: FixtureLog.salt, [.inside, .payload, .ends]).seal(&bytes)
            var walker = LogWalker(LogBytesInMemory(bytes), salt: FixtureLog.salt)
            guard case .frame(let first) = try walker.next() else {
                Issue.record("the first frame is missing")
                return
            }
            #expect(first.damage.isEmpty)
            guard case .damage(let damage) = try walker.next() else {
                Issue.record("the second frame was served with \(count) names")
                return
            }
            #expect(damage.cause == .badPayload)
            #expect(damage.range == UInt64(second)..<UInt64(bytes.count))
        }
    }
}
