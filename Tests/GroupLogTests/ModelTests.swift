import Foundation
import Testing

@testable import GroupLog
import GroupLogFormat

private struct WrongField: Model {
    static let collection = "wrong"
    var id = UUID()
    var title: String?
    var note: String?

    struct Fields: FieldSet {
        let title = Field(CodingKeys.title, \WrongField.note)
    }
}

private struct ForeignField: Model {
    static let collection = "foreign"
    var id = UUID()

    struct Fields: FieldSet {
        let title = Field(CodingKeys.id, \Bookmark.id)
    }
}

private struct Reserved: Model {
    static let collection = "$values"
    var id = UUID()
}

private struct BareID: RecordIdentifier {
    var number: Int
    var recordKey: RecordKey? { number.recordKey }
}

private struct WithBareID: Model {
    static let collection = "bare"
    var id: BareID
}

private struct Unwilling: Model {
    struct Refusal: Error {}
    static let collection = "unwilling"
    var id = UUID()
    func encode(to encoder: any Encoder) throws { throw Refusal() }
}

private struct PageID: RawRepresentable, RecordIdentifier { var rawValue: UUID }
private struct HostID: RawRepresentable, RecordIdentifier { var rawValue: String }
private enum Shelf: Int, RecordIdentifier { case left = -1, right = 1 }

private struct Item<ID: RecordIdentifier>: Model, Equatable {
    static var collection: String { "item of \(ID.self)" }
    var id: ID
    var note: String?
}

@Suite struct ModelTests {
    @Test("a type around a UUID, a text or a number is an id, and comes back")
    func wrappedIdentifiers() throws {
        func roundTrip<ID: RecordIdentifier>(_ id: ID) throws {
            let store = try Store.inMemory()
            let item = Item(id: id, note: "x")
            try store[Item<ID>.self].insert(item)
            #expect(try store[Item<ID>.self].get(id) == item)
            #expect(try store[Item<ID>.self].newest() == [item])
            #expect(throws: StoreError.self) { try store[Item<ID>.self].insert(item) }
        }
        try roundTrip(PageID(rawValue: UUID()))
        try roundTrip(HostID(rawValue: "example.com"))
        try roundTrip(Shelf.left)
        try roundTrip(Int.min)
        try roundTrip(Int64.max)
    }

    @Test("an empty id is refused")
    func emptyIdentifier() throws {
        let store = try Store.inMemory()
        #expect {
            try store[Item<HostID>.self].insert(Item(id: HostID(rawValue: "")))
        } throws: { error in
            StoreError.Code.invalidValue ~= error
        }
    }

    @Test("what the model's own coding throws passes as it is")
    func codingErrors() throws {
        let store = try Store.inMemory()
        #expect(throws: Unwilling.Refusal.self) { try store[Unwilling.self].append(Unwilling()) }
        #expect(try store[Unwilling.self].count() == 0)
    }

    #if DEBUG
        @Test("a field that is declared with another property traps when that first has a value")
        func wrongField() async throws {
            let store = try Store.inMemory()
            try await store[WrongField.self].append(WrongField(title: "only the title"))
            let result = await #expect(
                processExitsWith: .failure, observing: [\.standardErrorContent]
            ) {
                let store = try Store.inMemory()
                try await store[WrongField.self].append(WrongField())
                try await store[WrongField.self].append(WrongField(title: "a", note: "b"))
            }
            #expect(says(result, "the field 'title' of WrongField is not stored under this name"))
        }

        @Test("a field of another model traps")
        func foreignField() async {
            let result = await #expect(
                processExitsWith: .failure, observing: [\.standardErrorContent]
            ) {
                try await Store.inMemory()[ForeignField.self].append(ForeignField())
            }
            #expect(says(result, "the field 'id' of ForeignField is one of Bookmark"))
        }

        @Test("an id that is not coded as its key traps")
        func bareIdentifier() async {
            let result = await #expect(
                processExitsWith: .failure, observing: [\.standardErrorContent]
            ) {
                try await Store.inMemory()[WithBareID.self].append(
                    WithBareID(id: BareID(number: 1)))
            }
            #expect(says(result, "BareID is not coded as its record key"))
        }

        @Test("writing to a reserved collection traps")
        func reservedName() async {
            let result = await #expect(
                processExitsWith: .failure, observing: [\.standardErrorContent]
            ) {
                try await Store.inMemory()[Reserved.self].append(Reserved())
            }
            #expect(says(result, "a collection's name has 1 to 255 bytes"))
        }

        private func says(_ result: ExitTest.Result?, _ message: String) -> Bool {
            String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).contains(message)
        }
    #endif
}
