import Foundation
import GroupLogFile
import GroupLogSystem
import Synchronization
import TestSupport
import Testing

@testable import GroupLog

/// A number that changes, and watches of it that are counted as they come and go.
private final class Watched: Sendable {
    let signal = ChangeSignal()
    private let number = Atomic<Int>(0)
    private let made = Atomic<Int>(0)
    private let gone = Atomic<Int>(0)

    var value: Int { number.load(ordering: .sequentiallyConsistent) }
    var watchesMade: Int { made.load(ordering: .sequentiallyConsistent) }
    var watchesGone: Int { gone.load(ordering: .sequentiallyConsistent) }

    func change() {
        number.add(1, ordering: .sequentiallyConsistent)
        signal.send()
    }

    func watch() -> any VolumeWatch {
        made.add(1, ordering: .sequentiallyConsistent)
        return Watch(self)
    }

    /// Waits until so many watches have gone.
    func waitUntilGone(_ count: Int) async throws {
        while watchesGone < count { try await Task.sleep(for: .milliseconds(2)) }
    }

    private final class Watch: VolumeWatch {
        private let watched: Watched
        private let watch: any VolumeWatch

        init(_ watched: Watched) {
            self.watched = watched
            watch = watched.signal.watch()
        }

        deinit { watched.gone.add(1, ordering: .sequentiallyConsistent) }

        func wait(milliseconds: Int) -> FileWatch.Outcome { watch.wait(milliseconds: milliseconds) }
        func wake() { watch.wake() }
    }
}

extension StoreWatcher.Pace {
    /// One that makes up for nothing: what is missed is missed for long.
    fileprivate static var slow: Self {
        var pace = Self()
        pace.backstopMilliseconds = 600_000
        pace.idleSeconds = 600
        return pace
    }

    fileprivate static var slowToWake: Self {
        var pace = slow
        pace.idleSeconds = 0.01
        return pace
    }
}

@Suite(.timeLimit(.minutes(5))) struct StoreWatcherTests {
    /// Waits by a watcher until the number has come so far.
    private func observe(_ watcher: StoreWatcher, _ watched: Watched, until end: Int) async {
        while true {
            let tick = watcher.tick
            if watched.value >= end { return }
            await watcher.wait(after: tick)
        }
    }

    @Test("nothing is missed between a look and the wait, by any of several observers")
    func nothingMissed() async throws {
        let changes = isFull ? 200_000 : 20_000
        let watched = Watched()
        // The thread ends again and again.
        for pace in [StoreWatcher.Pace.slow, .slowToWake] {
            let start = watched.value
            let watcher = StoreWatcher(pace) { watched.watch() }
            await withTaskGroup { group in
                for observer in 0..<4 {
                    group.addTask {
                        for step in stride(from: observer, through: changes, by: 7) {
                            await observe(watcher, watched, until: start + step)
                        }
                        await observe(watcher, watched, until: start + changes)
                    }
                }
                group.addTask {
                    for index in 0..<changes {
                        watched.change()
                        if index % 512 == 0 { Clock.sleep(microseconds: 12_000) }
                        if index % 5 == 0 { await Task.yield() }
                    }
                }
            }
        }
    }

    @Test("what happened before the watch stood is told")
    func beforeTheWatch() async {
        let watched = Watched()
        let watcher = StoreWatcher(.slow) {
            watched.change()
            return watched.watch()
        }
        await observe(watcher, watched, until: 1)
    }

    @Test("one tick tells of all that came while nobody waited")
    func burst() async {
        let watched = Watched()
        let watcher = StoreWatcher(.slow) { watched.watch() }
        let first = await watcher.wait(after: watcher.tick)
        #expect(first == 1 && watcher.tick == 1)
        for _ in 0..<1_000 { watched.change() }
        #expect(watcher.tick == 1)
        #expect(await watcher.wait(after: 1) == 2)
        #expect(await watcher.wait(after: 1) == 2)
        #expect(watcher.tick == 2)
    }

    @Test("where no change is told, a tick comes all the same")
    func backstop() async {
        var pace = StoreWatcher.Pace.slow
        pace.backstopMilliseconds = 5
        let watched = Watched()
        let watcher = StoreWatcher(pace) { watched.watch() }
        for _ in 0..<20 {
            let tick = watcher.tick
            #expect(await watcher.wait(after: tick) > tick)
        }
    }

    @Test("the thread begins with the first who waits, ends with the last, and begins again")
    func thread() async throws {
        let watched = Watched()
        let watcher = StoreWatcher(.slowToWake) { watched.watch() }
        watched.change()
        #expect(watched.watchesMade == 0)
        for round in 1...5 {
            await watcher.wait(after: watcher.tick)
            #expect(watched.watchesMade == round)
            try await watched.waitUntilGone(round)
        }
    }

    @Test("the thread ends with its watcher, also while it waits for a change")
    func end() async throws {
        let watched = Watched()
        for round in 1...10 {
            var watcher: StoreWatcher? = StoreWatcher(.slow) { watched.watch() }
            await watcher?.wait(after: 0)
            let waiter = Task { [watcher] in await watcher?.wait(after: 1) }
            if round % 2 == 0 { try await Task.sleep(for: .milliseconds(5)) }
            waiter.cancel()
            #expect(await waiter.value == 1)
            watcher = nil
            try await watched.waitUntilGone(round)
        }
    }

    @Test("who is cancelled waits no longer, be it before or while it waits")
    func cancelled() async {
        let watched = Watched()
        let watcher = StoreWatcher(.slow) { watched.watch() }
        await watcher.wait(after: 0)
        for pause: Int64 in [0, 0, 100, 3_000] {
            let task = Task { await watcher.wait(after: 1) }
            Clock.sleep(microseconds: pause)
            task.cancel()
            #expect(await task.value == 1)
        }
        #expect(await watcher.wait(after: 0) == 1)
    }

    @Test("a thousand who wait, cancelled and woken at random, each go on just once")
    func random() async {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let watched = Watched()
        let answers = Monitor(0)
        for pace in [StoreWatcher.Pace.slow, .slowToWake] {
            let watcher = StoreWatcher(pace) { watched.watch() }
            var tasks = (0..<1_000).map { _ in
                Task {
                    while !Task.isCancelled {
                        let tick = watcher.tick
                        #expect(await watcher.wait(after: tick) >= tick)
                        answers.withLock { $0 += 1 }
                    }
                }
            }
            while !tasks.isEmpty {
                switch Int.random(in: 0..<4, using: &random) {
                case 0: watched.change()
                case 1: await Task.yield()
                default:
                    tasks.swapAt(.random(in: tasks.indices, using: &random), tasks.count - 1)
                    let task = tasks.removeLast()
                    task.cancel()
                    if Bool.random(using: &random) { await task.value }
                }
            }
        }
        #expect(answers.withLock { $0 } > 0)
    }
}

/// The same with stores.
@Suite(.timeLimit(.minutes(5))) struct StoreWatcherOnStoreTests {
    private func observe(_ store: Store, until sequence: UInt64) async throws {
        while true {
            let tick = store.engine.watcher.tick
            if try store.refresh() >= sequence { return }
            await store.engine.watcher.wait(after: tick)
        }
    }

    @Test("what another store writes comes to all who wait", arguments: [true, false])
    func commits(_ isOnDisk: Bool) async throws {
        let directory = try TemporaryDirectory()
        let store = isOnDisk ? try Store(path: directory.store) : try Store.inMemory()
        let writer = isOnDisk ? try Store(path: directory.store) : store
        try await withThrowingTaskGroup { group in
            for observer in 0..<8 {
                group.addTask {
                    for sequence in stride(from: UInt64(observer), through: 200, by: 3) {
                        try await observe(store, until: sequence)
                    }
                    try await observe(store, until: 200)
                }
            }
            group.addTask {
                for index in 0..<200 {
                    try await writer[Bookmark.self].append(
                        Bookmark(title: "\(index)"), durability: .unsynced)
                    if index % 20 == 0 { try await writer.compact() }
                    await Task.yield()
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("watching changes no file of the store, and nothing about them")
    func writesNothing() async throws {
        let directory = try TemporaryDirectory()
        let store = try Store(path: directory.store)
        try await store[Bookmark.self].append(Bookmark(title: "one"))
        func state() throws -> [String: FileStatus] {
            var state: [String: FileStatus] = [:]
            for name in try FileSystem.names(in: directory.store) + ["."] {
                state[name] = try FileStatus.of(path: directory.store + "/" + name)
            }
            return state
        }
        let before = try state()
        #expect(before.count > 2)
        for _ in 0..<2 {
            let tick = store.engine.watcher.tick
            try store.refresh()
            await store.engine.watcher.wait(after: tick)
        }
        #expect(try state() == before)
    }
}
