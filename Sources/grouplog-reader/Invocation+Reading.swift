import GroupLog
import GroupLogFile
import GroupLogFormat
import GroupLogSystem
import StoreToolSupport
import ToolSupport

extension Invocation {
    /// The state of the store that the invocation means, or that after a commit; what is damaged in
    /// it is told.
    func readView(at sequence: UInt64? = nil) throws -> StoreView {
        let store = try openStore(as: .readOnly)
        let view = try sequence.map { try store.view(at: $0) } ?? store.view()
        tell(view.receipt)
        return view
    }

    /// Tells what was not accepted of a log. This is said also where notes are not wanted: the
    /// exit status does not say it.
    func tell(_ receipt: StoreReceipt) {
        let most = 20
        for entry in receipt.entries.prefix(most) { note(entry.damage.sentence) }
        let rest = receipt.entries.count - most
        if rest > 0 {
            note("and \(counted(rest, "more damaged place")): see 'grouplog-dump verify'")
        }
    }

    /// Reads records one by one, and hands them out with their fields as they are printed. One
    /// that cannot be read is told and passed over; gives how many those were.
    func forEachRecord(
        at positions: some Sequence<ListPosition>, of view: StoreView,
        in collection: ToolCollection,
        _ body: (RecordKey, [RecordField]) throws -> Void
    ) throws -> Int {
        var contexts = view.contexts()
        var unreadable = 0
        for position in positions {
            if Interrupt.isRequested { throw ToolError.interrupted }
            var key: RecordKey?
            let fields: [RecordField]
            do {
                fields = try StoreError.translating(view.path) {
                    let record = try view.record(at: position.offset, &contexts)
                    key = record.key
                    return try view.printedFields(of: record, in: collection, &contexts)
                }
            } catch let error as StoreError where error.code == .corrupt {
                let name = key.map(KeyText.text) ?? "at offset \(position.offset)"
                note("cannot read the record \(name): \(error)")
                unreadable += 1
                continue
            }
            if let key { try body(key, fields) }
        }
        return unreadable
    }

    /// Says why a key has no record.
    func noteMissing(_ key: RecordKey, in collection: ToolCollection, of view: StoreView) throws {
        let text = KeyText.text(key)
        let found = try StoreError.translating(view.path) {
            try view.find(key, in: collection.name)
        }
        if case .deleted = found {
            note("the record \(text) of '\(collection.name)' was deleted")
        } else {
            note("'\(collection.name)' has no record with the id \(text)")
        }
    }
}

extension Damage {
    /// Where it is and what it means, for people.
    var sentence: String {
        var text = "\(cause.rawValue) at offset \(range.lowerBound)"
        if !range.isEmpty { text += " (\(counted(range.count, "byte")))" }
        guard let key else { return text }
        let place = collection.map { " of '\($0)'" } ?? ""
        return text + ": the record \(KeyText.text(key))\(place) was hit, an older one may show"
    }

    /// Whether records are missing because of it, or may be.
    var mayLoseRecords: Bool { cause != .unknownKind && lostRecords != 0 }
}
