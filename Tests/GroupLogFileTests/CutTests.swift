import Foundation
import GroupLogFormat
import GroupLogSystem
import TestSupport
import Testing

@testable import GroupLogFile

/// A log of 200 commits of all kinds, cut at every byte.
@Suite struct CutTests {
    @Test("a log of 200 commits cut at any byte keeps what came before, and takes the next append")
    func cuts() throws {
        let sample = try MixedLog()
        let bytes = try sample.bytes()
        // A step that shares no factor with the frames' alignment meets every kind of place.
        for cut in stride(from: 4160, through: bytes.count, by: isFull ? 1 : 1511) {
            for slack in [0, 16_384] {
                try check(bytes[..<cut], slack: slack, of: sample)
            }
        }
    }

    private func check(_ bytes: ArraySlice<UInt8>, slack: Int, of sample: MixedLog) throws {
        let cut = bytes.count
        let state = try #require(sample.states.last { $0.end <= cut })
        let volume = MemoryVolume()
        let file = try volume.open(.log, .readWrite, .ifMissing)
        try file.writeAll(bytes + [UInt8](repeating: 0, count: slack), at: 0)
        let reader = try LogReader(volume, mapping: .never)
        #expect(try contents(of: reader) == state.texts, "cut at \(cut)")
        let before = reader.receipt
        #expect(before.entries.isEmpty, "cut at \(cut)")
        let isTorn = bytes[state.end...].contains { $0 != 0 }
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
