import Foundation
import GroupLog
import GroupLogFile
import TestSupport
import Testing

/// Who waits for changes while other processes make them.
@Suite(.serialized, .timeLimit(.minutes(10))) struct WatchTests {
    private let count = isFull ? 5_000 : 200

    /// A watcher that makes up for nothing: what is missed is missed for long.
    private func watcher(of path: String) -> StoreWatcher {
        var pace = StoreWatcher.Pace()
        pace.backstopMilliseconds = 600_000
        return StoreWatcher(pace) { DiskVolume(path: path).watch() }
    }

    /// Looks until the store has so many notes, and waits between the looks; runs `begin` after the
    /// first one. Gives how often it looked.
    private func observe(
        _ store: Store, _ watcher: StoreWatcher, until count: Int, begin: () throws -> Void = {}
    ) async throws -> Int {
        var looks = 0
        while true {
            let tick = watcher.tick
            do {
                if try store[Note.self].count() >= count { return looks }
            } catch let error as StoreError
                where [.noStore, .io, .corrupt].contains(error.code)
            {
                // Between two directories, or in one that is not whole yet.
            }
            if looks == 0 { try begin() }
            looks += 1
            await watcher.wait(after: tick)
        }
    }

    @Test("what other processes append wakes those who wait, also over compactions")
    func appended() async throws {
        let directory = try TemporaryDirectory()
        let store = try Store(path: directory.store, options: .init(mapping: .never))
        let watcher = watcher(of: directory.store)
        var processes: [RunningProcess] = []
        let looks = try await observe(store, watcher, until: 2 * count) {
            for (name, role) in [("p0", "short"), ("p1", "short"), ("c", "compact")] {
                let rounds = role == "short" ? count : .max
                processes.append(
                    try RunningProcess(
                        "writer-process", [directory.store, name, "\(rounds)", role]))
            }
        }
        #expect(looks > 0)
        try Data().write(to: URL(fileURLWithPath: directory.store + ".stop"))
        for process in processes { #expect(try process.finish().status == 0) }
        print("\(2 * count) commits seen in \(looks) looks")
    }

    @Test("a directory that is replaced again and again is watched again and again")
    func replacedDirectory() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.store
        let store = try Store(path: path, options: .init(mapping: .never))
        let watcher = watcher(of: path)
        for round in 1...(isFull ? 200 : 10) {
            var writer: RunningProcess?
            let looks = try await observe(store, watcher, until: round) {
                let old = directory.path("old\(round)")
                try FileManager.default.moveItem(atPath: path, toPath: old)
                try FileManager.default.copyItem(atPath: old, toPath: path)
                writer = try RunningProcess("writer-process", [path, "p\(round)", "1", "short"])
            }
            #expect(looks > 0)
            #expect(try writer?.finish().status == 0)
        }
    }
}
