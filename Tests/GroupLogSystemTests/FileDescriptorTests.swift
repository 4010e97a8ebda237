import Foundation
import TestSupport
import Testing

@testable import GroupLogSystem

@Suite struct FileDescriptorTests {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test("only a missing file gives 'no such file', and asking does not make it")
    func missing() throws {
        let path = directory.path("log")
        #expect(
            failure { () throws(SystemError) in _ = try FileDescriptor.open(path, .read) }
                == .noSuchFile)
        #expect(
            failure { () throws(SystemError) in _ = try FileDescriptor.open(path, .readWrite) }
                == .noSuchFile)
        #expect(!FileManager.default.fileExists(atPath: path))
        let below = try directory.file("file", []) + "/log"
        #expect(
            failure { () throws(SystemError) in _ = try FileDescriptor.open(below, .read) }
                == .notDirectory)
    }

    @Test("a new file is readable and writable by its owner alone")
    func mode() throws {
        _ = try FileDescriptor.open(directory.path("log"), .readWrite, .exclusive)
        let attributes = try FileManager.default.attributesOfItem(atPath: directory.path("log"))
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test("creating exclusively fails where there is a file, emptying keeps no byte of it")
    func creation() throws {
        let path = try directory.file("log", [1, 2, 3])
        #expect(
            failure { () throws(SystemError) in
                _ = try FileDescriptor.open(path, .readWrite, .exclusive)
            } == .exists)
        #expect(try FileDescriptor.open(path, .readWrite, .ifMissing).status().size == 3)
        #expect(try FileDescriptor.open(path, .readWrite, .emptying).status().size == 0)
    }

    @Test("a symbolic link, a directory and a FIFO in the place of a file are refused at once")
    func oddFiles() throws {
        let target = try directory.file("target", [1])
        try FileManager.default.createSymbolicLink(
            atPath: directory.path("link"), withDestinationPath: target)
        try FileManager.default.createSymbolicLink(
            atPath: directory.path("dangling"), withDestinationPath: directory.path("nowhere"))
        #expect(unsafe mkfifo(directory.path("fifo"), 0o600) == 0)
        for creation in [FileDescriptor.Creation.never, .ifMissing] {
            func refusal(_ name: String, _ access: FileDescriptor.Access) -> Errno? {
                failure { () throws(SystemError) in
                    _ = try FileDescriptor.open(directory.path(name), access, creation)
                }
            }
            for access in [FileDescriptor.Access.read, .readWrite] {
                #expect(refusal("link", access) == .tooManyLinks)
                #expect(refusal("dangling", access) == .tooManyLinks)
                #expect(refusal("fifo", access) == .invalidArgument)
            }
            #expect(refusal("", .readWrite) == .isDirectory)
        }
        #expect(
            failure { () throws(SystemError) in _ = try FileDescriptor.open(directory.path, .read) }
                == .isDirectory)
        #expect(!FileManager.default.fileExists(atPath: directory.path("nowhere")))
    }

    @Test("a path with a zero byte is refused and does not name the file before it")
    func zeroByte() throws {
        let path = try directory.file("log", [1]) + "\0.copy"
        #expect(
            failure { () throws(SystemError) in _ = try FileDescriptor.open(path, .read) }
                == .invalidArgument)
        #expect(
            failure { () throws(SystemError) in _ = try FileSystem.remove(path) }
                == .invalidArgument)
        #expect(try directory.bytes("log") == [1])
    }

    @Test("what is written at an offset is read there, up to the end of the file")
    func readAndWrite() throws {
        let file = try FileDescriptor.open(directory.path("log"), .readWrite, .exclusive)
        #expect(try file.write([1, 2, 3, 4], at: 10) == 4)
        var buffer = [UInt8](repeating: 9, count: 8)
        #expect(try file.read(into: &buffer, at: 8) == 6)
        #expect(buffer == [0, 0, 1, 2, 3, 4, 9, 9])
        #expect(try file.read(into: &buffer, at: 14) == 0)
        #expect(try directory.bytes("log") == [UInt8](repeating: 0, count: 10) + [1, 2, 3, 4])
    }

    @Test("offsets that no file has are errors or the end, never a trap")
    func hugeOffsets() throws {
        let file = try FileDescriptor.open(directory.path("log"), .readWrite, .exclusive)
        for offset in [UInt64.max, UInt64(Int64.max), UInt64(Int64.max) - 1, 1 << 63] {
            #expect(
                failure { () throws(SystemError) in _ = try file.write([1, 2, 3, 4], at: offset) }
                    != nil)
            var buffer = [UInt8](repeating: 0, count: 4)
            let count = try? file.read(into: &buffer, at: offset)
            #expect(count == nil || count == 0)
        }
        #expect(try file.status().size == 0)
    }

    @Test("a descriptor for reading cannot write, and is open no longer than its owner lives")
    func ownership() throws {
        let path = try directory.file("log", [1])
        let number: Int32
        do {
            let file = try FileDescriptor.open(path, .read)
            number = file.number
            #expect(
                failure { () throws(SystemError) in _ = try file.write([2], at: 0) }
                    == Errno(rawValue: EBADF))
            #expect(linkOfDescriptor(number) == path)
        }
        #expect(linkOfDescriptor(number) != path)
    }

    @Test("the status tells growth, sameness and a name that is gone")
    func status() throws {
        let path = directory.path("log")
        let file = try FileDescriptor.open(path, .readWrite, .exclusive)
        let before = try file.status()
        #expect(before.kind == .regular && before.size == 0 && before.linkCount == 1)
        _ = try file.write([1, 2], at: 0)
        let after = try file.status()
        #expect(after.size == 2 && after != before && after.isSameFile(as: before))
        #expect(try FileStatus.of(path: path) == after)
        #expect(try FileSystem.remove(path))
        #expect(try file.status().linkCount == 0)
        let other = try FileDescriptor.open(path, .readWrite, .exclusive)
        #expect(try !other.status().isSameFile(as: after))
    }

    @Test("files and directories can be synced, a directory that is gone cannot be opened")
    func synchronize() throws {
        let file = try FileDescriptor.open(directory.path("log"), .readWrite, .exclusive)
        _ = try file.write([1], at: 0)
        try file.synchronize(.full)
        try file.synchronize(.barrier)
        try FileDescriptor.openDirectory(directory.path).synchronizeDirectory()
        let gone = directory.path("gone")
        #expect(
            failure { () throws(SystemError) in _ = try FileDescriptor.openDirectory(gone) }
                == .noSuchFile)
        #expect(
            failure { () throws(SystemError) in
                _ = try FileDescriptor.openDirectory(directory.path("log"))
            } == .notDirectory)
    }
}

/// The path that a descriptor of this process leads to.
func linkOfDescriptor(_ number: Int32) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
}
