import Foundation
import GroupLogFormat
import TestSupport
import Testing

@testable import GroupLogFile

/// Readers and writers find the end of a log by different ways: one from the front, one from the
/// back. They have to come to the same place, whatever stands there.
@Suite struct AgreementTests {
    private static func sample(_ random: inout SeededGenerator) throws -> [UInt8] {
        let volume = FaultyVolume()
        let writer = volume.writer()
        for index in 0..<Int.random(in: 1...8, using: &random) {
            let length = [3, 60, 700, 5000].randomElement(using: &random) ?? 0
            let flags: FrameFlags = Bool.random(using: &random) ? .independent : []
            _ = try writer.withLock {
                try $0.append([
                    frame("\(index) " + String(repeating: "ab", count: length), flags: flags)
                ])
            }
        }
        return try #require(volume.bytes(of: .log))
    }

    /// Harms the last part of a log in one to three ways.
    private static func harm(_ log: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = log
        let floor = Int(LogLayout.firstFrameOffset)
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let content = max(floor, (bytes.lastIndex { $0 != 0 } ?? 0) + 1)
            let start = Int.random(in: max(floor, content - 800)...content, using: &random)
            let length = Int.random(in: 1...600, using: &random)
            let range = start..<min(start + length, bytes.count)
            guard !range.isEmpty else { continue }
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes.removeSubrange(start...)
            case 1: bytes[start] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 2: for index in range { bytes[index] = 0 }
            case 3: for index in range { bytes[index] = .random(in: 0...255, using: &random) }
            default:
                let source = Int.random(in: floor...start, using: &random)
                let copy = Array(bytes[source..<min(source + range.count, bytes.count)])
                bytes.replaceSubrange(start..<start + min(copy.count, range.count), with: copy)
            }
        }
        return bytes
    }

    @Test(
        "a reader ends where a writer goes on, and sees what is appended there, and only that more")
    func ends() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        for round in 0..<(isFull ? 5_000 : 100) {
            var random = SeededGenerator(seed: seed &+ UInt64(round))
            let comment: Comment = "seed \(seed), round \(round)"
            let volume = FaultyVolume()
            try volume.setBytes(Self.harm(try Self.sample(&random), &random), of: .log)
            let before = try LogReader(volume, mapping: .never)
            let tail = try volume.writer().withLock { $0.tail }.result
            var reader = try LogReader(volume, mapping: .never)
            // What has to stay in front of the next frame is unfinished until there is one.
            let end = reader.receipt.unfinished?.upperBound ?? reader.end
            #expect((end + 7) / 8 * 8 == tail.end, comment)
            #expect(try before.texts() == reader.texts(), comment)
            #expect(reader.receipt.unfinished == nil || tail.damaged != nil, comment)
            #expect(reader.sequence < tail.nextSequence, comment)
            _ = try volume.writer().withLock { try $0.append([frame("next")]) }
            #expect(try reader.refresh() == .grown, comment)
            let anew = try LogReader(volume, mapping: .never)
            for reader in [reader, anew] {
                #expect(try reader.texts() == before.texts() + ["next"], comment)
                #expect(reader.end == anew.end && reader.sequence == tail.nextSequence, comment)
            }
            #expect(try volume.writer().withLock { $0.tail.end }.result == anew.end, comment)
        }
    }

    @Test(
        "a commit whose trailer is gone stays, however often a writer looks at what is torn behind")
    func writtenFrame() throws {
        let volume = FaultyVolume()
        let writer = volume.writer()
        _ = try writer.withLock { try $0.append([frame("one"), frame("two")]) }
        let end = Int(try writer.withLock { $0.tail.end }.result)
        var bytes = try #require(volume.bytes(of: .log))
        for index in end - 8..<end { bytes[index] = 0 }
        for index in end + 16..<end + 90 { bytes[index] = 0x33 }
        try volume.setBytes(bytes, of: .log)
        for _ in 0..<3 { _ = try volume.writer().withLock { _ in } }
        #expect(try volume.texts() == ["one", "two"])
        _ = try volume.writer().withLock { try $0.append([frame("three")]) }
        #expect(try volume.texts() == ["one", "two", "three"])
        let receipt = try LogReader(volume, mapping: .never).receipt
        #expect(receipt.entries.map(\.damage.cause) == [.badTrailer, .badHeader])
    }
}
