import Foundation
import GroupLogFile
import GroupLogFormat
import TestSupport
import Testing

@testable import GroupLog

extension TemporaryDirectory {
    fileprivate var log: URL { URL(fileURLWithPath: store + "/log") }

    fileprivate func bytes() throws -> [UInt8] { [UInt8](try Data(contentsOf: log)) }

    /// Writes into the log as it stands, as `cat >` does when everything is written anew.
    fileprivate func write(_ bytes: [UInt8], at offset: Int = 0, truncating: Bool = false) throws {
        let handle = try FileHandle(forWritingTo: log)
        if truncating { try handle.truncate(atOffset: 0) }
        try handle.seek(toOffset: UInt64(offset))
        try handle.write(contentsOf: Data(bytes))
        try handle.close()
    }

    fileprivate func append(_ titles: String...) throws {
        let items = try Store(path: store, options: .init(role: .extension))[Bookmark.self]
        for title in titles { try items.append(Bookmark(title: title)) }
    }
}

@Suite struct FollowerTests {
    @Test("each commit is handed out once, in order, whoever wrote it")
    func onceInOrder() throws {
        let directory = try TemporaryDirectory()
        try directory.append("before")
        let followed = try Followed(directory)
        #expect(try followed.look() == [])
        let app = try Store(path: directory.store)[Bookmark.self]
        let bookmark = Bookmark(title: "one")
        try app.insert(bookmark)
        try directory.append("two", "three")
        #expect(try followed.look() == ["one", "two", "three"])
        try app.update(bookmark.id) { $0.title = "changed" }
        try app.delete(bookmark.id)
        #expect(try followed.look() == ["changed", "-"])
        #expect(try followed.look() == [])
    }

    @Test("from the first commit on, all that the log has is handed out")
    func fromTheFirst() throws {
        let directory = try TemporaryDirectory()
        try directory.append("one", "two")
        let followed = try Followed(directory, from: .firstCommit)
        #expect(try followed.look() == ["one", "two"])
        try directory.append("three")
        #expect(try followed.look() == ["three"])
    }

    @Test(
        "a frame that comes in two pieces is nothing until it is whole, and then one commit",
        arguments: [10, 200_000])
    func halfWritten(_ length: Int) throws {
        let directory = try TemporaryDirectory()
        try directory.append("one")
        let before = try directory.bytes()
        let header = try unsafe LogHeader.decode(before.span.bytes)
        let start = Int(try LogTail.find(in: LogBytesInMemory(before), salt: header.salt).end)
        let title = String(repeating: "x", count: length)
        try directory.append(title)
        let after = try directory.bytes()
        let end = Int(try LogTail.find(in: LogBytesInMemory(after), salt: header.salt).end)
        let headerSize = LogLayout.frameHeaderSize
        let cuts = [1, headerSize - 1, headerSize, headerSize + 1, (end - start) / 2]
        for cut in cuts + [end - start - 1] {
            try directory.write(before, truncating: true)
            let followed = try Followed(directory)
            try directory.write(Array(after[start..<start + cut]), at: start)
            #expect(try followed.look() == [], "cut at \(cut)")
            let fresh = try Store(path: directory.store, options: .init(role: .readOnly))
            #expect(try fresh.receipt().isClean, "cut at \(cut)")
            #expect(try fresh[Bookmark.self].count() == 1)
            #expect(try followed.look() == [], "cut at \(cut)")
            try directory.write(Array(after[(start + cut)..<end]), at: start + cut)
            #expect(try followed.look() == [title], "cut at \(cut)")
            #expect(try followed.look() == [])
            #expect(try fresh[Bookmark.self].count() == 2)
        }
    }

    @Test("another log in the same place is told, and followed from its first commit")
    func replacedInPlace() throws {
        let (large, small) = (try TemporaryDirectory(), try TemporaryDirectory())
        for number in 0..<20 { try large.append("large \(number)") }
        try small.append("a", "b")
        let followed = try Followed(large)
        try large.write(try small.bytes(), truncating: true)
        try large.append("c")
        #expect(try followed.look() == ["[replaced]", "a", "b", "c"])
        try large.append("d")
        #expect(try followed.look() == ["d"])
    }

    @Test("an older copy of the log that has grown past the old end is told as another log")
    func restoredBackup() throws {
        let directory = try TemporaryDirectory()
        try directory.append("one")
        let backup = try directory.bytes()
        try directory.append("two")
        let followed = try Followed(directory)
        try directory.write(backup, truncating: true)
        try directory.append("other", "more")
        #expect(try followed.look() == ["[replaced]", "one", "other", "more"])
    }

    @Test("the same log under another inode is still the same log")
    func sameLogElsewhere() throws {
        let directory = try TemporaryDirectory()
        try directory.append("one")
        let followed = try Followed(directory)
        try (Data(try directory.bytes())).write(to: directory.log, options: .atomic)
        #expect(try followed.look() == [])
        try directory.append("two")
        #expect(try followed.look() == ["two"])
    }

    @Test("damage is told once, and what stands behind it is handed out")
    func damage() throws {
        let directory = try TemporaryDirectory()
        try directory.append("one", "hit", "three")
        var bytes = try directory.bytes()
        let hit = try #require(bytes.firstRange(of: Array("hit".utf8)))
        bytes[hit.lowerBound] ^= 1
        try directory.write(bytes)
        let followed = try Followed(directory, from: .firstCommit)
        #expect(try followed.look() == ["one", "[bad payload]", "three"])
        #expect(try followed.look() == [])
    }

    @Test("a follower beside writers with records of all sizes misses and repeats nothing")
    func besideWriters() async throws {
        let directory = try TemporaryDirectory()
        try directory.append("first")
        let followed = try Followed(directory)
        let (writers, perWriter) = (4, 40)
        var titles: [String] = []
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<writers {
                let path = directory.store
                group.addTask {
                    let items = try Store(
                        path: path, options: .init(role: .extension, durability: .unsynced)
                    )[Bookmark.self]
                    for number in 0..<perWriter {
                        let length = [0, 1, 4_095, 4_097, 65_537, 300_000][number % 6]
                        let title = "\(writer)-\(number) " + String(repeating: "x", count: length)
                        try items.append(Bookmark(title: title))
                    }
                }
            }
            let deadline = ContinuousClock.now + .seconds(60)
            while titles.count < writers * perWriter, .now < deadline {
                titles += try followed.look()
                await Task.yield()
            }
            try await group.waitForAll()
        }
        titles += try followed.look()
        let names = titles.map { String($0.prefix { $0 != " " }) }
        #expect(Set(names).count == writers * perWriter && names.count == writers * perWriter)
        for writer in 0..<writers {
            let own = names.filter { $0.hasPrefix("\(writer)-") }
            #expect(own == (0..<perWriter).map { "\(writer)-\($0)" })
        }
    }
}
