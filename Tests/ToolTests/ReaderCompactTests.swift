import Foundation
import Testing

/// Compacting by the tool, and what writers took out of the log's way.
@Suite struct ReaderCompactTests {
    private func sample() throws -> (ReaderStore, [String]) {
        let store = try ReaderStore()
        var ids: [String] = []
        for index in 0..<6 { ids.append(try store.add("--title", "title \(index)")) }
        _ = try store.reader("delete", ids[2])
        _ = try store.capture("set", "k", "v")
        return (store, ids)
    }

    @Test("lists, values and deletions are the same afterwards, and the log is smaller")
    func compact() throws {
        let (store, ids) = try sample()
        let before = try store.reader("list", "--json").bytes
        let size = try store.reader("compact", "--dry-run", "--json").object
        #expect(size["damage"] as? Int == 0 && size["tombstones"] as? Int == 1)
        let run = try store.reader("compact", "--json")
        let outcome = try run.object
        #expect(run.status == 0 && outcome["compacted"] as? Bool == true)
        #expect(outcome["generation"] as? Int == 2 && outcome["records"] as? Int == 7)
        #expect(try store.reader("list", "--json").bytes == before)
        #expect(try store.reader("value", "k").output == "v\n")
        #expect(try store.names() == ["lock", "log"])
        let restored = try store.reader("restore", ids[2])
        #expect(restored.status == 1 && restored.messages.contains("no longer in the log"))
        #expect(try store.add("--title", "after").isEmpty == false)
    }

    @Test("without need nothing is done where that is asked")
    func ifNeeded() throws {
        let (store, _) = try sample()
        let run = try store.reader("compact", "--if-needed", "--json")
        #expect(run.status == 0)
        #expect(try run.object["compacted"] as? Bool == false)
        #expect(try store.reader("status", "--json").object["generation"] as? Int == 1)
    }

    @Test("a damaged log is named and left as it is, unless its damage may be made final")
    func damaged() throws {
        let (store, _) = try sample()
        try store.flip("title 4")
        let log = try Data(contentsOf: store.log)
        for arguments in [["compact"], ["compact", "--dry-run"]] {
            let run = try store.reader(arguments)
            #expect(run.status == 65 && run.messages.contains("bad payload at offset"))
        }
        #expect(try Data(contentsOf: store.log) == log)
        #expect(try store.reader("compact", "--discard-damage").status == 0)
        #expect(try store.reader("list", "--json").objects.count == 4)
        #expect(try store.reader("status", "--json").object["damage"] as? [String] == [])
    }

    @Test("a cut is listed, shown and removed")
    func quarantine() throws {
        let (store, ids) = try sample()
        #expect(try store.reader("quarantine", "list").output.isEmpty)
        // The last record's frame lacks its last bytes, as a killed writer leaves it.
        let torn = try store.add("--title", "torn away")
        var bytes = [UInt8](try Data(contentsOf: store.log))
        let end = try #require(bytes.lastIndex { $0 != 0 })
        for index in end - 9...end { bytes[index] = 0 }
        try Data(bytes).write(to: store.log)
        try store.add("--title", "next")
        let list = try store.reader("quarantine", "list", "--json")
        let name = try #require(try list.object["name"] as? String)
        #expect(try list.lines.count == 1 && (list.object["length"] as? Int ?? 0) > 50)
        #expect(try store.reader("quarantine", "list").lines.count == 2)
        let shown = try store.reader("quarantine", "show", name, "--json").object
        #expect(shown["key"] as? String == torn && shown["whole"] as? Bool == true)
        #expect((shown["record"] as? [String: Any])?["title"] as? String == "torn away")
        #expect(try store.reader("quarantine", "show", name).output.contains("title=torn away"))
        let missing = "t0000000000000000001-g1-o4160-n10.log"
        #expect(try store.reader("quarantine", "show", missing).status == 1)
        #expect(try store.reader("quarantine", "show", "../log").status == 64)
        #expect(try store.reader("quarantine", "remove").status == 64)
        #expect(try store.reader("quarantine", "remove", missing).status == 1)
        // A file that is no log is named, and one that cannot be removed keeps no other.
        let folder = store.log.deletingLastPathComponent().appending(path: "quarantine")
        try Data("junk".utf8).write(to: folder.appending(path: name))
        let junk = try store.reader("quarantine", "show", name)
        #expect(junk.status == 65 && junk.messages.contains(name), "\(junk.messages)")
        let stuck = folder.appending(path: "t0000000000000000001-g1-o4160-n10.log/file")
        try FileManager.default.createDirectory(at: stuck, withIntermediateDirectories: true)
        #expect(try store.reader("quarantine", "remove", "--all").status == 74)
        #expect(try store.reader("quarantine", "list").lines.count == 2)
        try FileManager.default.removeItem(at: stuck.deletingLastPathComponent())
        #expect(try store.reader("quarantine", "list").output.isEmpty)
        #expect(try store.reader("list", "--json").objects.count == ids.count)
    }
}
