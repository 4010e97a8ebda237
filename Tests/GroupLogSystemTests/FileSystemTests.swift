import Foundation
import TestSupport
import Testing

@testable import GroupLogSystem

@Suite struct FileSystemTests {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test("making a directory twice is fine, making it over anything else is not")
    func makeDirectory() throws {
        let path = directory.path("store")
        try FileSystem.makeDirectory(path)
        try FileSystem.makeDirectory(path)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
        let file = try directory.file("file", [])
        #expect(failure { () throws(SystemError) in try FileSystem.makeDirectory(file) } == .exists)
        try FileManager.default.createSymbolicLink(
            atPath: directory.path("link"), withDestinationPath: path)
        #expect(
            failure { () throws(SystemError) in try FileSystem.makeDirectory(directory.path("link"))
            } == .exists)
        #expect(
            failure { () throws(SystemError) in try FileSystem.makeDirectory(directory.path("a/b"))
            } == .noSuchFile)
    }

    @Test("renaming replaces what has the name")
    func rename() throws {
        let new = try directory.file("new", [2])
        let old = try directory.file("log", [1])
        try FileSystem.rename(new, to: old)
        #expect(try directory.bytes("log") == [2])
        #expect(try FileSystem.names(in: directory.path) == ["log"])
        #expect(
            failure { () throws(SystemError) in try FileSystem.rename(new, to: old) } == .noSuchFile
        )
    }

    @Test("renaming exclusively never replaces anything, not even a dangling link")
    func renameExclusively() throws {
        let new = try directory.file("new", [2])
        let old = try directory.file("log", [1])
        try FileManager.default.createSymbolicLink(
            atPath: directory.path("dangling"), withDestinationPath: "nowhere")
        for taken in [old, directory.path("dangling")] {
            #expect(
                failure { () throws(SystemError) in try FileSystem.renameExclusively(new, to: taken)
                } == .exists)
        }
        #expect(try directory.bytes("log") == [1])
        #expect(try directory.bytes("new") == [2])
        try FileSystem.renameExclusively(new, to: directory.path("free"))
        #expect(try directory.bytes("free") == [2])
        #expect(try FileSystem.names(in: directory.path) == ["dangling", "free", "log"])
        #expect(try FileStatus.of(path: directory.path("free")).linkCount == 1)
    }

    @Test("of twenty that rename to one name exclusively, one succeeds")
    func race() async throws {
        let wanted = directory.path("wanted")
        for name in 0..<20 { _ = try directory.file("\(name)", [UInt8(name)]) }
        let winners = await withTaskGroup(of: Int?.self) { group in
            for name in 0..<20 {
                group.addTask { [directory] in
                    let error = failure { () throws(SystemError) in
                        try FileSystem.renameExclusively(directory.path("\(name)"), to: wanted)
                    }
                    return error == nil ? name : nil
                }
            }
            return await group.reduce(into: [Int]()) { if let name = $1 { $0.append(name) } }
        }
        let winner = try #require(winners.first)
        #expect(winners.count == 1)
        #expect(try directory.bytes("wanted") == [UInt8(winner)])
        #expect(try FileSystem.names(in: directory.path).count == 20)
    }

    @Test("removing says whether there was anything")
    func remove() throws {
        let path = try directory.file("log", [])
        #expect(try FileSystem.remove(path))
        #expect(try !FileSystem.remove(path))
        #expect(
            failure { () throws(SystemError) in _ = try FileSystem.remove(directory.path) } != nil)
    }

    @Test("names are sorted, complete and of the directory itself, not of a link's target")
    func names() throws {
        #expect(try FileSystem.names(in: directory.path) == [])
        let expected = (100..<400).map { "name-\($0)-" + String(repeating: "x", count: 100) }
        for name in expected.reversed() { _ = try directory.file(name, []) }
        _ = try directory.file(".hidden", [])
        #expect(try FileSystem.names(in: directory.path) == [".hidden"] + expected)
        let other = try TemporaryDirectory()
        try FileManager.default.createSymbolicLink(
            atPath: other.path("link"), withDestinationPath: directory.path)
        #expect(
            failure { () throws(SystemError) in _ = try FileSystem.names(in: other.path("link")) }
                != nil)
        #expect(
            failure { () throws(SystemError) in _ = try FileSystem.names(in: other.path("gone")) }
                == .noSuchFile)
    }

    @Test(
        "the parent of a path is the directory that holds its last component",
        arguments: [
            ("a/b", "a"), ("/a/b/", "/a"), ("/a", "/"), ("a", "."), ("/", "/"), ("", "."),
            ("a//b", "a"), ("/a//", "/"), ("./a", "."),
        ])
    func parent(path: String, parent: String) {
        #expect(FileSystem.parent(of: path) == parent)
    }

    @Test("an error names the call, the path and the reason in the system's words")
    func messages() {
        let error = SystemError("open", .noSpace, path: "/a/b")
        #expect("\(error)" == "open '/a/b': No space left on device")
        #expect(Errno(rawValue: 0).description != "")
        #expect(Errno(rawValue: Int32.max).description.contains("\(Int32.max)"))
        #expect(Errno(rawValue: Int32.min).description.contains("\(Int32.min)"))
    }
}
