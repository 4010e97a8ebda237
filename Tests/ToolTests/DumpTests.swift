import Foundation
import GroupLogFormat
import Testing

@Suite struct DumpTests {
    /// The JSON objects of a run's lines.
    private func objects(_ run: ToolRun) throws -> [[String: Any]] {
        try run.lines.map {
            try #require(
                JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any], "\($0)")
        }
    }

    // MARK: Choosing

    @Test("a key is matched whatever its type, or only as the type before it")
    func keys() throws {
        var log = DumpSampleLog()
        let uuid = "6ba7b810-9dad-41d1-80b4-00c04fd430c8"
        let bytes = try #require(RecordKey(kind: .bytes, bytes: [0, 255]))
        try log.append {
            try $0.put("-7", title: "text")
            for key in [RecordKey(integer: -7), Self.uuidKey, bytes] {
                try $0.append(kind: .delete, collection: "other", key: key)
            }
        }
        let dump = try DumpRunner(log.bytes)
        for (key, count) in [
            ("-7", 2), ("text:-7", 1), ("int:-7", 1), (uuid.uppercased(), 1),
            ("uuid:\(uuid)", 1), ("0x00ff", 1), ("bytes:00FF", 1), ("nothing", 0),
        ] {
            let run = try dump("records", "--json", "--key=\(key)", dump.log)
            #expect(run.lines.count == count, "\(key)")
        }
        #expect(try dump("records", "--json", "--collection=other", dump.log).lines.count == 3)
        for key in ["", "int:x", "uuid:5", "bytes:0", String(repeating: "k", count: 1_025)] {
            #expect(try dump("records", "--key=\(key)", dump.log).status == 64, "\(key)")
        }
    }

    private static let uuidKey = RecordKey(
        uuid: (
            0x6B, 0xA7, 0xB8, 0x10, 0x9D, 0xAD, 0x41, 0xD1, 0x80, 0xB4, 0x00, 0xC0, 0x4F, 0xD4,
            0x30, 0xC8
        ))

    @Test("offsets choose what touches them, and a limit ends the list")
    func ranges() throws {
        let log = try DumpSampleLog.small()
        let dump = try DumpRunner(log.bytes)
        let second = log.frames[1]
        let run = try dump(
            "frames", "--json", "--from=\(second.lowerBound + 1)", "--to=\(second.upperBound)",
            dump.log)
        #expect(try objects(run).map { $0["offset"] as? Int } == [second.lowerBound])
        #expect(try dump("frames", "--json", "--from=0x10C0", dump.log).lines.count == 3)
        #expect(try dump("records", "--json", "-n", "2", dump.log).lines.count == 2)
        #expect(try dump("records", "--json", "-n0", dump.log).lines.isEmpty)
        #expect(try dump("frames", "--from=12k", dump.log).status == 64)
        #expect(try dump("hex", dump.log, "1000000").status == 64)
    }

    @Test("stored text cannot fake lines or reach the terminal")
    func controlCharacters() throws {
        var log = DumpSampleLog()
        try log.append(author: "app\u{1B}[2J") { try $0.put("a\nb\u{1B}[31m", title: "\u{9B}x") }
        let dump = try DumpRunner(log.bytes)
        for command in ["summary", "frames", "records", "verify", "stats"] {
            let run = try dump(command, "--color=never", dump.log)
            #expect(!run.bytes.contains(0x1B) && !run.output.contains("\u{9B}"), "\(command)")
        }
        #expect(try dump("records", dump.log).lines.count == 2)
        let run = try dump("hex", "--color=never", dump.log, "4160")
        #expect(!run.bytes.contains(0x1B))
    }

    // MARK: What may be named

    @Test("a misspelt subcommand is told, however its command line goes on")
    func misspelt() throws {
        let dump = try DumpRunner(try DumpSampleLog.small().bytes)
        for (arguments, status) in [
            (["recrods", dump.log], 64), (["recrods", "--key", "5", dump.log], 64),
            (["recrods"], 66),
        ] as [([String], Int32)] {
            let run = try ToolRunner.run("grouplog-dump", arguments)
            #expect(run.status == status)
            #expect(run.messages.contains("records'"), "\(arguments): \(run.messages)")
        }
        let run = try ToolRunner.run("grouplog-dump", ["no-such-file"])
        #expect(run.status == 66 && !run.messages.contains("hint"))
    }

    @Test("a store's directory stands for its log, and its lock file is read too")
    func directory() throws {
        let log = try DumpSampleLog.small()
        let dump = try DumpRunner(log.bytes)
        let header = LogHeader(
            storeID: StoreID(bytes: Array(0x10..<0x20)), generation: 1, salt: DumpSampleLog.salt)
        var page = LockPage(
            salt: header.salt, end: 4608, durableGeneration: 1, durableFile: 0
        ).encoded()
        page += [UInt8](repeating: 0, count: LockPage.headerOffset - page.count)
        page += header.encoded()
        page += LockHolder(processID: 17, name: "app", purpose: "append", since: 0).encoded()
        try dump.write(page, as: "lock")
        let run = try dump(dump.storePath)
        #expect(run.status == 0)
        #expect(run.output.contains("app (process 17), append, since 1970-01-01T00:00:00Z"))
        #expect(run.output.contains("end hint             4608\n"))

        // With both copies gone, the one in the lock file is enough.
        var bytes = log.bytes
        bytes.replaceSubrange(0..<64, with: repeatElement(0, count: 64))
        bytes.replaceSubrange(4096..<4160, with: repeatElement(0, count: 64))
        try dump.write(bytes, as: "log")
        let rescued = try objects(try dump("--json", dump.storePath))[0]
        #expect(rescued["records"] as? Int == 6 && rescued["saltFrom"] as? String == "lock file")
        let alone = try dump("records", dump.log)
        #expect(alone.status == 65 && alone.messages.contains("hint: "))
    }

    @Test("a salt that still stands in a damaged header is used if it proves a frame")
    func damagedHeaders() throws {
        var log = try DumpSampleLog.small()
        log.bytes[20] ^= 1
        log.bytes[4096 + 33] ^= 1
        let dump = try DumpRunner(log.bytes)
        #expect(try dump("records", "--json", dump.log).lines.count == 6)
        let run = try dump("verify", "--json", dump.log)
        #expect(run.status == 65)
        #expect(try objects(run).compactMap { $0["offset"] as? Int } == [0, 4096])
    }

    @Test("what is no log is refused with a reason and a status")
    func refused() throws {
        let dump = try DumpRunner(try DumpSampleLog.small().bytes)
        try dump.write([], as: "empty")
        try dump.write(Array("text\n".utf8), as: "text")
        let path = { (name: String) in "\(dump.storePath)/\(name)" }
        try FileManager.default.createSymbolicLink(
            atPath: path("link"), withDestinationPath: dump.log)
        try FileManager.default.createDirectory(
            atPath: path("bare"), withIntermediateDirectories: false)
        let status = unsafe mkfifo(path("fifo"), 0o600)
        #expect(status == 0)
        for command in ["summary", "frames", "records", "verify", "stats", "map"] {
            for (name, status) in [
                ("empty", 65), ("text", 65), ("missing", 66), ("link", 66), ("bare", 66),
                ("fifo", 66), ("/dev/null", 66),
            ] {
                let run = try dump(command, name.hasPrefix("/") ? name : path(name))
                #expect(run.status == Int32(status), "\(command) \(name)")
                #expect(run.messages.hasPrefix("grouplog-dump: "), "\(command) \(name)")
            }
        }
    }

    @Test("a log of a newer format is named and not read")
    func newerFormat() throws {
        var header = LogHeader(
            storeID: StoreID(bytes: Array(0..<16)), generation: 1, salt: DumpSampleLog.salt)
        header.majorVersion = 99
        let dump = try DumpRunner(header.encodedPreamble())
        for command in ["summary", "frames", "records", "verify", "stats", "map"] {
            let run = try dump(command, dump.log)
            #expect(run.status == 65 && run.messages.contains("99.1"), "\(command)")
        }
    }

    @Test("a quarantined file is read as the log that it is")
    func quarantined() throws {
        let log = try DumpSampleLog.small()
        let last = try #require(log.frames.last)
        let zeros = [UInt8](repeating: 0, count: last.lowerBound - 4160)
        let torn = log.bytes[last.lowerBound..<last.lowerBound + 50]
        let dump = try DumpRunner(Array(log.bytes[..<4160]) + zeros + torn)
        #expect(try dump("verify", dump.log).status == 0)
        let run = try dump("hex", dump.log, "\(last.lowerBound)")
        #expect(run.lines.first == "\(last.lowerBound)  frame header")
        #expect(run.output.contains("sequence          3\n"))
    }

    // MARK: Forms

    @Test("the help of each command names all members of its JSON")
    func documentedMembers() throws {
        let dump = try DumpRunner(try DumpSampleLog.small().bytes)
        for command in ["summary", "frames", "records", "verify", "stats", "map", "hex"] {
            let help = try dump(command, "--help").output
            let run =
                command == "hex"
                ? try dump(command, "--json", dump.log, "4160")
                : try dump(command, "--json", dump.log)
            #expect(run.status == 0)
            let words = Set(help.split { !$0.isLetter }.map(String.init))
            for object in try objects(run) {
                #expect(Set(object.keys).subtracting(words).isEmpty, "\(command)")
            }
        }
    }

    // MARK: Large logs

    @Test("frames that are larger than what is read at once are read whole")
    func largeFrames() throws {
        var log = DumpSampleLog()
        for size in [700_000, 3_000_000, 10, 1_048_576] {
            try log.append {
                let length = (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) }
                try $0.append(
                    kind: .put, collection: "items", key: RecordKey(integer: Int64(size)),
                    content: .init(
                        bytes: [0x5A] + length + [UInt8](repeating: 0x41, count: size),
                        isIndexed: false))
            }
        }
        log.addSlack(1 << 20)
        log.bytes[log.frames[1].lowerBound + 2_000_000] ^= 4
        let dump = try DumpRunner(log.bytes)
        let run = try dump("verify", "--json", dump.log)
        #expect(run.status == 65)
        let found = try objects(run)
        #expect(
            found.map { $0["cause"] as? String } == ["bad payload", "bad record", nil])
        #expect(found[1]["key"] as? Int == 3_000_000)
        let hex = try dump("hex", dump.log, "\(log.frames[1].lowerBound + 100)")
        #expect(hex.lines.count > 4096 / 8 / 2)
    }
}
