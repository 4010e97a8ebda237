import Foundation
import GroupLog
import TestSupport
import Testing

@Suite(.serialized) struct ConcurrencyTests {
    private let writers = 8
    private let count = isFull ? 500 : 45

    /// Reads again and again until the writers are done; each record that shows must be whole.
    private func poll(_ path: String, while isRunning: () -> Bool) throws {
        let reader = try Store(path: path, options: StoreOptions(role: .readOnly))
        let unmapped = try Store(
            path: path, options: StoreOptions(role: .readOnly, mapping: .never))
        var seen = 0
        while isRunning() {
            for store in [reader, unmapped] {
                let view = try store.view()
                #expect(view.receipt.isClean)
                let notes = try view[Note.self].newest(limit: 8)
                let torn = notes.filter { !$0.isWhole }.map(\.id)
                #expect(torn.isEmpty)
                #expect(view[Note.self].count() >= seen || store.path != reader.path)
                seen = max(seen, view[Note.self].count())
            }
        }
    }

    private func check(_ path: String, acknowledged: [String]) throws {
        #expect(acknowledged.count == writers * count)
        let store = try Store(path: path, options: StoreOptions(role: .readOnly))
        #expect(try store.receipt().isClean)
        #expect(try store.refresh() == UInt64(writers * count))
        #expect(try store[Note.self].count() == writers * count)
        for id in acknowledged {
            #expect(try store[Note.self].get(id)?.isWhole == true, "\(id)")
        }
    }

    @Test("eight processes append beside polling readers: each record once, whole, never a half")
    func processes() throws {
        let directory = try TemporaryDirectory()
        _ = try Store(path: directory.store)
        let running = try (0..<writers).map {
            try RunningProcess("writer-process", [directory.store, "p\($0)", "\(count)"])
        }
        try poll(directory.store) { running.contains(where: \.isRunning) }
        var acknowledged: [String] = []
        for process in running {
            let (status, lines) = try process.finish()
            #expect(status == 0)
            acknowledged += lines
        }
        try check(directory.store, acknowledged: acknowledged)
    }

    @Test("eight threads append to one store beside polling readers", arguments: [1, 2])
    func threads(stores: Int) throws {
        let directory = try TemporaryDirectory()
        let path = directory.store
        let shared = try (0..<stores).map { _ in
            try Store(path: path, options: StoreOptions(lockTimeout: .seconds(120)))
        }
        let count = self.count
        let group = DispatchGroup()
        for thread in 0..<writers {
            Thread.detachNewThread {
                group.enter()
                defer { group.leave() }
                do {
                    for number in 0..<count {
                        try shared[thread % stores][Note.self].append(
                            Note(writer: "t\(thread)", number: number))
                    }
                } catch {
                    Issue.record(error)
                }
            }
        }
        let total = writers * count
        let reader = try Store(path: path, options: StoreOptions(role: .readOnly))
        let deadline = Date(timeIntervalSinceNow: 600)
        try poll(path) {
            (try? reader[Note.self].count()) != total && deadline.timeIntervalSinceNow > 0
        }
        group.wait()
        try check(
            path,
            acknowledged: (0..<writers).flatMap { t in (0..<count).map { "t\(t)/\($0)" } })
    }

    @Test("what a killed process acknowledged is there, and the next one writes on")
    func killed() throws {
        let directory = try TemporaryDirectory()
        _ = try Store(path: directory.store)
        for round in 0..<(isFull ? 200 : 12) {
            let process = try RunningProcess(
                "writer-process", [directory.store, "k\(round)", "1000"])
            Thread.sleep(forTimeInterval: Double.random(in: 0.005...0.15))
            process.kill(with: SIGKILL)
            let (status, lines) = try process.finish()
            #expect(status == -SIGKILL)
            let store = try Store(
                path: directory.store, options: StoreOptions(lockTimeout: .seconds(2)))
            for id in lines {
                #expect(try store[Note.self].get(id)?.isWhole == true, "\(id)")
            }
            let note = Note(writer: "after\(round)", number: 1)
            try store[Note.self].append(note)
            #expect(try store[Note.self].get(note.id) != nil)
            #expect(try store.receipt().isClean)
        }
    }
}
