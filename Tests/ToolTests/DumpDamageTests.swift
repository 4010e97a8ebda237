import Foundation
import GroupLogFormat
import TestSupport
import Testing

/// The tool on logs that something has happened to.
@Suite struct DumpDamageTests {
    private static let commands = ["summary", "frames", "records", "verify", "stats", "map"]

    /// Runs every command on bytes; none may trap, and each says that it could or could not read.
    private func runAll(_ bytes: [UInt8], _ comment: String) throws {
        let dump = try DumpRunner(bytes)
        for command in Self.commands {
            let run = try dump(command, "--json", dump.log)
            #expect(!run.wasKilled && [0, 65].contains(run.status), "\(command), \(comment)")
            if command == "frames", run.status == 0 { try checkCover(run, bytes.count, comment) }
            if command == "stats", run.status == 0 { try checkSum(run, bytes.count, comment) }
        }
        for offset in [0, 4160, 4300, 4470] where offset < bytes.count {
            let run = try dump("hex", dump.log, "\(offset)")
            #expect(!run.wasKilled && [0, 65].contains(run.status), "hex \(offset), \(comment)")
        }
    }

    /// The lines of `frames` account for every byte behind the header.
    private func checkCover(_ run: ToolRun, _ size: Int, _ comment: String) throws {
        var end = 4160
        for line in run.lines {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
            let part = try #require(object as? [String: Any])
            #expect(part["offset"] as? Int == end, "\(comment)")
            end += part["length"] as? Int ?? 0
        }
        #expect(end == max(size, 4160), "\(comment)")
    }

    /// The uses of `stats` add up to the size of the log.
    private func checkSum(_ run: ToolRun, _ size: Int, _ comment: String) throws {
        let object = try JSONSerialization.jsonObject(with: Data(run.bytes)) as? [String: Any]
        let uses = try #require(object?["bytes"] as? [String: Int])
        #expect(uses.values.reduce(0, +) == size, "\(comment)")
    }

    @Test("a log cut at any byte is read as far as it goes")
    func cuts() throws {
        let log = try DumpSampleLog.small().bytes
        for cut in Array(stride(from: 0, to: 4160, by: 297)) + Array(4155..<4165)
            + Array(stride(from: 4165, to: log.count, by: 23))
        {
            try runAll(Array(log[..<cut]), "cut at \(cut)")
        }
    }

    @Test("a log with flipped bits is read past them, and verify finds them")
    func flips() throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let log = try DumpSampleLog.small()
        for _ in 0..<40 {
            var bytes = log.bytes
            let end = try #require(log.frames.last).upperBound
            let places = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                Int.random(in: 0..<end, using: &random)
            }
            for place in places { bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random) }
            try runAll(bytes, "seed \(seed), flips at \(places)")
            guard bytes != log.bytes else { continue }
            let dump = try DumpRunner(bytes)
            let run = try dump("verify", dump.log)
            // The last frame's end marker tells damage from a write that did not end.
            let isUnfinished = run.status == 0 && run.output.contains("unfinished")
            #expect(run.status == 65 || isUnfinished, "seed \(seed), flips at \(places)")
        }
    }

    @Test("frames that verify and say nonsense are read without a trap")
    func forged() throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let log = try DumpSampleLog.small()
        for _ in 0..<40 {
            var bytes = log.bytes
            let frame = try #require(log.frames.randomElement(using: &random))
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let payload = frame.lowerBound + 60..<frame.upperBound - 8
                bytes[Int.random(in: payload, using: &random)] = .random(
                    in: 0...255, using: &random)
            }
            LogSealer(salt: DumpSampleLog.salt, [.payload, .ends])
                .seal(&bytes, frame: frame, logOffset: UInt64(frame.lowerBound))
            try runAll(bytes, "seed \(seed), frame at \(frame.lowerBound)")
        }
    }

    @Test("a damaged transaction is shown and not served, and its damaged record named")
    func transaction() throws {
        var log = try DumpSampleLog.small()
        log.bytes[4224 + 23] ^= 1
        let dump = try DumpRunner(log.bytes)
        let verification = try dump("verify", dump.log)
        #expect(verification.status == 65)
        #expect(verification.output.contains("bad payload, 2 records lost"))
        #expect(verification.output.contains("bad record, key a, collection items"))
        let records = try dump("records", dump.log).lines
        #expect(records[1].contains("bad record") && records[2].contains("not served"))
        #expect(records[1...].allSatisfy { $0.split(separator: " ")[0].allSatisfy(\.isNumber) })
    }

    @Test("a record that the format does not allow is damage with a reason, whatever its checksum")
    func malformedRecord() throws {
        var log = try DumpSampleLog.small()
        // A text of one byte, said to be a UUID.
        log.bytes[4224 + 4] = 2
        LogSealer(salt: DumpSampleLog.salt, [.inside, .payload, .ends]).seal(&log.bytes)
        let dump = try DumpRunner(log.bytes)
        let run = try dump("verify", dump.log)
        #expect(run.status == 65)
        #expect(
            run.output.contains("bad record, collection items, its key does not fit its type"))
        let records = try dump("records", "--json", dump.log).lines
        #expect(records[0].contains(#""state":"bad record""#))
        #expect(records[0].contains(#""author":"app""#) && records[1].contains("good"))
    }

    @Test("a damaged record of an independent frame is shown beside the others")
    func record() throws {
        var log = try DumpSampleLog.small()
        log.bytes[4373 + 22] ^= 1
        let dump = try DumpRunner(log.bytes)
        let run = try dump("records", "--key=c", dump.log)
        #expect(run.lines.count == 2 && run.lines[1].contains("bad record"))
        #expect(try dump("map", dump.log).output.contains("X  damaged"))
        let hex = try dump("hex", dump.log, "4373")
        #expect(hex.output.contains("expected 0x") && hex.output.contains(" bad\n"))
    }

    @Test("an unfinished write at the end is noted, and is no damage")
    func unfinished() throws {
        let log = try DumpSampleLog.small()
        let last = try #require(log.frames.last)
        let dump = try DumpRunner(
            Array(log.bytes[..<(last.lowerBound + 50)]) + [UInt8](repeating: 0, count: 64))
        let run = try dump("verify", dump.log)
        #expect(run.status == 0 && run.output.contains("unfinished") && run.output.contains("note"))
        #expect(try dump("map", dump.log).output.contains("?  an unfinished write"))
    }

    @Test("what cannot be read is mentioned where records are chosen by key")
    func hiddenRecords() throws {
        var log = try DumpSampleLog.small()
        let first = log.frames[0]
        log.bytes.replaceSubrange(first, with: repeatElement(0, count: first.count))
        let dump = try DumpRunner(log.bytes)
        let run = try dump("records", "--key=a", dump.log)
        #expect(run.status == 0 && run.lines.count == 2)
        #expect(run.messages.contains("1 place that cannot be read may hold more"))
        #expect(try dump("records", "--quiet", "--key=a", dump.log).messages.isEmpty)
    }
}
