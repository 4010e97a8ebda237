import Foundation
import GroupLogFormat
import TestSupport
import Testing

/// The reader in Python that was written from FORMAT.md alone, beside `grouplog-dump records`.
@Suite(.enabled(if: FormatReader.isThere, "python3 is not installed"))
struct FormatReaderTests {
    @Test("a reader written from FORMAT.md alone finds in every fixture what the tool finds")
    func fixtures() throws {
        let fixtures = try FormatReader.fixtures()
        #expect(fixtures.count >= 15)
        try FormatReader.compare(fixtures.map { (name: $0.name, bytes: $0.bytes) })
    }

    @Test("both readers find the same in logs that were harmed at random, sealed again or not")
    func harmed() throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let logs = try FormatReader.fixtures().map(\.bytes) + [ValueLog.bytes()]
        for _ in 0..<(isFull ? 40 : 2) {
            let harmed = try (0..<100).map { index in
                let log = try #require(logs.randomElement(using: &random))
                return (
                    name: "seed \(seed), log \(index)", bytes: Harm.harmed(log, using: &random)
                )
            }
            try FormatReader.compare(harmed)
        }
    }
}

/// Runs the reader in Python.
private enum FormatReader {
    static let python = URL(fileURLWithPath: "/usr/bin/python3")
    static var isThere: Bool { FileManager.default.isExecutableFile(atPath: python.path) }

    private static let tests = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()

    static func fixtures() throws -> [(name: String, bytes: [UInt8])] {
        let folder = tests.appending(path: "GroupLogFormatTests/Fixtures/v0")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            .filter { $0.hasSuffix(".log") }
            .map { ($0, [UInt8](try Data(contentsOf: folder.appending(path: $0)))) }
    }

    /// Compares what both readers say of each log, line by line.
    static func compare(_ logs: [(name: String, bytes: [UInt8])]) throws {
        let directory = try TemporaryDirectory()
        let paths = logs.indices.map { directory.path("\($0).log") }
        for (path, log) in zip(paths, logs) {
            try Data(log.bytes).write(to: URL(fileURLWithPath: path))
        }
        let script = tests.appending(path: "FormatReader/records.py").path
        let run = try ToolRunner.run(python, ["-B", script] + paths)
        #expect([0, 65].contains(run.status) && !run.wasKilled, "\(run.messages)")
        var found: [String: [String]] = [:]
        var path = ""
        for line in run.lines {
            if line.hasPrefix("# ") { path = String(line.dropFirst(2)) }
            found[path, default: []] += line.hasPrefix("# ") ? [] : [String(line)]
        }
        // The words of a fault are for people.
        let fault = #/"valueFault":"(?:[^"\\]|\\.)*"/#
        for (path, log) in zip(paths, logs) {
            let tool = try ToolRunner.run("grouplog-dump", ["records", "--json", "-q", path])
            let isRefused = run.messages.contains("'\(path)'")
            #expect(tool.status == (isRefused ? 65 : 0), "\(log.name): \(tool.messages)")
            let reader = try #require(found[path], "\(log.name): \(run.messages)")
            let lost = reader.compactMap(lostFrame)
            let expected = reader.filter { lostFrame($0) == nil }
            let lines = tool.lines.map { String($0.replacing(fault, with: #""valueFault""#)) }
                .filter { !isSeen($0, in: lost) }
            #expect(lines == expected, "\(log.name)\(keep(log, lines == expected))")
        }
    }

    private static func part(_ line: String) -> (range: Range<UInt64>, state: String)? {
        let place = #/\{"offset":([0-9]+),"length":([0-9]+),"state":"([a-z ]+)"/#
        guard let match = line.prefixMatch(of: place), let start = UInt64(match.1),
            let length = UInt64(match.2)
        else { return nil }
        return (start..<start + length, String(match.3))
    }

    /// The frame that a line of the reader says is lost.
    private static func lostFrame(_ line: String) -> Range<UInt64>? {
        part(line).flatMap { $0.state == "lost frame" ? $0.range : nil }
    }

    /// Whether a line of the tool is of what can be seen inside a lost frame, and is not served.
    private static func isSeen(_ line: String, in lost: [Range<UInt64>]) -> Bool {
        let states = ["not served", "unreadable", "bad record"]
        guard let part = part(line), states.contains(part.state) else { return false }
        return lost.contains { $0.clamped(to: part.range) == part.range }
    }

    /// Leaves the log on which both differ where it can be looked at.
    private static func keep(_ log: (name: String, bytes: [UInt8]), _ isSame: Bool) -> String {
        guard !isSame else { return "" }
        let url = FileManager.default.temporaryDirectory
            .appending(path: "grouplog-reader-\(UUID().uuidString).log")
        do {
            try Data(log.bytes).write(to: url)
            return ", kept as \(url.path)"
        } catch {
            return ", not kept: \(error)"
        }
    }
}

/// A log whose values are CBOR of all kinds.
private enum ValueLog {
    private static let values = [
        "00", "3B FFFFFFFFFFFFFFFF", "C2 49 010000000000000000", "C3 49 010000000000000000",
        "C2 41 05", "F9 7E00", "FA 3FC00000", "FA 7FC00001", "FB 3FF199999999999A",
        "FB 7FF0000000000000", "FB 7FF8000000000001", "FB 4350000000000000", "FB 3EE4F8B588E368F1",
        "5F 41 01 41 02 FF", "7F 61 61 61 62 FF", "9F 01 80 A0 FF", "BF 61 61 F5 FF",
        "A1 61 24 F6", "A2 01 61 61 20 F4", "D8 25 50 000102030405060708090A0B0C0D0E0F",
        "D9 ACC1 FB 0000000000000001", "D9 ACC1 FB C1F0000000000001", "D9 ACC1 FB 8000000000000000",
        "D9 ACC1 FB 7FF0000000000000", "C1 1A 00000001", "F7", "F0", "F8 FF",
        "62 22 5C", "63 E697A5", "83 81 81 01 80 A1 61 62 A0",
    ]

    static func bytes() throws -> [UInt8] {
        var log = DumpSampleLog()
        for flags in [FrameFlags.independent, []] {
            try log.append(flags: flags) { frame in
                for (index, text) in values.enumerated() {
                    try frame.append(
                        kind: .put, collection: "$values", key: RecordKey(integer: Int64(index)),
                        content: .init(bytes: hex(text), isIndexed: false))
                }
            }
        }
        log.addSlack()
        return log.bytes
    }

    private static func hex(_ text: String) -> [UInt8] {
        let digits = text.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map {
            UInt8(digits[$0] << 4 | digits[$0 + 1])
        }
    }
}

/// What happens to bytes on their way through the world, and what forgers do.
private enum Harm {
    static func harmed(_ log: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
        let parts = LogSealer.Parts(rawValue: .random(in: 0..<8, using: &random))
        var bytes = log
        // What is cut or moved cannot be sealed again; mostly it is the frames that are harmed.
        let kinds = parts.isEmpty ? 0..<6 : 0..<3
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let isHeader = parts.isEmpty && Int.random(in: 0..<10, using: &random) == 0
            let low = isHeader ? 0 : min(4160, bytes.count)
            guard low < bytes.count else { continue }
            harm(&bytes, .random(in: kinds, using: &random), in: low..<bytes.count, &random)
        }
        LogSealer(salt: DumpSampleLog.salt, parts).seal(&bytes)
        return bytes
    }

    private static func harm(
        _ bytes: inout [UInt8], _ kind: Int, in range: Range<Int>, _ random: inout SeededGenerator
    ) {
        let place = Int.random(in: range, using: &random)
        let end = min(place + .random(in: 1...300, using: &random), bytes.count)
        switch kind {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: bytes[place] = .random(in: 0...255, using: &random)
        case 2:
            let byte: UInt8 = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
            let width = [1, 2, 4, 8].randomElement(using: &random) ?? 1
            for index in place..<min(place + width, bytes.count) { bytes[index] = byte }
        case 3: for index in place..<end { bytes[index] = 0 }
        case 4: bytes.removeSubrange(place...)
        default:
            let copy = bytes[place..<end]
            let target = Int.random(in: range.lowerBound...bytes.count - copy.count, using: &random)
            bytes.replaceSubrange(target..<target + copy.count, with: copy)
        }
    }
}
