import GroupLogFormat
import GroupLogSystem
import TestSupport
import Testing

@testable import GroupLogFile

/// A value full of what looks like frames, in a commit that did not come to its end, or was damaged:
/// what a writer and a reader do about it grows with the bytes that are torn, and no faster.
@Suite struct FalseFrameTests {
    private static let size = isFull ? 16 << 20 : 512 << 10

    /// What the value is made of, at multiples of eight in the log.
    enum Pattern: CaseIterable {
        /// Words that can all be the begin of a frame's header, and all its end.
        case headers, trailers, both
        /// Frames of this log at other places, frames of another log at their own.
        case ownFrames, otherFrames
    }

    private struct Log {
        let volume = FaultyVolume()
        let start: Int
        let end: Int
        let bytes: [UInt8]

        init(_ pattern: Pattern) throws {
            let writer = volume.writer()
            for index in 0..<40 { _ = try writer.withLock { try $0.append([frame("\(index)")]) } }
            start = Int(try writer.withLock { $0.tail.end }.result)
            var builder = FrameBuilder(author: nil, leadingNames: ["items"])
            let front =
                start + LogLayout.frameHeaderSize + LogLayout.payloadHeadBaseSize + 6
                + LogLayout.recordHeaderSize + 4
            var value = [UInt8](repeating: 0x20, count: (8 - front % 8) % 8)
            let words = try Self.words(
                pattern, try #require(volume.bytes(of: .log)), front + value.count)
            while value.count < FalseFrameTests.size { value += words }
            try builder.append(
                kind: .put, collection: "items", key: #require(RecordKey(text: "long")),
                content: .init(bytes: value, isIndexed: false))
            let (_, commit) = try writer.withLock { try $0.append([builder]) }
            end = Int(try #require(commit).end)
            bytes = try #require(volume.bytes(of: .log))
        }

        private static func words(
            _ pattern: Pattern, _ log: [UInt8], _ offset: Int
        ) throws -> [UInt8] {
            // A marker, no flags, 2,048 bytes long; the end of a frame of 2,048 bytes.
            let header: [UInt8] = [0xF1, 0x47, 0, 0, 0, 8, 0, 0]
            let trailer: [UInt8] = [0xF1, 0x47, 0, 0, 0, 1, 0, 0xE7]
            let first = Int(LogLayout.firstFrameOffset)
            switch pattern {
            case .headers: return header
            case .trailers: return trailer
            case .both: return header + trailer
            case .ownFrames: return Array(log[first..<first + 4096])
            case .otherFrames:
                let other = FaultyVolume()
                let writer = other.writer()
                var end: UInt64 = 0
                while end < offset + 4096 {
                    let (_, commit) = try writer.withLock {
                        try $0.append([frame("a record of another log")])
                    }
                    end = try #require(commit).end
                }
                return Array(try #require(other.bytes(of: .log))[offset..<offset + 4096])
            }
        }

        /// How many bytes an append reads by a writer that finds the log so, and one behind it.
        func bytesReadToAppend(to bytes: [UInt8], hasLockFile: Bool) throws -> (
            first: Int, next: Int
        ) {
            try volume.setBytes(bytes, of: .log)
            if !hasLockFile { try volume.remove(.lock) }
            var counts: [Int] = []
            for text in ["new", "next"] {
                volume.setFaults([])
                _ = try volume.writer().withLock { try $0.append([frame(text)]) }
                counts.append(volume.bytesRead)
            }
            return (counts[0], counts[1])
        }
    }

    @Test(
        "an append behind a torn commit full of false frames reads so many bytes as are torn, times a constant",
        arguments: Pattern.allCases)
    func torn(_ pattern: Pattern) throws {
        let log = try Log(pattern)
        let middle = (log.start + log.end) / 2
        for slack in [0, 70_000] {
            let bytes = Array(log.bytes[..<middle]) + [UInt8](repeating: 0, count: slack)
            let (first, next) = try log.bytesReadToAppend(to: bytes, hasLockFile: slack == 0)
            // Going back, 8 bytes and at most 32 for each 8; then a copy to quarantine.
            #expect(first <= 8 * (middle - log.start) + 200_000)
            #expect(next <= 20_000)
            #expect(try Quarantine(log.volume).entries().map(\.offset) == [UInt64(log.start)])
            try Quarantine(log.volume).entries().forEach { try Quarantine(log.volume).remove($0) }
            let expected = (0..<40).map(String.init) + ["new", "next"]
            log.volume.setFaults([])
            #expect(try log.volume.texts() == expected)
            // What was torn is zeros now, and looked at once.
            #expect(log.volume.bytesRead <= 2 * bytes.count + 1_000_000)
        }
    }

    @Test(
        "a whole commit full of false frames that is damaged costs an append what its damaged end costs, and a reader one look at each byte",
        arguments: Pattern.allCases)
    func damaged(_ pattern: Pattern) throws {
        let log = try Log(pattern)
        let length = log.end - log.start
        let slack = log.bytes.count - log.end
        let expected = (0..<40).map(String.init) + ["new", "next"]
        // Its payload, its header, its trailer.
        let places = [(log.start + length / 2, 0), (log.start + 9, 8), (log.end - 6, 8)]
        for (place, factor) in places {
            var bytes = log.bytes
            bytes[place] ^= 1
            let (first, next) = try log.bytesReadToAppend(to: bytes, hasLockFile: false)
            #expect(first <= factor * length + 2 * slack + 200_000, "byte \(place)")
            #expect(next <= 20_000)
            #expect(try Quarantine(log.volume).entries().isEmpty)
            log.volume.setFaults([])
            let texts = try log.volume.texts()
            #expect(texts.filter { $0.count < 10 } == expected)
            #expect(log.volume.bytesRead <= 6 * length + 1_000_000, "byte \(place)")
        }
    }
}
