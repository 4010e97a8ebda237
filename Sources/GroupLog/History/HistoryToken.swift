#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
public import GroupLogFormat

/// A place in the history of a store: behind one commit. What a consumer keeps, to ask later for what
/// came since.
///
/// It names the store, the commit's sequence, and the commit's checksum, by which a history that has
/// taken another course is told from this one. It can be kept as text or by `Codable`, anywhere and for
/// as long as one likes; it stays valid when the store is compacted, within the bounds that
/// ``Store/forEachCommit(since:_:)`` tells.
public struct HistoryToken: Hashable, Sendable {
    /// The store.
    public let storeID: StoreID
    /// The last commit that the consumer is done with; 0 for none.
    public let sequence: UInt64
    /// That commit's checksum; 0 for none.
    let checksum: UInt32

    init(storeID: StoreID, sequence: UInt64, checksum: UInt32) {
        self.storeID = storeID
        self.sequence = sequence
        self.checksum = checksum
    }

    /// The place before the first commit of a store.
    package static func beginning(of storeID: StoreID) -> HistoryToken {
        HistoryToken(storeID: storeID, sequence: 0, checksum: 0)
    }
}

extension HistoryToken: LosslessStringConvertible, Codable {
    /// The token as text: the sequence, eight hexadecimal digits and the store's id, with points between.
    public var description: String { "\(shortText).\(storeID)" }

    /// The text without the store's id.
    package var shortText: String {
        let digits = RecordKey.hexadecimal(
            stride(from: 24, through: 0, by: -8).map {
                UInt8(truncatingIfNeeded: checksum >> $0)
            })
        return "\(sequence).\(digits)"
    }

    /// Reads a token's text; nil where it is none.
    public init?(_ description: String) {
        let parts = description.split(
            separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let sequence = Self.number(parts[0], radix: 10),
            sequence <= LogLayout.maximumSequence, parts[1].utf8.count == 8,
            let checksum = Self.number(parts[1], radix: 16),
            let id = UUID(uuidString: String(parts[2]))?.recordKey
        else { return nil }
        self.init(
            storeID: StoreID(bytes: id.bytes), sequence: sequence,
            checksum: UInt32(truncatingIfNeeded: checksum))
    }

    /// Digits and nothing else: the standard library takes a sign too.
    private static func number(_ text: Substring, radix: Int) -> UInt64? {
        text.utf8.first == UInt8(ascii: "+") ? nil : UInt64(text, radix: radix)
    }

    /// Decodes the text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let token = HistoryToken(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "'\(text)' is no token of a history")
        }
        self = token
    }

    /// Encodes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
