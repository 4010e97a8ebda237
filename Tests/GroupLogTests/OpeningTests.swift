import Foundation
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
}
