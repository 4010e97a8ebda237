import Foundation
import Testing

@testable import GroupLogFormat

/// The files of `Fixtures`, found from where this source file is.
enum FixtureFiles {
    static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    static let folder = tests.appendingPathComponent("Fixtures/v0")
    static let root = tests.deletingLastPathComponent().deletingLastPathComponent()

    static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
    }

    /// The lines that say what a reader must find in a fixture.
    static func lines(_ name: String) throws -> [String] {
        String(decoding: try bytes(name + ".txt"), as: UTF8.self)
            .split(separator: "\n").map(String.init)
    }

    /// Leaves what was produced beside what was expected, for whoever has to look at both.
    static func keep(_ bytes: [UInt8], as name: String) throws -> String {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("grouplog-fixtures")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appendingPathComponent(name)
        try Data(bytes).write(to: file)
        return file.path
    }

    /// Where bytes differ from a file; nil where they do not.
    static func difference(_ bytes: [UInt8], from name: String) throws -> String? {
        let expected = (try? self.bytes(name)) ?? []
        guard bytes != expected else { return nil }
        let place = zip(bytes, expected).enumerated().first { $1.0 != $1.1 }?.offset
        let path = try keep(bytes, as: name)
        return "\(name) differs from byte \(place ?? min(bytes.count, expected.count)): \(path)"
    }
}

@Suite struct FixtureTests {
    @Test("the writer still produces every fixture byte for byte")
    func writer() throws {
        for (name, bytes) in try FixtureLog.all() {
            #expect(try FixtureFiles.difference(bytes, from: name + ".log") == nil)
        }
    }

    @Test("every fixture is read as its text says")
    func reader() throws {
        for (name, bytes) in try FixtureLog.all() {
            let lines = try LogReading.lines(bytes)
            let text = Array((lines.joined(separator: "\n") + "\n").utf8)
            #expect(try FixtureFiles.difference(text, from: name + ".txt") == nil)
        }
    }

    @Test("every file among the fixtures is compared")
    func complete() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: FixtureFiles.folder.path)
        let expected = try FixtureLog.all().flatMap { [$0.name + ".log", $0.name + ".txt"] }
        #expect(Set(files) == Set(expected))
    }

    @Test("a fixture that differs in any bit is noticed, by its bytes and by what is read")
    func bites() throws {
        let bytes = try FixtureFiles.bytes("one-record.log")
        let lines = try FixtureFiles.lines("one-record")
        let frames = FixtureLog.firstFrame..<bytes.count - 64
        for offset in Array(0..<64) + Array(4096..<4160) + Array(frames) {
            for bit: UInt8 in 0..<8 {
                var changed = bytes
                changed[offset] ^= 1 << bit
                #expect(changed != bytes)
                #expect(try LogReading.lines(changed) != lines, "byte \(offset), bit \(bit)")
            }
        }
        #expect(try FixtureFiles.difference(Array(bytes.dropLast()), from: "one-record.log") != nil)
        #expect(try FixtureFiles.difference([], from: "no such file") == nil)
        #expect(try FixtureFiles.difference([0], from: "no such file") != nil)
    }
}
