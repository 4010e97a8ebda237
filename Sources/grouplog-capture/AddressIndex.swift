import GroupLog
import GroupLogFile
import GroupLogFormat
import StoreToolSupport
import ToolSupport

/// Finds items by their addresses, byte for byte.
///
/// Holds a hash and an offset for each version of an item in the log, and compares the address where
/// it stands. It follows the log: what came since is looked at once.
struct AddressIndex {
    private static let addressName = Array(ItemField.url.utf8)

    /// For each hash the offset of one record.
    private var offsets: [Int: UInt64] = [:]
    /// Further records of a hash: other versions and other items with the address.
    private var others: [Int: [UInt64]] = [:]
    private var header: LogHeader?
    private var position = LogLayout.firstFrameOffset
    private var lastSequence: UInt64?

    /// Takes up what a view has that was not seen yet.
    mutating func catchUp(with view: StoreView) throws {
        if header != view.header {
            self = AddressIndex()
            header = view.header
        }
        if lastSequence == view.sequence { return }
        let log = BufferedLogBytes(view.image)
        var walker = LogWalker(
            log, salt: view.header.salt, from: position, lastSequence: lastSequence)
        while true {
            switch try walker.next() {
            case .frame(let content):
                // The image may hold more than the view has seen.
                guard content.header.sequence <= view.sequence else { return }
                try log.withBytes(content.offset..<content.end) { takeUp(content, $0) }
                lastSequence = content.header.sequence
                position = content.end
            case .damage: continue
            case .unfinished, .end: return
            }
        }
    }

    private mutating func takeUp(_ content: FrameContent, _ bytes: RawSpan) {
        let names = content.head.names
        let name = names.firstIndex { $0 == ItemField.url }
        for record in content.records where record.kind == .put {
            guard content.collection(of: record) == ToolCollection.items.name,
                let address = try? address(of: record, name, bytes)
            else { continue }
            let hash = Self.hash(bytes.extracting(address))
            let offset = content.offset + UInt64(record.range.lowerBound)
            if offsets[hash] == nil {
                offsets[hash] = offset
            } else {
                others[hash, default: []].append(offset)
            }
        }
    }

    /// Where the address of a record stands; nil where it has none. What is not CBOR throws.
    private func address(
        of record: RecordHeader, _ name: Int?, _ bytes: RawSpan
    ) throws(CBORError) -> Range<Int>? {
        guard let offset = try record.field(Self.addressName, index: name, in: bytes) else {
            return nil
        }
        var reader = CBORReader(at: offset)
        let head = try reader.head(in: bytes)
        guard head.major == .text, !head.isIndefinite else { return nil }
        return try reader.content(of: head, in: bytes)
    }

    /// Whether an item of the view has the address. The view must have been taken up.
    func contains(_ address: [UInt8], in view: StoreView) throws -> Bool {
        let hash = unsafe Self.hash(address.span.bytes)
        guard let first = offsets[hash] else { return false }
        var contexts = view.contexts()
        for offset in [first] + (others[hash] ?? []) {
            guard let record = try readable(at: offset, in: view, &contexts),
                record.address.map({ $0.utf8.elementsEqual(address) }) == true
            else { continue }
            if try view.find(record.key, in: ToolCollection.items.name) == .live(offset) {
                return true
            }
        }
        return false
    }

    /// A record's key and address; nil for one that cannot be read any more, and has none so.
    private func readable(
        at offset: UInt64, in view: StoreView, _ contexts: inout FrameContexts
    ) throws -> (key: RecordKey, address: String?)? {
        do {
            let record = try view.record(at: offset, &contexts)
            return (record.key, try record.recordFields().value(of: ItemField.url)?.text)
        } catch is FormatError {
            return nil
        } catch is CBORError {
            return nil
        }
    }

    private static func hash(_ bytes: RawSpan) -> Int {
        var hasher = Hasher()
        unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        return hasher.finalize()
    }
}
