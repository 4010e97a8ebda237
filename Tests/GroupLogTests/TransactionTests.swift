import Foundation
import GroupLogFormat
import Synchronization
import TestSupport
import Testing

@testable import GroupLog
@testable import GroupLogFile

@Suite struct TransactionTests {
    /// Two stores on one directory, as two processes have them.
    private struct Two {
        let directory = try? TemporaryDirectory()
        let mine: Store
        let other: Store
        var items: ModelCollection<Bookmark> { mine[Bookmark.self] }
        var others: ModelCollection<Bookmark> { other[Bookmark.self] }

        init(lockTimeout: Duration = .seconds(5)) throws {
            let path = try #require(directory).store
            mine = try Store(path: path, options: .init(lockTimeout: lockTimeout))
            other = try Store(path: path)
        }
    }

    private struct Stop: Error {}

    private func code(_ body: () throws -> Void) -> StoreError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? StoreError)?.code ?? StoreError.Code(rawValue: "\(error)")
        }
    }

    @Test("a key that was read and is changed by another makes the closure run again")
    func keyConflict() throws {
        let two = try Two()
        let bookmark = Bookmark(title: "0")
        try two.items.insert(bookmark)
        var runs = 0
        try two.mine.transaction { transaction in
            runs += 1
            let title = try #require(try transaction[Bookmark.self].get(bookmark.id)).title
            if runs <= 2 { try two.others.update(bookmark.id) { $0.title += "+" } }
            try transaction[Bookmark.self].update(bookmark.id) { $0.title = title + "!" }
        }
        #expect(runs == 3)
        #expect(try two.others.get(bookmark.id)?.title == "0++!")
    }

    @Test("what was not read may change without another run")
    func noConflict() throws {
        let two = try Two()
        let (a, b) = (Bookmark(title: "a"), Bookmark(title: "b"))
        try two.items.append(contentsOf: [a, b])
        var runs = 0
        try two.mine.transaction { transaction in
            runs += 1
            _ = try transaction[Bookmark.self].get(a.id)
            try two.others.update(b.id) { $0.title = "changed" }
            try transaction[Bookmark.self].update(a.id) { $0.title = "changed too" }
        }
        #expect(runs == 1)
        #expect(Set(try two.items.newest().map(\.title)) == ["changed", "changed too"])
    }

    @Test("a record that was not there, and one that is deleted and put again, count as changed")
    func absence() throws {
        for change in 0..<3 {
            let two = try Two()
            let bookmark = Bookmark(title: "1")
            if change > 0 { try two.items.insert(bookmark) }
            var found: [Bool] = []
            try two.mine.transaction { transaction in
                found.append(try transaction[Bookmark.self].get(bookmark.id) != nil)
                if found.count == 1 {
                    if change > 0 { try two.others.delete(bookmark.id) }
                    if change < 2 { try two.others.append(bookmark) }
                }
                try transaction.keyValues.set(found.count, forKey: "runs")
            }
            #expect(found == [[false, true], [true, true], [true, false]][change])
            #expect(try two.mine.keyValues.get("runs") == 2)
        }
    }

    @Test("a list that was read makes the closure run again for any change of its collection")
    func listConflict() throws {
        for change in 0..<4 {
            let two = try Two()
            let bookmark = Bookmark(title: "1")
            try two.items.insert(bookmark)
            var counts: [Int] = []
            try two.mine.transaction { transaction in
                counts.append(try transaction[Bookmark.self].all().count)
                if counts.count == 1 {
                    switch change {
                    case 0: try two.others.append(Bookmark(title: "2"))
                    case 1: try two.others.delete(bookmark.id)
                    case 2: try two.others.update(bookmark.id) { $0.title = "2" }
                    default: try two.other.keyValues.set(1, forKey: "elsewhere")
                    }
                }
                try transaction[Bookmark.self].put(Bookmark(title: "\(counts.count)"))
            }
            #expect(counts == [[1, 2], [1, 0], [1, 1], [1]][change])
        }
    }

    @Test("after three runs in vain the fourth has the lock, so that no other can come between")
    func fourthRun() throws {
        let two = try Two(lockTimeout: .seconds(60))
        let bookmark = Bookmark(title: "")
        try two.items.insert(bookmark)
        let impatient = try Store(
            path: two.mine.path, options: .init(lockTimeout: .milliseconds(20)))
        var codes: [StoreError.Code?] = []
        try two.mine.transaction { transaction in
            _ = try transaction[Bookmark.self].get(bookmark.id)
            codes.append(
                code { try impatient[Bookmark.self].update(bookmark.id) { $0.title += "x" } })
            try transaction[Bookmark.self].update(bookmark.id) { $0.title += "|" }
        }
        #expect(codes == [nil, nil, nil, .locked])
        #expect(try two.others.get(bookmark.id)?.title == "xxx|")
    }

    @Test("a closure that throws writes nothing, in whichever run, and the store goes on")
    func throwing() throws {
        for failingRun in 1...4 {
            let two = try Two()
            let bookmark = Bookmark(title: "")
            try two.items.insert(bookmark)
            let impatient = try Store(
                path: two.mine.path, options: .init(lockTimeout: .milliseconds(10)))
            var runs = 0
            #expect(throws: Stop.self) {
                try two.mine.transaction { transaction in
                    runs += 1
                    try transaction[Bookmark.self].insert(Bookmark(title: "never"))
                    try transaction[Bookmark.self].update(bookmark.id) { $0.title = "never" }
                    if runs == failingRun { throw Stop() }
                    _ = code {
                        try impatient[Bookmark.self].update(bookmark.id) { $0.title += "x" }
                    }
                }
            }
            #expect(runs == failingRun)
            #expect(
                try two.others.newest().map(\.title) == [String(repeating: "x", count: runs - 1)])
            try two.items.update(bookmark.id) { $0.title = "on" }
            #expect(try two.others.newest().map(\.title) == ["on"])
        }
    }

    @Test(
        "writing to the store inside its transaction is an error, also from within another store's")
    func nested() throws {
        let two = try Two()
        let third = try Store.inMemory()
        let bookmark = Bookmark(title: "1")
        let records = RecordCollection(two.mine, name: "items", declaring: [])
        let key = RecordKey(integer: 1)
        for write in [
            { try records.append(key, [("a", .true)]) },
            { try records.insert(key, [("a", .true)]) },
            { _ = try records.delete(key) }, { _ = try records.restore(key) },
            { _ = try records.importing([(key, [("a", .true)])]) },
            { try two.mine.setValue([0xF5], forKey: "a") },
            { try two.items.append(bookmark) }, { try two.items.put(bookmark) },
            { try two.items.insert(bookmark) }, { try two.items.append(contentsOf: [bookmark]) },
            { _ = try two.items.delete(bookmark.id) },
            { _ = try two.items.update(bookmark.id) { $0.title = "2" } },
            { try two.mine.keyValues.set(1, forKey: "a") },
            { _ = try two.mine.keyValues.remove("a") },
            { try two.mine.transaction { _ in } },
            { try third.transaction { _ in try two.items.append(bookmark) } },
        ] {
            #expect(code { try two.mine.transaction { _ in try write() } } == .nestedTransaction)
        }
        #expect(try two.items.count() == 0)
        // Another store is another matter.
        try two.mine.transaction { _ in try third[Bookmark.self].append(bookmark) }
        #expect(try third[Bookmark.self].count() == 1)
    }

    @Test("a record deleted and put again in one transaction is there, and in its old place")
    func deleteAndPut() throws {
        let two = try Two()
        let day = Date(timeIntervalSinceReferenceDate: 0)
        let bookmarks = (0..<3).map { Bookmark(title: "\($0)", createdAt: day) }
        for bookmark in bookmarks { try two.items.insert(bookmark) }
        var changed = bookmarks[0]
        changed.title = "0, again"
        try two.mine.transaction { transaction in
            let items = transaction[Bookmark.self]
            #expect(try items.delete(changed.id))
            #expect(try items.get(changed.id) == nil)
            #expect(try !items.delete(changed.id))
            try items.insert(changed)
            #expect(try items.get(changed.id) == changed)
        }
        #expect(try two.others.newest().map(\.title) == ["2", "1", "0, again"])
        #expect(try two.others.count() == 3)
    }

    @Test("a record that comes and goes within one transaction leaves no trace")
    func comesAndGoes() throws {
        let two = try Two()
        let sequence = try two.mine.refresh()
        try two.mine.transaction { transaction in
            let bookmark = Bookmark(title: "short")
            try transaction[Bookmark.self].insert(bookmark)
            #expect(try transaction[Bookmark.self].delete(bookmark.id))
        }
        #expect(try two.other.refresh() == sequence)
    }

    @Test("an update of a record that another has deleted finds none, and does not bring it back")
    func updateOfDeleted() throws {
        let two = try Two()
        let bookmark = Bookmark(title: "1")
        try two.items.insert(bookmark)
        var runs = 0
        let code = code {
            try two.items.update(bookmark.id) {
                runs += 1
                if runs == 1 { _ = try two.others.delete(bookmark.id) }
                $0.title = "2"
            }
        }
        #expect(code == .notFound && runs == 1)
        #expect(try two.others.get(bookmark.id) == nil)
    }

    @Test("edits do not move a record in the order of creation, a new life does")
    func creationOrder() throws {
        let two = try Two()
        let day = Date(timeIntervalSinceReferenceDate: 0)
        let bookmarks = (0..<4).map { Bookmark(title: "\($0)", createdAt: day) }
        for bookmark in bookmarks { try two.items.append(bookmark) }
        for index in [1, 0, 2, 1] {
            try (index == 0 ? two.others : two.items).update(bookmarks[index].id) {
                $0.title += "!"
            }
        }
        #expect(try two.items.newest().map(\.title) == ["3", "2!", "1!!", "0!"])
        try two.items.delete(bookmarks[1].id)
        try two.others.insert(bookmarks[1])
        for store in [two.mine, two.other, try Store(path: two.mine.path)] {
            #expect(try store[Bookmark.self].newest().map(\.title) == ["1", "3", "2!", "0!"])
        }
    }

    @Test("a record that is damaged under an open store can be replaced and deleted")
    func damagedRecord() throws {
        for isDelete in [true, false] {
            let two = try Two()
            let bookmark = Bookmark(title: "find me")
            try two.items.append(bookmark)
            #expect(try two.items.count() == 1)
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: two.mine.path + "/log"))
            let bytes = try #require(try file.readToEnd())
            let place = try #require(bytes.range(of: Data("find me".utf8)))
            try file.seek(toOffset: UInt64(place.lowerBound))
            try file.write(contentsOf: Data("F".utf8))
            try file.close()
            #expect(code { _ = try two.items.get(bookmark.id) } == .corrupt)
            if isDelete {
                #expect(try two.items.delete(bookmark.id))
            } else {
                try two.items.put(bookmark)
            }
            #expect(try two.items.get(bookmark.id) == (isDelete ? nil : bookmark))
            #expect(try two.others.get(bookmark.id) == (isDelete ? nil : bookmark))
        }
    }

    @Test("a log put in the place of the one that was read makes the closure run again")
    func replacedLog() throws {
        let two = try Two()
        let bookmark = Bookmark(title: "old")
        try two.items.insert(bookmark)
        let path = two.mine.path + "/log"
        let older = try Data(contentsOf: URL(fileURLWithPath: path))
        try two.items.update(bookmark.id) { $0.title = "one" }
        var seen: [String?] = []
        try two.mine.transaction { transaction in
            seen.append(try transaction[Bookmark.self].get(bookmark.id)?.title)
            if seen.count == 1 {
                // The same log as it was before its last commit, with another last commit.
                let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
                try file.write(contentsOf: older)
                try file.close()
                try Store(path: two.mine.path)[Bookmark.self].update(bookmark.id) {
                    $0.title = "two"
                }
            }
            try transaction.keyValues.set(1, forKey: "done")
        }
        #expect(seen == ["one", "two"])
    }
}

@Suite struct AsyncWriteTests {
    /// Holds the lock of a store until it is told to let go.
    private final class Holder: Sendable {
        private let isReleased = Atomic<Bool>(false)
        private let isHeld = Atomic<Bool>(false)

        init(_ path: String) {
            Thread.detachNewThread { [self] in
                let writer = LogWriter(
                    DiskVolume(path: path),
                    .init(mayCreate: false, purpose: "holding", timeoutSeconds: 5))
                _ = try? writer.withLock { _ in
                    isHeld.store(true, ordering: .releasing)
                    while !isReleased.load(ordering: .acquiring) { usleep(500) }
                }
            }
            while !isHeld.load(ordering: .acquiring) { usleep(500) }
        }

        func release() { isReleased.store(true, ordering: .releasing) }
    }

    @Test("a task that is cancelled while it waits, for the lock or in the queue, writes nothing")
    func cancelled() async throws {
        let directory = try TemporaryDirectory()
        let told = Atomic<Int>(0)
        let store = try Store(
            path: directory.store,
            options: .init(
                lockTimeout: .seconds(600),
                onLongWait: { told.add(1, ordering: .relaxed) }))
        let holder = Holder(directory.store)
        let tasks = (0..<3).map { index in
            Task { try await store[Bookmark.self].append(Bookmark(title: "\(index)")) }
        }
        // One waits for the lock, the others behind it. The lock is never let go before they end.
        while told.load(ordering: .relaxed) == 0 { try await Task.sleep(for: .milliseconds(5)) }
        for task in tasks { task.cancel() }
        for task in tasks {
            let result = await task.result
            #expect {
                try result.get()
            } throws: { error in
                StoreError.Code.cancelled ~= error
            }
        }
        holder.release()
        try await store[Bookmark.self].append(Bookmark(title: "after"))
        #expect(try store[Bookmark.self].newest().map(\.title) == ["after"])
    }

    @Test("a task that was cancelled before it began writes nothing")
    func cancelledBefore() async throws {
        let store = try Store.inMemory()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            try await store[Bookmark.self].append(Bookmark(title: "never"))
        }
        task.cancel()
        let result = await task.result
        #expect {
            try result.get()
        } throws: { error in
            StoreError.Code.cancelled ~= error
        }
        #expect(try store[Bookmark.self].count() == 0)
    }

    @Test("many tasks that write, some of them cancelled, each get one answer, and it is true")
    func someCancelled() async throws {
        let directory = try TemporaryDirectory()
        let store = try Store(path: directory.store, options: .init(durability: .unsynced))
        let outcomes = await withTaskGroup(of: (Int, Bool).self) { group in
            for index in 0..<200 {
                group.addTask {
                    let task = Task {
                        try await store[Bookmark.self].append(Bookmark(title: "\(index)"))
                    }
                    if index % 3 == 0 { task.cancel() }
                    switch await task.result {
                    case .success: return (index, true)
                    case .failure: return (index, false)
                    }
                }
            }
            return await group.reduce(into: [Int: Bool]()) { $0[$1.0] = $1.1 }
        }
        let written = Set(try store[Bookmark.self].newest().compactMap { Int($0.title) })
        #expect(written == Set(outcomes.filter(\.value).keys))
        #expect((0..<200).allSatisfy { $0 % 3 == 0 || written.contains($0) })
    }
}
