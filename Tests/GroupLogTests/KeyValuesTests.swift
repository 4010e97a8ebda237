import Foundation
import GroupLog
import Testing

@Suite struct KeyValuesTests {
    @Test("a transaction changes values and records together or not at all")
    func together() throws {
        struct Stop: Error {}
        let store = try Store.inMemory()
        try store.keyValues.set(1, forKey: "next")
        #expect(throws: Stop.self) {
            try store.transaction { transaction in
                try transaction.keyValues.set(2, forKey: "next")
                try transaction[Bookmark.self].insert(Bookmark(title: "1"))
                throw Stop()
            }
        }
        #expect(try store.keyValues.get("next") == 1)
        let seen = try store.transaction { transaction in
            let number = try transaction.keyValues.get("next", as: Int.self) ?? 0
            try transaction[Bookmark.self].insert(Bookmark(title: "\(number)"))
            try transaction.keyValues.set(number + 1, forKey: "next")
            try transaction.keyValues.set("x", forKey: "other")
            #expect(try transaction.keyValues.remove("other"))
            #expect(try !transaction.keyValues.remove("other"))
            return try transaction.keyValues.get("next", as: Int.self)
        }
        #expect(seen == 2)
        #expect(try store.keyValues.keys() == ["next"])
        #expect(try store[Bookmark.self].newest().map(\.title) == ["1"])
        #expect(try store.collections() == store.view().collections)
        #expect(try store.collections().map(\.name) == ["items"])
        #expect(try store.collections().map(\.count) == [1])
    }

    @Test("a value that is nil is a value, and one of another type is an error")
    func kinds() throws {
        let store = try Store.inMemory()
        try store.keyValues.set(String?.none, forKey: "nothing")
        #expect(try store.keyValues.keys() == ["nothing"])
        #expect(throws: DecodingError.self) { try store.keyValues.get("nothing", as: Int.self) }
        #expect(try store.keyValues.get("nothing", as: Int?.self) == .some(nil))
        #expect(throws: StoreError.self) { try store.keyValues.set(1, forKey: "") }
    }
}
