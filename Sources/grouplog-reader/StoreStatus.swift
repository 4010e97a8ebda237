import GroupLog
import GroupLogFile
import GroupLogFormat
import ToolSupport

/// What there is to say of a store at one moment.
struct StoreStatus {
    let path: String
    let header: LogHeader
    let sequence: UInt64
    let collections: [(name: String, count: Int)]
    let valueCount: Int
    let frameCount: Int
    /// Records that are the newest of their kind for their key.
    let liveCount: Int
    let deadCount: Int
    let size: UInt64
    let slack: UInt64
    let damage: [StoreReceipt.Entry]
    let unfinished: Range<UInt64>?
    let quarantineCount: Int
    let holder: LockHolder?

    init(_ store: Store) throws {
        let view = try store.view()
        let receipt = view.receipt
        path = store.path
        header = view.header
        sequence = view.sequence
        collections = view.userCollections
        valueCount = view.counts.first { $0.name == KeyValues.collection }?.count ?? 0
        frameCount = receipt.frameCount
        let index = view.index
        liveCount = index.collections.values.reduce(index.cursors.count) {
            $0 + $1.values.liveCount + $1.syncStates.liveCount
        }
        deadCount = max(0, index.recordCount - liveCount)
        size = view.image.size
        slack = size - min(size, receipt.unfinished?.upperBound ?? view.end)
        damage = receipt.entries
        unfinished = receipt.unfinished
        quarantineCount = try store.quarantine.entries().count
        holder = store.lastHolder()
    }
}

extension LogHeader {
    var version: String { "\(majorVersion).\(minorVersion)" }
}

extension JSONWriter {
    /// A moment of a log: microseconds since 1970, as an instant.
    mutating func time(_ microseconds: Int64) {
        string(Timestamp.text(microsecondsSince1970: microseconds))
    }
}
