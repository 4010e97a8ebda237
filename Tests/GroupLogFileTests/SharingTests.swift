import Dispatch
import Foundation
import GroupLogFormat
import GroupLogSystem
import Synchronization
import TestSupport
import Testing

@testable import GroupLogFile

/// Writers at work while somebody changes under them what no writer changes.
@Suite struct SharingTests {
    /// Has several writers, each with files of its own as a process has, append at once; runs
    /// `meddle` again and again meanwhile. Gives the texts whose append returned.
    private func work(
        on store: TemporaryStore, writers: Int = 4, each count: Int = 60,
        meddle: @escaping @Sendable () throws -> Void
    ) throws -> [String] {
        let returned = Monitor<[String]>([])
        let running = Atomic<Int>(writers)
        let volume = store.volume
        DispatchQueue.concurrentPerform(iterations: writers + 1) { thread in
            do {
                if thread == writers {
                    while running.load(ordering: .relaxed) > 0 {
                        try meddle()
                        Clock.sleep(microseconds: 300)
                    }
                    return
                }
                defer { running.subtract(1, ordering: .relaxed) }
                let writer = LogWriter(
                    volume, .init(mayCreate: false, purpose: "testing", timeoutSeconds: 60))
                for index in 0..<count {
                    let text = "\(thread)/\(index) " + String(repeating: "x", count: index * 40)
                    try appendPatiently(text, writer)
                    returned.withLock { $0.append(text) }
                }
            } catch {
                Issue.record(error)
            }
        }
        return returned.withLock { $0 }
    }

    private func appendPatiently(_ text: String, _ writer: LogWriter) throws {
        while true {
            do {
                _ = try writer.withLock { try $0.append([frame(text)]) }
                return
            } catch LogError.noStore {
                // Between two renames there is none.
                Clock.sleep(microseconds: 100)
            }
        }
    }

    private func check(_ store: TemporaryStore, has texts: [String]) throws {
        let reader = try LogReader(store.volume, mapping: .never)
        #expect(try reader.texts().sorted() == texts.sorted())
        #expect(reader.receipt.entries.isEmpty && reader.receipt.unfinished == nil)
        #expect(reader.sequence == UInt64(texts.count))
    }

    @Test("a lock file that is removed under running writers lets no two of them in")
    func lockRemoved() throws {
        let store = try TemporaryStore()
        _ = try store.volume.writer().withLock { _ in }
        let path = store.path + "/lock"
        let texts = try work(on: store) { _ = try FileSystem.remove(path) }
        #expect(texts.count == 240)
        try check(store, has: texts)
    }

    @Test("a lock file that is removed while several make the store lets only one of them make it")
    func lockRemovedAtCreation() throws {
        for _ in 0..<(isFull ? 2_000 : 100) {
            let store = try TemporaryStore()
            let (volume, path) = (store.volume, store.path + "/lock")
            let running = Atomic<Int>(4)
            DispatchQueue.concurrentPerform(iterations: 5) { thread in
                do {
                    guard thread < 4 else {
                        while running.load(ordering: .relaxed) > 0 {
                            _ = try FileSystem.remove(path)
                        }
                        return
                    }
                    defer { running.subtract(1, ordering: .relaxed) }
                    let writer = volume.writer(timeout: 60)
                    _ = try writer.withLock { try $0.append([frame("\(thread)")]) }
                } catch {
                    Issue.record(error)
                }
            }
            try check(store, has: ["0", "1", "2", "3"])
        }
    }

    @Test("whoever makes a new lock file while the old one's lock is held waits for the log's")
    func secondLockFile() throws {
        let store = try TemporaryStore()
        let holder = store.volume.writer()
        _ = try holder.withLock { log in
            try store.volume.remove(.lock)
            #expect {
                try store.volume.writer(timeout: 0.05).withLock { try $0.append([frame("two")]) }
            } throws: { error in
                if case LogError.locked = error { true } else { false }
            }
            try log.append([frame("one")])
        }
        _ = try store.volume.writer().withLock { try $0.append([frame("two")]) }
        _ = try holder.withLock { try $0.append([frame("three")]) }
        try check(store, has: ["one", "two", "three"])
    }

    @Test("a directory that a copy replaces, made under the lock, loses nothing to the old one")
    func directoryReplaced() throws {
        let store = try TemporaryStore()
        _ = try store.volume.writer().withLock { _ in }
        let path = store.path
        let number = Atomic<Int>(0)
        let texts = try work(on: store) {
            let old = "\(path)-\(number.add(1, ordering: .relaxed).newValue)"
            let writer = DiskVolume(path: path).writer(timeout: 60)
            _ = try writer.withLock { _ in
                try FileManager.default.copyItem(atPath: path, toPath: path + "-new")
                try FileSystem.rename(path, to: old)
                try FileSystem.rename(path + "-new", to: path)
            }
            try FileManager.default.removeItem(atPath: old)
        }
        #expect(texts.count == 240)
        try check(store, has: texts)
    }

    @Test(
        "two writers on one directory in one process, four threads each, are as safe as processes")
    func twoWriters() throws {
        let store = try TemporaryStore()
        let writers = [store.volume.writer(timeout: 60), store.volume.writer(timeout: 60)]
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for index in 0..<40 {
                do {
                    let writer = writers[thread % 2]
                    let (_, commit) = try writer.withLock {
                        try $0.append([frame("\(thread)/\(index)")])
                    }
                    if index % 8 == 0 { try writer.makeDurable(try #require(commit)) }
                } catch {
                    Issue.record(error)
                }
            }
        }
        try check(store, has: (0..<8).flatMap { a in (0..<40).map { "\(a)/\($0)" } })
    }

    @Test("a store whose directory is gone is not begun anew by a writer that may not make one")
    func directoryGone() throws {
        let store = try TemporaryStore()
        _ = try store.volume.writer().withLock { _ in }
        let writer = LogWriter(
            store.volume, .init(mayCreate: false, purpose: "testing", timeoutSeconds: 1))
        _ = try writer.withLock { try $0.append([frame("one")]) }
        try FileSystem.rename(store.path, to: store.path + "-away")
        #expect {
            _ = try writer.withLock { try $0.append([frame("two")]) }
        } throws: { error in
            if case LogError.noStore = error { true } else { false }
        }
        #expect(!FileManager.default.fileExists(atPath: store.path))
        try FileSystem.rename(store.path + "-away", to: store.path)
        _ = try writer.withLock { try $0.append([frame("three")]) }
        #expect(try store.volume.texts() == ["one", "three"])
    }
}
