import GroupLog
import GroupLogFile
import GroupLogFormat
import GroupLogSystem
import StoreToolSupport
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
    /// Nil where it cannot be read.
    let quarantineCount: Int?
    let holder: LockHolder?
    let token: HistoryToken
    let cursors: [StoreCursor]
    /// The bytes of records that a compaction would leave out.
    let deadBytes: UInt64
    /// Of the collection 'items'.
    let counts: StoreCounts

    /// - Parameter cache: the state that the table of offsets has; nil for that of now.
    init(_ store: Store, cache: StoreView? = nil) throws {
        let cache = try cache ?? store.view()
        let view = try store.scannedView()
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
        do throws(SystemError) {
            quarantineCount = try store.quarantine.entries().count
        } catch {
            // The log is what matters here; 'quarantine list' says what is wrong.
            quarantineCount = nil
        }
        holder = store.lastHolder()
        token = try StoreError.translating(path) { try view.token() }
        cursors = try store.cursors()
        deadBytes = index.deadBytes
        let items = ToolCollection.items.name
        let list = try StoreError.translating(path) { try cache.newestFirst(in: items) }
        let cached = cache.layer(of: items)
        counts = StoreCounts(
            disk: view.layer(of: items), cache: cached,
            results: .init(
                count: list.count, sequence: cached.sequence, offset: cached.offset,
                generation: cached.generation))
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
