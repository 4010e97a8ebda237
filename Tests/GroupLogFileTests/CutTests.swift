import Foundation
import GroupLogFormat
import GroupLogSystem
import TestSupport
import Testing

@testable import GroupLogFile

/// A log of 200 commits of all kinds, cut at every byte.
@Suite struct CutTests {
    /// What the log holds after each of its frames.
    private struct Sample {
        var bytes: [UInt8]
        var states: [(end: Int, texts: [String: String])]
    }

    private static func sample() throws -> Sample {
        let volume = MemoryVolume()
        let writer = volume.writer()
        var random = SeededGenerator(seed: 7)
        var texts: [String: String] = [:]
        var states: [(end: Int, texts: [String: String])] = [(4160, [:])]
        for index in 0..<200 {
            let kind = random.next() % 10
            let flags: FrameFlags = kind < 3 ? .independent : []
            var builder = FrameBuilder(author: "test", flags: flags, leadingNames: ["items"])
            for part in 0..<(kind < 5 ? 1 + Int(random.next() % 4) : 1) {
                let isDelete = kind == 9 && !texts.isEmpty
                let key = isDelete ? texts.keys.sorted()[0] : "\(index % 60).\(part)"
                let length = kind == 8 ? 3000 : Int(random.next() % 60)
                let text = "\(index) " + String(repeating: "é", count: length)
                try builder.append(
                    kind: isDelete ? .delete : .put, collection: "items",
                    key: #require(RecordKey(text: key)),
                    content: .init(bytes: isDelete ? [] : Array(text.utf8), isIndexed: false))
                texts[key] = isDelete ? nil : text
            }
            let (_, commit) = try writer.withLock { try $0.append([builder]) }
            states.append((Int(try #require(commit).end), texts))
        }
        let file = try volume.open(.log, .read, .never)
        return Sample(bytes: try file.read(0..<UInt64(states[200].end)), states: states)
    }

    @Test("a log of 200 commits cut at any byte keeps what came before, and takes the next append")
    func cuts() throws {
        let sample = try Self.sample()
        // A step that shares no factor with the frames' alignment meets every kind of place.
        for cut in stride(from: 4160, through: sample.bytes.count, by: isFull ? 1 : 1511) {
            for slack in [0, 16_384] {
                try check(cut, slack: slack, of: sample)
            }
        }
    }

    private func check(_ cut: Int, slack: Int, of sample: Sample) throws {
        let state = try #require(sample.states.last { $0.end <= cut })
        let volume = MemoryVolume()
        let file = try volume.open(.log, .readWrite, .ifMissing)
        try file.writeAll(
            Array(sample.bytes[..<cut]) + [UInt8](repeating: 0, count: slack), at: 0)
        let reader = try LogReader(volume, mapping: .never)
        #expect(try contents(of: reader) == state.texts, "cut at \(cut)")
        let before = reader.receipt
        #expect(before.entries.isEmpty, "cut at \(cut)")
        let isTorn = sample.bytes[state.end..<cut].contains { $0 != 0 }
        let torn = isTorn ? UInt64(state.end) : nil
        #expect(before.unfinished?.lowerBound == torn, "cut at \(cut)")

        _ = try volume.writer().withLock { try $0.append([frame("new")]) }
        var expected = state.texts
        expected["new"] = "new"
        let later = try LogReader(volume, mapping: .never)
        #expect(try contents(of: later) == expected, "cut at \(cut)")
        let after = later.receipt
        #expect(after.entries.isEmpty && after.unfinished == nil, "cut at \(cut)")
        let kept = try Quarantine(volume).entries()
        #expect(kept.map(\.offset) == (torn.map { [$0] } ?? []), "cut at \(cut)")
    }

    private func contents(of reader: LogReader) throws -> [String: String] {
        var contexts = FrameContexts()
        var result: [String: String] = [:]
        let offsets = reader.index.collections[ByteString("items")]?.values.liveOffsets ?? []
        for offset in offsets {
            let record = try reader.image.storedRecord(
                at: offset, salt: reader.header.salt, contexts: &contexts)
            result[record.key.description] = String(decoding: record.value, as: UTF8.self)
        }
        return result
    }
}
