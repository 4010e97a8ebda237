import GroupLogFormat
import Testing

@testable import GroupLog

@Suite struct RecordCollectionTests {
    private func nested(_ levels: Int) -> CBORValue {
        (0..<levels).reduce(.true) { value, _ in .array([value]) }
    }

    @Test("what can be stored can be read: a field is refused that is too deep in its record")
    func depth() throws {
        let store = try Store.inMemory()
        let records = RecordCollection(store, name: "notes", declaring: [])
        let deepest = nested(CBORValue.maximumDepth - 1)
        try records.append(RecordKey(integer: 1), [("a", deepest)])
        #expect(throws: StoreError.self) {
            try records.append(
                RecordKey(integer: 2), [("a", nested(CBORValue.maximumDepth))])
        }
        let view = try store.view()
        let fields = try #require(try view.record(RecordKey(integer: 1), in: "notes")).fields()
        #expect(fields.map(\.value) == [deepest])
        #expect(try view.record(RecordKey(integer: 2), in: "notes") == nil)
    }

    @Test("an entry that cannot be stored does not stop the import of the others")
    func refused() throws {
        let store = try Store.inMemory()
        let records = RecordCollection(store, name: "notes", declaring: [])
        let tooLarge = CBORValue.bytes([UInt8](repeating: 7, count: LogLayout.maximumRecordLength))
        let outcomes = try records.importing([
            (RecordKey(integer: 1), [("a", .true)]),
            (RecordKey(integer: 2), [("a", tooLarge)]),
            (RecordKey(integer: 3), [("a", nested(CBORValue.maximumDepth))]),
            (RecordKey(integer: 4), [("a", .true)]),
            (RecordKey(integer: 4), [("a", .false)]),
        ])
        #expect(outcomes.count == 5)
        #expect(outcomes.first == .added)
        for outcome in outcomes[1...2] {
            guard case .refused = outcome else {
                Issue.record("\(outcome)")
                continue
            }
        }
        #expect(outcomes[3...] == [.added, .present])
        #expect(try store.collections().map(\.count) == [2])
    }
}
