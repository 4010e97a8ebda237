import GroupLogFormat
import GroupLogSystem
import Testing

@testable import GroupLogFile

/// Every call that can fail does so once, and for ever, in the life of a store.
@Suite struct FaultTests {
    /// What a life of a store has told the caller.
    private struct Life {
        /// What an append that returned has put into the log.
        var appended: [String] = []
        var failed: [String] = []
        var errors: [any Error] = []
    }

    /// Makes a store, appends, is killed in an append, recovers in the next, appends much at once.
    private func live(_ volume: FaultyVolume) -> Life {
        var life = Life()
        func append(_ texts: [String], _ writer: LogWriter) {
            do {
                let (_, commit) = try writer.withLock { log in
                    try log.append(texts.map { try frame($0, key: String($0.prefix(9))) })
                }
                life.appended += texts
                try writer.makeDurable(try #require(commit))
            } catch {
                if life.appended.last != texts.last { life.failed += texts }
                life.errors.append(error)
            }
        }
        let first = volume.writer(timeout: 0.02)
        append(["one"], first)
        append(["two", "three"], first)
        if let log = volume.bytes(of: .log) { try? volume.tear(log) }
        let second = volume.writer(timeout: 0.02)
        append(["four"], second)
        append(["five " + String(repeating: "x", count: 20_000)], second)
        append(["six " + String(repeating: "y", count: 66_000), "seven"], second)
        return life
    }

    private func check(_ life: Life, _ volume: FaultyVolume, _ fault: FaultyVolume.Fault) throws {
        for error in life.errors {
            switch error {
            case LogError.system(let cause), let cause as SystemError:
                #expect(cause.errno == fault.errno, "\(fault)")
            case LogError.entryNotDurable(let cause, _):
                #expect(cause.errno == fault.errno, "\(fault)")
            case LogError.poisoned(let cause, let unknown):
                #expect(cause.errno == fault.errno && unknown != nil, "\(fault)")
            default: Issue.record("\(error) after: \(fault)")
            }
        }
        volume.setFaults([])
        let writer = volume.writer()
        let (_, commit) = try writer.withLock { try $0.append([frame("next")]) }
        try writer.makeDurable(try #require(commit))
        #expect(try volume.texts() == life.appended + ["next"], "\(fault)")
        let receipt = try LogReader(volume, mapping: .never).receipt
        #expect(receipt.entries.isEmpty && receipt.unfinished == nil, "\(fault)")
        #expect(volume.bytes(of: .newLog) == nil || life.appended.isEmpty, "\(fault)")
    }

    @Test(
        "a call that fails loses nothing that returned, leaves nothing partial, and the next append works",
        arguments: FaultyVolume.Call.allCases)
    func everyCall(_ call: FaultyVolume.Call) throws {
        let calm = FaultyVolume()
        calm.setFaults([])
        let life = live(calm)
        #expect(life.errors.isEmpty && life.appended.count == 7)
        let count = calm.counts[call] ?? 0
        #expect(count > 0, "the life of the store has no such call")
        let others: [Errno] = [.noSpace, .notPermitted, .notSupported, .interrupted]
        // Recovery looks at every eighth byte, one as much as the other.
        for after in stride(from: 0, to: count, by: max(1, count / 25)) {
            for errno in [.io, others[after % others.count]] {
                for (times, taken) in [(1, 0), (.max, 0), (.max, 5), (1, 4096)] {
                    guard call == .write || taken == 0 else { continue }
                    let fault = FaultyVolume.Fault(
                        call: call, after: after, count: times, errno: errno, taken: taken)
                    let volume = FaultyVolume()
                    volume.setFaults([fault])
                    try check(live(volume), volume, fault)
                }
            }
        }
    }

    @Test("writes that take few bytes at a time lose nothing", arguments: [61, 4096])
    func shortWrites(_ taken: Int) throws {
        let volume = FaultyVolume()
        let fault = FaultyVolume.Fault(call: .write, after: 0, count: .max, taken: taken)
        volume.setFaults([fault])
        let life = live(volume)
        #expect(life.errors.isEmpty)
        try check(life, volume, fault)
    }

    @Test("a full disk fails an append before a byte of its frame is written")
    func fullDisk() throws {
        let volume = FaultyVolume()
        let writer = volume.writer()
        var count = 0
        _ = try writer.withLock { try $0.append([frame("0")]) }
        let size = try #require(volume.bytes(of: .log)).count
        // What is there can be overwritten; the file cannot grow.
        while true {
            let before = try #require(volume.bytes(of: .log))
            volume.setFaults([
                .init(call: .write, name: .log, after: 0, count: .max, errno: .noSpace)
            ])
            let end = try writer.withLock { $0.tail.end }.result
            if end + 8_000 <= size { volume.setFaults([]) }
            do {
                _ = try writer.withLock {
                    try $0.append([frame("\(count + 1) " + String(repeating: "x", count: 2000))])
                }
                count += 1
            } catch LogError.system(let error) {
                #expect(error.errno == .noSpace)
                #expect(volume.bytes(of: .log) == before)
                break
            }
        }
        #expect(count > 3)
        volume.setFaults([])
        #expect(try volume.texts().count == count + 1)
        _ = try writer.withLock { try $0.append([frame("there is room again")]) }
        #expect(try volume.texts().last == "there is room again")
    }

    @Test("while what a failed write left cannot be covered, the same lock appends nothing more")
    func uncovered() throws {
        let volume = FaultyVolume()
        let writer = volume.writer()
        _ = try writer.withLock { log in
            try log.append([frame("one")])
            volume.setFaults([
                .init(call: .write, name: .log, after: 0, count: 2, errno: .io, taken: 5_000)
            ])
            let long = String(repeating: "x", count: 8_000)
            #expect(throws: LogError.self) { try log.append([frame("two " + long)]) }
            #expect(throws: LogError.self) { try log.append([frame("three")]) }
        }
        #expect(try volume.texts() == ["one"])
        _ = try writer.withLock { try $0.append([frame("four")]) }
        #expect(try volume.texts() == ["one", "four"])
        #expect(try LogReader(volume, mapping: .never).receipt.entries.isEmpty)
        #expect(try Quarantine(volume).entries().count == 1)
    }

    @Test("a store that was half made is made by the next opener")
    func halfMade() throws {
        for call in FaultyVolume.Call.allCases {
            for after in 0..<8 {
                let volume = FaultyVolume()
                volume.setFaults([.init(call: call, after: after, count: .max, errno: .io)])
                _ = try? volume.writer().withLock { _ in }
                volume.setFaults([])
                _ = try volume.writer().withLock { try $0.append([frame("one")]) }
                #expect(try volume.texts() == ["one"])
            }
        }
    }
}

extension FaultyVolume {
    /// Leaves half of a frame behind the end of the log, as a process does that is killed.
    func tear(_ log: [UInt8]) throws {
        let other = FaultyVolume()
        try other.setBytes(log, of: .log)
        let before = disk
        let (_, commit) = try other.writer().withLock {
            try $0.append([frame("torn " + String(repeating: "z", count: 9_000))])
        }
        guard let offset = commit?.frames.first?.offset else { return }
        let whole = other.bytes(of: .log) ?? []
        disk = before
        let file = try open(.log, .readWrite, .never)
        _ = try file.writeAll(Array(whole[Int(offset)..<Int(offset) + 5_000]), at: offset)
    }
}
