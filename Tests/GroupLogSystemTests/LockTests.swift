import Foundation
import Synchronization
import TestSupport
import Testing

@testable import GroupLogSystem

@Suite struct LockTests {
    let directory: TemporaryDirectory
    let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = try directory.file("lock", [])
    }

    @Test("a lock keeps out a second descriptor of the same process, until it is released")
    func sameProcess() throws {
        let first = try FileDescriptor.open(path, .readWrite)
        let second = try FileDescriptor.open(path, .readWrite)
        #expect(try first.tryLock())
        #expect(try !second.tryLock())
        try first.unlock()
        #expect(try second.tryLock())
    }

    @Test("closing a descriptor releases its lock")
    func closing() throws {
        do {
            let first = try FileDescriptor.open(path, .readWrite)
            #expect(try first.tryLock())
        }
        let second = try FileDescriptor.open(path, .readWrite)
        #expect(try second.tryLock())
    }

    #if os(Linux)
        @Test("a lock keeps out another process, and ends with the process that has it")
        func otherProcess() async throws {
            let own = try FileDescriptor.open(path, .readWrite)
            #expect(try own.tryLock())
            await #expect(processExitsWith: .exitCode(41)) { [path = path as String] in
                let file = try FileDescriptor.open(path, .readWrite)
                exit(try file.tryLock() ? 1 : 41)
            }
            try own.unlock()
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
                let file = try FileDescriptor.open(path, .readWrite)
                guard try file.tryLock() else { exit(1) }
                raise(SIGKILL)
            }
            #expect(try own.tryLock())
        }
    #endif

    @Test("waiting for a held lock ends at the deadline, without running the body")
    func timeout() throws {
        let holder = try FileDescriptor.open(path, .readWrite)
        #expect(try holder.tryLock())
        let waiter = try FileDescriptor.open(path, .readWrite)
        var tries = 0
        let wait = LockWait(
            until: Deadline(secondsFromNow: 0.005),
            isCancelled: {
                tries += 1; return false
            })
        let outcome = waiter.withExclusiveLock(wait) { Issue.record("the lock is held") }
        guard case .failure(.timedOut) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(tries >= 2)
        let past = waiter.withExclusiveLock(LockWait(until: Deadline(secondsFromNow: 0))) {}
        guard case .failure(.timedOut) = past else {
            Issue.record("\(past)")
            return
        }
    }

    @Test("a free lock is taken even when the deadline has passed")
    func lateButFree() throws {
        let file = try FileDescriptor.open(path, .readWrite)
        let outcome = file.withExclusiveLock(LockWait(until: Deadline(secondsFromNow: 0))) { 5 }
        #expect(try outcome.get() == 5)
    }

    @Test("waiting can be cancelled, and says once that it takes long")
    func cancellation() throws {
        let holder = try FileDescriptor.open(path, .readWrite)
        #expect(try holder.tryLock())
        let waiter = try FileDescriptor.open(path, .readWrite)
        var notices = 0
        var looksAfterNotice = 0
        let wait = LockWait(
            until: nil, longWaitMilliseconds: 3,
            isCancelled: {
                if notices > 0 { looksAfterNotice += 1 }
                return looksAfterNotice == 3
            }, onLongWait: { notices += 1 })
        let outcome = waiter.withExclusiveLock(wait) {}
        guard case .failure(.cancelled) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(notices == 1)
    }

    @Test("a lock that the system refuses is an error, not a lock that is held")
    func refusal() {
        let cause = SystemError("flock", .noLocks, path: "lock")
        var tries = 0
        #expect(throws: LockWait.Failure.refused(cause)) {
            try LockWait(until: nil).acquire { () throws(SystemError) in
                tries += 1
                if tries < 3 { return false }
                throw cause
            }
        }
        #expect(tries == 3)
    }

    @Test("the lock is free again when the body throws")
    func throwingBody() throws {
        struct Refused: Error {}
        let file = try FileDescriptor.open(path, .readWrite)
        #expect(throws: Refused.self) {
            _ = try file.withExclusiveLock(LockWait(until: nil)) { () throws(Refused) in
                throw Refused()
            }
        }
        #expect(try FileDescriptor.open(path, .readWrite).tryLock())
    }

    @Test("threads with descriptors of their own are never in the lock together")
    func exclusion() async {
        let inside = Counter()
        let done = Counter()
        let mostInside = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask { [path] in
                    var mostInside = 0
                    guard let file = try? FileDescriptor.open(path, .readWrite) else { return 99 }
                    for _ in 0..<200 {
                        let outcome = file.withExclusiveLock(LockWait(until: nil)) {
                            mostInside = max(mostInside, inside.add(1))
                            _ = done.add(1)
                            _ = inside.add(-1)
                        }
                        if case .failure = outcome { return 99 }
                    }
                    return mostInside
                }
            }
            return await group.reduce(0, max)
        }
        #expect(mostInside == 1)
        #expect(done.add(0) == 800)
    }
}

/// A number that no lock protects.
private final class Counter: Sendable {
    private let value = Atomic<Int>(0)

    func add(_ count: Int) -> Int { value.wrappingAdd(count, ordering: .relaxed).newValue }
}
