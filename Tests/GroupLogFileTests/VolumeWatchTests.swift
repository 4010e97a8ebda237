import Foundation
import GroupLogFormat
import GroupLogSystem
import Synchronization
import TestSupport
import Testing

@testable import GroupLogFile

extension VolumeWatch {
    /// Waits until there is nothing more to be told.
    fileprivate func settle() { while wait(milliseconds: 0) != .timedOut {} }

    /// Longer than anything takes.
    fileprivate func waitForLong() -> FileWatch.Outcome { wait(milliseconds: 600_000) }
}

@Suite struct VolumeWatchTests {
    enum Kind: CaseIterable { case disk, memory, faulty }

    /// Runs a body with a volume of each kind.
    private func with(_ kind: Kind, _ body: (any StoreVolume) throws -> Void) throws {
        switch kind {
        case .disk:
            let store = try TemporaryStore()
            try withExtendedLifetime(store) { try body(store.volume) }
        case .memory: try body(MemoryVolume())
        case .faulty: try body(FaultyVolume())
        }
    }

    @Test(
        "a store that is made, each append and a compaction end a wait", .timeLimit(.minutes(5)),
        arguments: Kind.allCases)
    func changes(_ kind: Kind) throws {
        try with(kind) { volume in
            let watch = volume.watch()
            watch.settle()
            let writer = volume.writer()
            _ = try writer.withLock { _ in }
            #expect(watch.waitForLong() == .changed)
            for text in ["one", "two", String(repeating: "three", count: 100_000)] {
                watch.settle()
                _ = try writer.withLock { try $0.append([frame(text)]) }
                #expect(watch.waitForLong() == .changed, "\(text.prefix(10))")
            }
            watch.settle()
            try volume.compact(writer)
            #expect(watch.waitForLong() == .changed)
            watch.settle()
            _ = try writer.withLock { try $0.append([frame("four")]) }
            #expect(watch.waitForLong() == .changed)
            watch.settle()
            try volume.remove(.log)
            #expect(watch.waitForLong() == .changed)
        }
    }

    @Test("whoever only reads, or takes the lock, wakes nobody", arguments: Kind.allCases)
    func nothing(_ kind: Kind) throws {
        try with(kind) { volume in
            let writer = volume.writer()
            _ = try writer.withLock { try $0.append([frame("one")]) }
            let watch = volume.watch()
            watch.settle()
            for _ in 0..<10 {
                _ = try writer.withLock { _ in }
                #expect(try volume.texts() == ["one"])
                #expect(try volume.openLog(.read).status().size > 0)
                _ = volume.lastHolder()
            }
            _ = try volume.writer().withLock { _ in }
            let lock = try volume.open(.lock, .readWrite, .never)
            try lock.writeAll(try lock.read(0..<8), at: 0)
            #expect(watch.wait(milliseconds: 20) == .timedOut)
        }
    }

    @Test(
        "a wake ends the wait that goes on or the next one", .timeLimit(.minutes(5)),
        arguments: Kind.allCases)
    func wake(_ kind: Kind) throws {
        try with(kind) { volume in
            let (watch, other) = (volume.watch(), volume.watch())
            watch.settle()
            other.settle()
            watch.wake()
            #expect(watch.waitForLong() == .woken)
            Thread.detach(name: "test") {
                Clock.sleep(microseconds: 3_000)
                watch.wake()
            }
            #expect(watch.waitForLong() == .woken)
            #expect(watch.wait(milliseconds: 0) == .timedOut)
            #expect(other.wait(milliseconds: 0) == .timedOut)
        }
    }

    @Test(
        "of two threads that answer each other, each wakes the other every time",
        .timeLimit(.minutes(5)), arguments: [Kind.disk, .memory])
    func pingPong(_ kind: Kind) throws {
        let rounds = isFull ? 20_000 : 1_000
        try with(kind) { volume in
            _ = try volume.writer().withLock { _ in }
            /// Appends each other record, as soon as the one before is there.
            @Sendable func play(_ remainder: Int) {
                do {
                    let (watch, writer) = (volume.watch(), volume.writer())
                    var reader = try LogReader(volume, mapping: .never)
                    while reader.sequence < rounds {
                        if Int(reader.sequence) % 2 == remainder {
                            _ = try writer.withLock { try $0.append([frame("ball")]) }
                        } else {
                            _ = watch.waitForLong()
                        }
                        _ = try reader.refresh()
                    }
                } catch {
                    Issue.record(error)
                }
            }
            DispatchQueue.concurrentPerform(iterations: 2) { play($0) }
        }
    }
}
