import GroupLogFormat
import ToolSupport

/// Which values a log has, by hashes of 64 bits, to be compared with those of another: about 40 bytes
/// of memory a key.
struct LiveRecords {
    /// The newest value of a key.
    struct Holder {
        var offset: UInt64
        var sequence: UInt64
        /// Of the value with its names, so that it does not depend on the frame.
        var valueHash: UInt64
    }

    private(set) var holders: [UInt64: Holder] = [:]

    /// Goes through a log to its end.
    init(of source: LogSource, _ invocation: Invocation) throws {
        try LogScan(source, progress: invocation).forEach { part in
            guard case .frame(let content) = part else { return true }
            try source.bytes.withBytes(part.range) { bytes in
                for record in content.records { apply(record, of: content, bytes) }
            }
            return true
        }
    }

    private mutating func apply(
        _ record: RecordHeader, of content: FrameContent, _ bytes: RawSpan
    ) {
        guard let hash = Self.hash(record, of: content, bytes) else { return }
        guard record.kind != .delete else {
            holders[hash] = nil
            return
        }
        holders[hash] = Holder(
            offset: content.offset + UInt64(record.range.lowerBound),
            sequence: content.provenance(bytes, of: record)?.sequence ?? content.header.sequence,
            valueHash: Self.valueHash(record, of: content, bytes))
    }

    /// What stands for the key of a put or a delete; nil for other records.
    static func hash(
        _ record: RecordHeader, of content: FrameContent, _ bytes: RawSpan
    ) -> UInt64? {
        guard record.kind == .put || record.kind == .delete,
            let collection = content.collection(of: record)
        else { return nil }
        var hasher = Hasher()
        hasher.combine(ByteString(collection))
        hasher.combine(record.keyKind)
        unsafe bytes.extracting(record.key).withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    /// The order of a record's fields does not matter.
    private static func valueHash(
        _ record: RecordHeader, of content: FrameContent, _ bytes: RawSpan
    ) -> UInt64 {
        let value = RecordValue(record, bytes, names: content.head.names).value
        guard let value, case .map(let pairs) = value else {
            var hasher = Hasher()
            unsafe bytes.extracting(record.value).withUnsafeBytes {
                unsafe hasher.combine(bytes: $0)
            }
            return UInt64(bitPattern: Int64(hasher.finalize()))
        }
        var sum: UInt64 = 0
        for pair in pairs {
            var hasher = Hasher()
            hasher.combine(pair.key.diagnostic)
            hasher.combine(pair.value.diagnostic)
            sum &+= UInt64(bitPattern: Int64(hasher.finalize()))
        }
        return sum
    }
}
