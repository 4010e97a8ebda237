import Foundation
import TestSupport
import Testing

@testable import GroupLogSystem

@Suite struct MappedRegionTests {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func bytes(_ region: MappedRegion, _ range: Range<Int>) -> [UInt8] {
        region.withBytes(range) { bytes in unsafe bytes.withUnsafeBytes { unsafe Array($0) } }
    }

    @Test("a mapping longer than its file shows what the file has, and what it comes to have")
    func growth() throws {
        let path = try directory.file("log", [1, 2, 3])
        let reader = try FileDescriptor.open(path, .read)
        let region = try MappedRegion(reader, length: 1 << 20)
        #expect(region.length == 1 << 20)
        #expect(bytes(region, 0..<3) == [1, 2, 3])
        #expect(bytes(region, 3..<3) == [])
        let writer = try FileDescriptor.open(path, .readWrite)
        let page = [UInt8](repeating: 7, count: 70_000)
        #expect(try writer.write(page, at: 3) == page.count)
        #expect(bytes(region, 0..<70_003) == [1, 2, 3] + page)
        _ = try writer.write([9], at: 1)
        #expect(bytes(region, 0..<3) == [1, 9, 3])
    }

    @Test("a mapping outlives its descriptor, and shows the old file after a rename")
    func independence() throws {
        let path = try directory.file("log", [1])
        let region: MappedRegion
        do { region = try MappedRegion(FileDescriptor.open(path, .read), length: 4096) }
        try FileSystem.rename(try directory.file("new", [2]), to: path)
        #expect(bytes(region, 0..<1) == [1])
    }

    @Test("what cannot be mapped is an error")
    func refusal() throws {
        let path = try directory.file("log", [1])
        let file = try FileDescriptor.open(path, .read)
        #expect(
            failure { () throws(SystemError) in _ = try MappedRegion(file, length: Int.max) } != nil
        )
    }

    @Test("what the body throws comes out as it is")
    func typedErrors() throws {
        let path = try directory.file("log", [1])
        let region = try MappedRegion(FileDescriptor.open(path, .read), length: 4096)
        #expect(throws: Errno.io) {
            try region.withBytes(0..<1) { bytes throws(Errno) in throw .io }
        }
    }

    #if os(Linux)
        @Test("a range outside the mapping is a programmer's error")
        func outside() async throws {
            let path = try directory.file("log", [1])
            await #expect(processExitsWith: .failure) { [path = path as String] in
                let region = try MappedRegion(FileDescriptor.open(path, .read), length: 10)
                region.withBytes(0..<11) { _ in exit(0) }
            }
            await #expect(processExitsWith: .failure) { [path = path as String] in
                let region = try MappedRegion(FileDescriptor.open(path, .read), length: 10)
                region.withBytes(-1..<1) { _ in exit(0) }
            }
        }
    #endif
}
