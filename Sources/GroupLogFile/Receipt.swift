package import GroupLogFormat

/// What was not accepted or could not be served of a log, and what stands behind it.
package struct LogReceipt: Sendable {
    /// One range that was not accepted.
    package struct Entry: Sendable {
        package var damage: Damage
        /// How many whole frames were read before it.
        var framesBefore: Int
    }

    package internal(set) var entries: [Entry] = []
    /// Bytes at the end that are not a whole frame: a write under way, or one that never ended.
    package internal(set) var unfinished: Range<UInt64>?
    /// How many whole frames were read in all.
    package internal(set) var frameCount = 0

    package init() {}

    /// What it says of the header, which is read apart from the frames.
    var ofHeaders: LogReceipt {
        var receipt = LogReceipt()
        receipt.entries = entries.filter { $0.damage.cause == .badLogHeader }
        return receipt
    }

    mutating func note(_ damage: Damage) {
        entries.append(Entry(damage: damage, framesBefore: frameCount))
    }

    /// How many whole frames lie behind an entry.
    package func framesBehind(_ entry: Entry) -> Int { frameCount - entry.framesBefore }
}
