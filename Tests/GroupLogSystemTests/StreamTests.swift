import Foundation
import TestSupport
import Testing

@testable import GroupLogSystem

@Suite struct StreamTests {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test("output is gathered and handed over in order, errors are handed over at once")
    func gathering() throws {
        let path = try directory.file("out", [])
        let file = try FileDescriptor.open(path, .readWrite)
        let stream = StandardStream(file.number, path: "out", gathers: 10)
        try stream.write("12345")
        try stream.write([54, 55])
        #expect(try directory.bytes("out") == [])
        try stream.write("8901234")
        #expect(try directory.bytes("out") == Array("12345678901234".utf8))
        try stream.write("x")
        try stream.flush()
        try stream.flush()
        let direct = StandardStream(file.number, path: "out", gathers: 0)
        try direct.write("y")
        #expect(try directory.bytes("out") == Array("12345678901234xy".utf8))
        #expect(!stream.isTerminal && stream.terminalWidth == nil)
    }

    #if os(Linux)
        @Test("a full device is a failure, and stays one")
        func fullDevice() throws {
            let number = unsafe open("/dev/full", O_WRONLY | O_CLOEXEC)
            defer { close(number) }
            let stream = StandardStream(number, path: "full", gathers: 100)
            try stream.write("gathered")
            let expected = StandardStream.Failure.failed(
                SystemError("write", .noSpace, path: "full"))
            #expect(throws: expected) { try stream.flush() }
            #expect(throws: expected) { try stream.write("more") }
            #expect(throws: expected) { try stream.flush() }
        }
    #endif

    @Test("a stream that is not open is a failure")
    func closed() {
        let stream = StandardStream(-1, path: "closed", gathers: 0)
        #expect(throws: StandardStream.Failure.self) { try stream.write("x") }
    }

    @Test("a stream knows that nobody reads it any longer before it writes")
    func readerGone() throws {
        var ends: [Int32] = [0, 0]
        #expect(unsafe pipe(&ends) == 0)
        let stream = StandardStream(ends[1], path: "pipe", gathers: 0)
        #expect(!stream.isReaderGone)
        try stream.write("unread")
        #expect(!stream.isReaderGone)
        close(ends[0])
        #expect(stream.isReaderGone)
        close(ends[1])
        let file = try FileDescriptor.open(try directory.file("out", []), .readWrite)
        #expect(!StandardStream(file.number, path: "out", gathers: 0).isReaderGone)
    }

    @Test("a pipe that does not block loses nothing, on either side")
    func nonBlocking() throws {
        var ends: [Int32] = [0, 0]
        #expect(unsafe pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK) }
        defer { close(reading) }
        let text = String(repeating: "0123456789abcdef", count: 1 << 15)
        let failed = Monitor<Bool?>(nil)
        Thread.detach(name: "writer") {
            let stream = StandardStream(writing, path: "pipe", gathers: 1 << 16)
            let result = Result { try stream.write(text) }
            close(writing)
            failed.withLock { if case .failure = result { $0 = true } else { $0 = false } }
        }
        let input = try ByteInput.open("/dev/fd/\(reading)")
        var received: [UInt8] = []
        while true {
            let chunk = try input.next(upTo: 5_000)
            if chunk.isEmpty { break }
            #expect(chunk.count <= 5_000)
            received += chunk
        }
        #expect(received.elementsEqual(text.utf8))
        #expect(failed.wait { $0 } == false)
    }

    @Test("input from a file comes in order and ends, and a directory is an error")
    func fileInput() throws {
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let input = try ByteInput.open(try directory.file("in", bytes))
        var received: [UInt8] = []
        while true {
            let chunk = try input.next()
            if chunk.isEmpty { break }
            received += chunk
        }
        #expect(received.elementsEqual(bytes))
        #expect(try input.next() == [])
        #expect(
            failure { () throws(SystemError) in _ = try ByteInput.open(directory.path).next() }
                == .isDirectory)
        #expect(
            failure { () throws(SystemError) in _ = try ByteInput.open(directory.path("gone")) }
                == .noSuchFile)
    }

    @Test("the environment gives what is set, also when it is empty")
    func environment() throws {
        unsafe setenv("GROUPLOG_SYSTEM_TEST", "", 1)
        #expect(environmentVariable("GROUPLOG_SYSTEM_TEST") == "")
        #expect(environmentVariable("GROUPLOG_SYSTEM_TEST_UNSET") == nil)
        #expect(try currentDirectory() == FileManager.default.currentDirectoryPath)
        #expect(!ProcessIdentity.name.isEmpty && !ProcessIdentity.name.contains("/"))
        #expect(ProcessIdentity.processID == ProcessInfo.processInfo.processIdentifier)
    }
}
