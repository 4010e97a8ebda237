import Foundation
import GroupLogFormat
import TestSupport
import Testing

/// Rescuing what can be read of a log, and comparing two.
@Suite struct DumpSalvageTests {
    /// The keys and sequences of the good records of a log.
    private func records(_ dump: DumpRunner, _ log: String) throws -> [String] {
        let run = try dump("records", "--json", log)
        try #require(run.status == 0, "\(run.messages)")
        return try run.objects.filter { $0["kind"] as? String != "metadata" }
            .filter { $0["state"] as? String == "good" }
            .map { "\($0["kind"] ?? "") \($0["key"] ?? "") \($0["sequence"] ?? "")" }
    }

    @Test("all of a whole log is in the new one, with its sequences, and the two do not differ")
    func whole() throws {
        let dump = try DumpRunner(try DumpSampleLog.small().bytes)
        let new = dump.beside("new")
        let run = try dump("salvage", "--json", "-o", new, dump.log)
        #expect(run.status == 0 && run.messages.isEmpty)
        #expect(try run.objects.first?["records"] as? Int == 6)
        #expect(try records(dump, new) == records(dump, dump.log))
        #expect(try dump("verify", new).status == 0)
        let diff = try dump("diff", dump.log, new)
        #expect(diff.status == 0 && diff.output.isEmpty)
    }

    @Test("a log that cannot be written, or exists, is an error, and nothing is left")
    func refused() throws {
        let dump = try DumpRunner(try DumpSampleLog.small().bytes)
        let run = try dump("salvage", "-o", dump.log, dump.log)
        #expect(run.status == 73 && run.messages.contains("it exists"))
        #expect(try dump("verify", dump.log).status == 0)
        #expect(try dump("salvage", dump.log).status == 64)
        let other = try dump("salvage", "-o", dump.beside("no/such"), dump.log)
        #expect(other.status != 0 && other.messages.contains("cannot create"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: dump.storePath) == ["log"])
    }

    @Test("records of a damaged transaction, and of one that was cut, are rescued unless refused")
    func transactions() throws {
        var log = try DumpSampleLog.small()
        let first = log.frames[0]
        let last = try #require(log.frames.last)
        // The deletion, the last record of the transaction.
        log.bytes[first.upperBound - 16] ^= 1
        let dump = try DumpRunner(Array(log.bytes[..<(last.upperBound - 8)]))
        let run = try dump("salvage", "-o", dump.beside("all"), dump.log)
        #expect(run.status == 65)
        #expect(
            try records(dump, dump.beside("all")) == [
                "put a 1", "put b 2", "put c 2", "put d 2", "put a 3",
            ])
        #expect(
            try dump("salvage", "--served-only", "-o", dump.beside("served"), dump.log).status == 65
        )
        #expect(try records(dump, dump.beside("served")) == ["put b 2", "put c 2", "put d 2"])
    }

    @Test("what stands behind zeros is rescued, as in a quarantined file, for its owner alone")
    func quarantined() throws {
        let log = try DumpSampleLog.small()
        let last = try #require(log.frames.last)
        let zeros = [UInt8](repeating: 0, count: last.lowerBound - 4160)
        let torn = log.bytes[last.lowerBound..<last.upperBound - 8]
        let dump = try DumpRunner(Array(log.bytes[..<4160]) + zeros + torn)
        let run = try dump("salvage", "-o", dump.beside("new"), dump.log)
        #expect(run.status == 0, "\(run.messages)")
        #expect(try records(dump, dump.beside("new")) == ["put a 3"])
        let attributes = try FileManager.default.attributesOfItem(atPath: dump.beside("new"))
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try dump("salvage", "-o", "-", dump.log).status == 64)
    }

    @Test("a log without a header is rescued by that of another copy, or of the lock file")
    func withoutHeader() throws {
        let log = try DumpSampleLog.small().bytes
        var bytes = log
        for index in Array(0..<64) + Array(4096..<4160) { bytes[index] = 0 }
        let dump = try DumpRunner(bytes)
        try dump.write(log, as: "backup")
        let header = try unsafe LogHeader.decode(log.span.bytes)
        try dump.write([UInt8](repeating: 0, count: 64) + header.encoded(), as: "lock.copy")
        #expect(try dump("salvage", "-o", dump.beside("none"), dump.log).status == 65)
        for other in ["backup", "lock.copy"] {
            let new = dump.beside("new-\(other)")
            let run = try dump(
                "salvage", "-o", new, "--header-from", dump.beside(other), dump.log)
            #expect(run.status == 0, "\(run.messages)")
            #expect(try records(dump, new).count == 6)
        }
        let run = try dump(
            "salvage", "-o", dump.beside("x"), "--header-from", dump.log, dump.log)
        #expect(run.status == 65 && run.messages.contains("no header of a log"))
        // A store's directory is as good as the log in it; a log of other frames is not.
        try FileManager.default.createDirectory(
            atPath: dump.beside("copy.grouplog"), withIntermediateDirectories: false)
        try dump.write(log, as: "copy.grouplog/log")
        let store = try dump(
            "salvage", "-o", dump.beside("y"), "--header-from", dump.beside("copy.grouplog"),
            dump.log)
        #expect(store.status == 0, "\(store.messages)")
        let foreign = LogHeader(
            storeID: header.storeID, generation: header.generation, salt: header.salt ^ 1)
        try dump.write(foreign.encoded(), as: "foreign")
        let wrong = try dump(
            "salvage", "-o", dump.beside("z"), "--header-from", dump.beside("foreign"), dump.log)
        #expect(wrong.status == 65 && wrong.messages.contains("no frame of"), "\(wrong.messages)")
    }

    @Test("whatever bit is flipped, what is rescued was there, and only what was hit is missing")
    func flips() throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let log = try DumpSampleLog.small()
        let whole = try DumpRunner(log.bytes)
        let expected = try records(whole, whole.log)
        for round in 0..<(isFull ? 1_000 : 30) {
            var bytes = log.bytes
            let bit = Int.random(in: 4160 * 8..<bytes.count * 8, using: &random)
            bytes[bit / 8] ^= 1 << (bit % 8)
            let dump = try DumpRunner(bytes)
            let run = try dump("salvage", "-o", dump.beside("new"), dump.log)
            #expect(!run.wasKilled && [0, 65].contains(run.status), "bit \(bit), \(run.messages)")
            let found = try records(dump, dump.beside("new"))
            let keys = { (lines: [String]) in lines.map { $0.split(separator: " ").prefix(2) } }
            // The sequence of a frame whose header was hit is a guess.
            let missing = keys(expected).filter { !keys(found).contains($0) }
            #expect(keys(found).allSatisfy { keys(expected).contains($0) }, "bit \(bit)")
            // The head of a transaction names the collections of both of its records.
            #expect(missing.count <= 2, "round \(round), bit \(bit): \(missing)")
        }
    }

    @Test("values that one log lacks or has otherwise are told, in the order of the logs")
    func differences() throws {
        let dump = try DumpRunner(try DumpSampleLog.small().bytes)
        var other = DumpSampleLog()
        try other.append { try $0.put("d", title: "d") }
        try other.append { try $0.put("b", title: "other") }
        try other.append { try $0.put("a", title: "two") }
        try other.append { try $0.put("e", title: "new") }
        try dump.write(other.bytes, as: "other")
        let run = try dump("diff", "--json", dump.log, dump.beside("other"))
        #expect(run.status == 1)
        #expect(
            try run.objects.map { "\($0["change"] ?? "") \($0["key"] ?? "")" }
                == ["both b", "first c", "second e"])
        #expect(try run.objects.map { $0["otherSequence"] as? Int } == [2, nil, 4])
        #expect(try dump("diff", dump.log, dump.beside("other")).lines.count == 4)
    }
}
