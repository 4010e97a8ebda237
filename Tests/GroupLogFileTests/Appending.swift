import GroupLogFormat
import Testing

@testable import GroupLogFile

/// A frame that deletes a record.
func tombstone(_ key: String) throws -> FrameBuilder {
    var builder = FrameBuilder(author: "test", leadingNames: ["items"])
    try builder.append(
        kind: .delete, collection: "items", key: try #require(RecordKey(text: key)))
    return builder
}

extension LogWriter {
    /// Appends frames, and returns when they survive a power loss.
    @discardableResult
    func appendDurably(_ frames: [FrameBuilder]) throws -> Commit {
        let (_, commit) = try withLock { try $0.append(frames) }
        let known = try #require(commit)
        try makeDurable(known)
        return known
    }

    /// Appends records of so many bytes, each a commit of its own, so that a log takes a while to
    /// be copied: `0 xxx…` with the key `k0`, and so on.
    func appendLong(count: Int, length: Int = 120_000) throws {
        let filling = String(repeating: "x", count: length)
        for index in 0..<count {
            _ = try withLock { try $0.append([frame("\(index) " + filling, key: "k\(index)")]) }
        }
    }
}
