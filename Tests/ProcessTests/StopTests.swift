import Foundation
import GroupLog
import TestSupport
import Testing

/// A process that is held up or killed at each of its system calls.
@Suite(
    .serialized, .enabled(if: Tracer.isAvailable, "strace(1) is not here, or may not trace"))
struct StopTests {
    /// A process that appends, or one that compacts, and what was there before it.
    enum Work: String, CaseIterable, Sendable {
        case short, compact
    }

    /// Makes a store with some notes, of which one was deleted, and leaves it open.
    private func prepare(_ path: String) throws -> (Store, Expectation) {
        let store = try Store(path: path, options: StoreOptions(lockTimeout: .seconds(1)))
        var expectation = Expectation()
        for number in 0..<8 {
            let note = Note(writer: "before", number: Note.shortNumber(number))
            try store[Note.self].append(note)
            expectation.takeUp([note.id])
        }
        try store[Note.self].delete("before/0")
        expectation.takeUp(["delete before/0"])
        return (store, expectation)
    }

    /// Two rounds: the second one finds the files open.
    private func start(
        _ path: String, _ work: Work, under tracer: [String]
    ) throws -> RunningProcess {
        try RunningProcess("writer-process", [path, "w", "2", work.rawValue], under: tracer)
    }

    /// Runs a body with a new store at each call of a process; in CI at some of them, others in each
    /// run.
    private func atEachCall(
        of work: Work, signal: String,
        _ body: (String, RunningProcess, Tracer, Store, Expectation) throws -> Void
    ) throws -> Int {
        let directory = try TemporaryDirectory()
        let tracer = Tracer(log: directory.url("trace"))
        _ = try prepare(directory.store)
        let whole = try start(directory.store, work, under: tracer.command()).finish()
        #expect(whole.status == 0)
        let calls = tracer.calls(from: directory.store)
        #expect(calls.count > 30)
        let step = isFull ? 1 : max(1, calls.count / 12)
        let first = Int.random(in: 0..<step)
        for index in stride(from: first, to: calls.count, by: step) {
            let call = calls[index]
            let directory = try TemporaryDirectory()
            let tracer = Tracer(log: directory.url("trace"))
            let (store, expectation) = try prepare(directory.store)
            let process = try start(
                directory.store, work, under: tracer.command(signal, at: call))
            try body("\(signal) at \(call) of \(work)", process, tracer, store, expectation)
        }
        return (calls.count - first + step - 1) / step
    }

    /// Appends with a store that is opened for it, unless the lock is held; then whoever has the store
    /// open finds it free, too. Compacts.
    private func workIfFree(_ open: Store, _ number: Int) throws -> [String] {
        let options = StoreOptions(lockTimeout: .milliseconds(20))
        let store = try Store(path: open.path, options: options)
        let notes = ["new", "open"].map { Note(writer: $0, number: Note.shortNumber(number)) }
        do {
            try store[Note.self].append(notes[0])
        } catch StoreError.Code.locked {
            return []
        }
        try open[Note.self].append(notes[1])
        try store.compact()
        return notes.map(\.id)
    }

    @Test(
        "a process that is held up at any system call holds up others by the store's lock alone, and when it goes on what it does is in the log, whatever they did",
        arguments: Work.allCases)
    func heldUp(_ work: Work) throws {
        var (stopped, free) = (0, 0)
        let count = try atEachCall(of: work, signal: "SIGSTOP") {
            what, process, tracer, store, before in
            var expectation = before
            if tracer.waitForStop(of: process) {
                stopped += 1
                for number in 0..<2 {
                    let lines = try workIfFree(store, number)
                    if !lines.isEmpty { free += 1 }
                    expectation.takeUp(lines)
                }
                process.kill(with: SIGCONT)
            }
            let (status, lines) = try process.finish()
            #expect(status == 0, "\(what)")
            #expect(lines.count == 2, "\(what)")
            expectation.takeUp(lines)
            try expectation.check(store.path, "\(what)")
            try expectation.checkAfterCompaction(of: store.path, "\(what)")
        }
        #expect(stopped > count / 2 && free > 0)
        print("\(work): stopped at \(stopped) calls of \(count), \(free) compactions then")
    }

    @Test(
        "a process that is killed at any system call leaves all that was acknowledged, a store that takes more, and nothing that the next compaction leaves",
        arguments: Work.allCases)
    func killed(_ work: Work) throws {
        var killed = 0
        let count = try atEachCall(of: work, signal: "SIGKILL") { what, process, _, open, before in
            let path = open.path
            var expectation = before
            let (status, lines) = try process.finish()
            if status == -SIGKILL { killed += 1 }
            expectation.takeUp(lines)
            if work == .short { expectation.allow("w/\(Note.shortNumber(lines.count))") }
            try expectation.check(path, "\(what)")
            let store = try Store(path: path, options: StoreOptions(lockTimeout: .seconds(30)))
            let note = Note(writer: "after", number: 1)
            try store[Note.self].append(note)
            expectation.takeUp([note.id])
            try expectation.check(path, "\(what)")
            try expectation.checkAfterCompaction(of: path, "\(what)")
        }
        #expect(killed > count / 2)
        print("\(work): killed at \(killed) calls of \(count)")
    }
}
