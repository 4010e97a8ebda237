import GroupLogFile
public import GroupLogFormat

/// What was not accepted of a log when it was read, and what stands behind it.
///
/// Damage stays where it is, and costs what was hit and nothing else: no writer removes it, and what
/// stands behind it is served. `grouplog-dump` shows the bytes.
public struct StoreReceipt: Hashable, Sendable {
    /// One byte range that was not accepted.
    public struct Entry: Hashable, Sendable, CustomStringConvertible {
        /// Where, why, and the key where it can be read; the type is one of `GroupLogFormat`.
        public var damage: Damage
        /// How many whole frames lie behind it.
        public var framesBehind: Int

        /// The bytes of the log.
        public var range: Range<UInt64> { damage.range }

        /// What is wrong with which bytes, and what that costs, for people.
        public var description: String {
            var text = "\(damage.cause.rawValue) at \(range.lowerBound)..<\(range.upperBound)"
            if let key = damage.key, let collection = damage.collection {
                text += ", perhaps of \(key) in '\(collection)'"
            }
            if let count = damage.lostRecords {
                text += ", \(count) \(count == 1 ? "record" : "records") lost"
            }
            return text + ", \(framesBehind) \(framesBehind == 1 ? "frame" : "frames") behind it"
        }
    }

    /// The ranges, in the order in which they stand.
    public var entries: [Entry]
    /// Bytes at the log's end that are not, or not yet, a whole frame. Not damage: the next writer
    /// takes a write that broke off out of the way.
    public var unfinished: Range<UInt64>?
    /// How many whole frames were read.
    public var frameCount: Int

    init(_ receipt: LogReceipt) {
        entries = receipt.entries
            .map { Entry(damage: $0.damage, framesBehind: receipt.framesBehind($0)) }
            .sorted { $0.damage.range.lowerBound < $1.damage.range.lowerBound }
        unfinished = receipt.unfinished
        frameCount = receipt.frameCount
    }

    /// Whether everything was accepted.
    public var isClean: Bool { entries.isEmpty }
}
