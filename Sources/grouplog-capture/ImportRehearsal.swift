import GroupLog
import GroupLogFormat
import StoreToolSupport
import ToolSupport

/// What an import would do to a store, or to none.
struct ImportRehearsal {
    private let store: Store?
    private let collection: ToolCollection
    private let isRevived: Bool
    private var addresses = AddressIndex()
    private var seenKeys: Set<RecordKey> = []
    private var seenAddresses: Set<ByteString> = []

    init(_ store: Store?, _ collection: ToolCollection, isRevived: Bool) {
        self.store = store
        self.collection = collection
        self.isRevived = isRevived
    }

    mutating func add(
        _ batch: [ImportTarget.Candidate]
    ) throws -> [RecordCollection.ImportOutcome] {
        let view = try store?.view()
        return try batch.map { candidate in
            let outcome = try outcome(of: candidate, in: view)
            if outcome == .added {
                seenKeys.insert(candidate.key)
                if let address = candidate.address { seenAddresses.insert(address) }
            }
            return outcome
        }
    }

    private mutating func outcome(
        of candidate: ImportTarget.Candidate, in view: StoreView?
    ) throws -> RecordCollection.ImportOutcome {
        if seenKeys.contains(candidate.key) { return .present }
        let address = candidate.hasKey ? nil : candidate.address
        if let address, seenAddresses.contains(address) { return .present }
        guard let view else { return .added }
        return try view.outcome(
            ofImporting: candidate.key, to: collection.name, isRevived: isRevived
        ) {
            guard let address else { return false }
            try addresses.catchUp(with: view)
            return try addresses.contains(Array(address.text.utf8), in: view)
        }
    }
}
