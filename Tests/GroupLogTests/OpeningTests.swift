import Foundation
import TestSupport
import Testing

@testable import GroupLog

@Suite struct OpeningTests {
    @Test("a relative path means one directory, also when the current one changes")
    func relativePath() async {
        // The current directory is the whole process's.
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            let manager = FileManager.default
            guard manager.changeCurrentDirectoryPath(directory.url.path) else { exit(2) }
            let store = try Store(path: "test.grouplog")
            guard manager.changeCurrentDirectoryPath("/") else { exit(3) }
            try store[Bookmark.self].append(Bookmark(title: "here"))
            let other = try Store(path: directory.store, options: .init(role: .readOnly))
            guard try other[Bookmark.self].newest().map(\.title) == ["here"] else { exit(4) }
            guard store.path.hasPrefix("/"), store.path.hasSuffix("/test.grouplog") else { exit(5) }
            exit(0)
        }
    }

    @Test("only the store's own directory is made, and the message names the one that is missing")
    func missingParent() throws {
        let directory = try TemporaryDirectory()
        let parent = directory.url.appendingPathComponent("missing").path
        let error = #expect(throws: StoreError.self) {
            try Store(path: parent + "/test.grouplog")
        }
        #expect(error?.code == .noParent)
        #expect(error?.message.contains("there is no directory '\(parent)'") == true)
        #expect(!FileManager.default.fileExists(atPath: parent))
    }

    @Test("what is no path is refused")
    func badPaths() throws {
        #expect(throws: StoreError.self) { try Store(path: "a\0b") }
        for open in [
            { try Store(path: "") },
            { try Store(directory: #require(URL(string: "https://example.com/x.grouplog"))) },
        ] {
            #expect {
                _ = try open()
            } throws: { error in
                StoreError.Code.invalidValue ~= error
            }
        }
    }

    @Test("in a child made by fork the parent's store is refused, and a new one works")
    func fork() async {
        await #expect(processExitsWith: .success) {
            typealias Fork = @convention(c) () -> Int32
            let directory = try TemporaryDirectory()
            let path = directory.store
            func write() throws -> Int32 {
                let store = try Store(path: path)
                try store[Bookmark.self].append(Bookmark(title: "parent"))
                // Swift does not let fork(2) be named.
                guard let symbol = unsafe dlsym(nil, "fork") else { return 2 }
                let child = unsafe unsafeBitCast(symbol, to: Fork.self)()
                guard child == 0 else {
                    var status: Int32 = -1
                    unsafe _ = waitpid(child, &status, 0)
                    return status == 0 ? 0 : 6
                }
                let calls = [
                    { _ = try store[Bookmark.self].count() },
                    { try store.reload() },
                    { try store[Bookmark.self].append(Bookmark(title: "child")) },
                ]
                for call in calls {
                    do {
                        try call()
                        _exit(3)
                    } catch StoreError.Code.forked {
                        continue
                    } catch {
                        _exit(4)
                    }
                }
                let own = try Store(path: path)
                try own[Bookmark.self].append(Bookmark(title: "child"))
                _exit(try own[Bookmark.self].count() == 2 ? 0 : 5)
            }
            exit(try write())
        }
    }

    @Test("a loop over a store's events ends with the store", .timeLimit(.minutes(10)))
    func eventsEnd() async throws {
        var store: Store? = try Store.inMemory()
        let events = try #require(store?.events)
        store = nil
        for await _ in events { Issue.record("nothing happened") }
    }
}
