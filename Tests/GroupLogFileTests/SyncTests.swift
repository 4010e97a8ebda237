import GroupLogFormat
import GroupLogSystem
import Testing

@testable import GroupLogFile

/// What `makeDurable` promises.
@Suite struct SyncTests {
    private func volume() throws -> (FaultyVolume, LogWriter) {
        let volume = FaultyVolume()
        let writer = volume.writer()
        _ = try writer.withLock { _ in }
        return (volume, writer)
    }

    private func append(_ text: String, _ writer: LogWriter) throws -> Commit {
        try #require(try writer.withLock { try $0.append([frame(text)]) }.commit)
    }

    private func survivors(_ volume: FaultyVolume) throws -> [String] {
        try FaultyVolume(volume.disk.afterPowerLoss(.all)).texts()
    }

    @Test("a barrier does not stand for a full sync, and a full sync stands for a barrier")
    func barrier() throws {
        let (volume, writer) = try volume()
        let before = volume.durabilities.count
        let first = try append("one", writer)
        let second = try append("two", writer)
        try writer.makeDurable(second, .barrier)
        try writer.makeDurable(first, .barrier)
        try writer.makeDurable(first, .full)
        try writer.makeDurable(second, .full)
        try writer.makeDurable(second, .barrier)
        #expect(Array(volume.durabilities.dropFirst(before)) == [.barrier, .full])
    }

    @Test("after a failed sync the same bytes are written again, and only then is it tried again")
    func writtenAgain() throws {
        let (volume, writer) = try volume()
        let one = try append("one", writer)
        try writer.makeDurable(one)
        let two = try append("two", writer)
        let three = try append("three " + String(repeating: "x", count: 3_000_000), writer)
        volume.setFaults([.init(call: .synchronize, name: .log, after: 0, errno: .io)])
        try writer.makeDurable(three)
        #expect(try survivors(volume).count == 3)
        try writer.makeDurable(two)
        try writer.makeDurable(try append("four", writer))
        #expect(try survivors(volume).count == 4)
    }

    @Test("when a second sync fails, the writer takes nothing more and says what is uncertain")
    func poisoned() throws {
        let (volume, writer) = try volume()
        try writer.makeDurable(try append("one", writer))
        let two = try append("two", writer)
        let three = try append("three", writer)
        volume.setFaults([.init(call: .synchronize, name: .log, after: 0, count: 2, errno: .io)])
        for attempt in [
            { try writer.makeDurable(three) }, { try writer.makeDurable(two) },
            { _ = try append("four", writer) },
        ] {
            #expect {
                try attempt()
            } throws: { error in
                guard case LogError.poisoned(let cause, let unknown) = error else { return false }
                return cause.errno == .io && unknown == 2...3
            }
        }
        #expect(try volume.texts() == ["one", "two", "three"])
        let other = volume.writer()
        try other.makeDurable(try append("four", other))
        #expect(try Set(survivors(volume)).isSuperset(of: ["one", "four"]))
    }

    @Test("bytes that the system has given up after a failed sync are not made durable as they are")
    func givenUp() throws {
        let (volume, writer) = try volume()
        try writer.makeDurable(try append("one", writer))
        let two = try append("two " + String(repeating: "x", count: 20_000), writer)
        // The page is taken from memory, and comes back from the disk as it was there.
        var bytes = try #require(volume.bytes(of: .log))
        bytes.replaceSubrange(8192..<12288, with: [UInt8](repeating: 0, count: 4096))
        try volume.setBytes(bytes, of: .log)
        volume.setFaults([.init(call: .synchronize, name: .log, after: 0, errno: .io)])
        #expect(throws: LogError.self) { try writer.makeDurable(two) }
        #expect(throws: LogError.self) { try append("three", writer) }
    }

    @Test("a commit is durable although the lock cannot be had to note that its directory is")
    func busyLock() throws {
        let (volume, _) = try volume()
        let page = try volume.open(.lock, .readWrite, .never)
        try page.writeZeros(0..<64)
        let writer = volume.writer(timeout: 0.01)
        let commit = try append("one", writer)
        let names = volume.counts[.synchronizeNames] ?? 0
        _ = try volume.writer().withLock { _ in try writer.makeDurable(commit) }
        #expect(volume.counts[.synchronizeNames] == names + 1)
        try writer.makeDurable(try append("two", writer))
        #expect(volume.counts[.synchronizeNames] == names + 1)
        #expect(try survivors(volume) == ["one", "two"])
    }

    @Test("a directory that cannot be synced is told as that, and the next write tries again")
    func failedEntry() throws {
        let (volume, _) = try volume()
        let page = try volume.open(.lock, .readWrite, .never)
        try page.writeZeros(0..<64)
        let writer = volume.writer()
        let one = try append("one", writer)
        volume.setFaults([.init(call: .synchronizeNames, after: 0, errno: .io)])
        #expect {
            try writer.makeDurable(one)
        } throws: { error in
            guard case LogError.entryNotDurable(let cause, _) = error else { return false }
            return cause.errno == .io
        }
        #expect(try volume.texts() == ["one"])
        try writer.makeDurable(try append("two", writer))
        #expect(try survivors(volume) == ["one", "two"])
    }

    @Test("what one writer knows of the directory's durability, the others learn and do not forget")
    func entryMark() throws {
        let (volume, first) = try volume()
        let page = try volume.open(.lock, .readWrite, .never)
        try page.writeZeros(0..<64)
        let second = volume.writer()
        let one = try append("one", first)
        let two = try append("two", second)
        try first.makeDurable(one)
        let names = volume.counts[.synchronizeNames]
        try second.makeDurable(try append("three", second))
        try second.makeDurable(two)
        let third = volume.writer()
        try third.makeDurable(try append("four", third))
        #expect(volume.counts[.synchronizeNames] == names)
    }

    @Test("a copy in the log's place is not taken for durable because the lock page says so")
    func copiedLog() throws {
        let volume = FaultyVolume()
        func append(_ text: String) throws {
            let writer = volume.writer()
            let (_, commit) = try writer.withLock { try $0.append([frame(text)]) }
            try writer.makeDurable(try #require(commit))
        }
        try append("one")
        // As whoever restores a backup does, but for the sync of the directory.
        let copy = try volume.open(.newLog, .readWrite, .exclusive)
        try copy.writeAll(try #require(volume.bytes(of: .log)), at: 0)
        try copy.synchronize(.full)
        try volume.rename(.newLog, to: .log)
        try append("two")
        let names = volume.counts[.synchronizeNames]
        let after = FaultyVolume(volume.disk.afterPowerLoss(.all))
        #expect(try after.texts() == ["one", "two"])
        try append("three")
        #expect(volume.counts[.synchronizeNames] == names)
    }

    @Test("a damaged lock page does not keep an append from being synced")
    func damagedPage() throws {
        let (volume, writer) = try volume()
        try writer.makeDurable(try append("one", writer))
        let page = try volume.open(.lock, .readWrite, .never)
        try page.writeAll([1, 2, 3], at: 9)
        try writer.makeDurable(try append("two", writer))
        #expect(try survivors(volume) == ["one", "two"])
    }

    @Test("nothing that was synced speaks for what follows an older copy put in the log's place")
    func olderCopy() throws {
        let (volume, writer) = try volume()
        try writer.makeDurable(try append("one", writer))
        let older = try #require(volume.bytes(of: .log))
        for index in 0..<5 { try writer.makeDurable(try append("newer \(index)", writer)) }
        _ = try append("not synced", writer)
        try volume.setBytes(older, of: .log)
        try writer.makeDurable(try append("two", writer))
        #expect(try survivors(volume) == ["one", "two"])
    }

    @Test("eight threads on a disk whose syncs fail now and then lose nothing that returned")
    func threads() async throws {
        let (volume, writer) = try volume()
        volume.setFaults(
            (0..<10).map { _ in .init(call: .synchronize, name: .log, after: 3, errno: .io) })
        let returned = try await withThrowingTaskGroup(of: [String].self) { group in
            for thread in 0..<8 {
                group.addTask {
                    try (0..<20).map { index in
                        let text = "\(thread)/\(index)"
                        try writer.makeDurable(try append(text, writer))
                        return text
                    }
                }
            }
            return try await group.reduce(into: [String]()) { $0 += $1 }
        }
        #expect(Set(try survivors(volume)) == Set(returned) && returned.count == 160)
    }
}
