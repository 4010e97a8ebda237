import GroupLog
import GroupLogFormat
import StoreToolSupport
import ToolSupport

/// Where an import puts its entries: a store, or for a dry run only the question what would become
/// of them.
///
/// An entry that brings an id is known by it alone, since a store may well hold one address twice
/// and an export of it has to come back whole. One that brings none is known by its address, or by
/// the id that is made of its content.
struct ImportTarget {
    /// An entry on its way.
    struct Candidate {
        let entry: ImportEntry
        let key: RecordKey
        /// The address by which it is known.
        let address: ByteString?
        /// Whether only an id of its own makes it what it is.
        let hasKey: Bool

        init(_ entry: ImportEntry, of collection: ToolCollection) {
            self.entry = entry
            key = entry.key ?? entry.naturalKey(in: collection.kind)
            hasKey = entry.key != nil
            let url = collection.isItems ? entry[ItemField.url]?.text : nil
            address = url.map(ByteString.init)
        }
    }

    private let records: RecordCollection
    private let isRevived: Bool
    private var addresses = AddressIndex()

    init(_ records: RecordCollection, isRevived: Bool) {
        self.records = records
        self.isRevived = isRevived
    }

    /// Adds those that are not there yet.
    mutating func add(
        _ batch: [Candidate]
    ) throws -> [RecordCollection.ImportOutcome] {
        let usesAddresses = batch.contains { !$0.hasKey && $0.address != nil }
        // Most of the work is done before the lock is taken.
        if usesAddresses { try addresses.catchUp(with: records.store.view()) }
        var places: [ByteString: [Int]] = [:]
        for (place, candidate) in batch.enumerated() {
            if let address = candidate.address { places[address, default: []].append(place) }
        }
        return try records.importing(
            batch.map { ($0.key, $0.entry.fields.forStoring) }, isRevived: isRevived
        ) { view, outcomes in
            let candidate = batch[outcomes.count]
            guard !candidate.hasKey, let address = candidate.address else { return false }
            for place in places[address] ?? [] {
                guard place < outcomes.count else { break }
                if outcomes[place] == .added { return true }
            }
            try addresses.catchUp(with: view)
            return try addresses.contains(Array(address.text.utf8), in: view)
        }
    }
}
