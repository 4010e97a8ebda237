import Foundation
import Synchronization
import Testing

@testable import GroupLogSystem

@Suite struct ThreadTests {
    @Test("who waits is woken by a change")
    func wake() {
        let monitor = Monitor(0)
        Thread.detach(name: "test") {
            Clock.sleep(microseconds: 2_000)
            monitor.withLock { $0 = 1 }
        }
        #expect(monitor.wait { $0 == 1 ? "seen" : nil } == "seen")
    }

    @Test("a wait ends at its deadline, and not before")
    func timeout() {
        let monitor = Monitor(0)
        let start = Clock.monotonicNanoseconds()
        let deadline = Deadline(secondsFromNow: 0.025)
        let result: Int? = monitor.wait(until: deadline) { _ in nil }
        #expect(result == nil)
        #expect(Clock.monotonicNanoseconds() - start >= 25_000_000)
        #expect(deadline.hasPassed && deadline.remainingMicroseconds == 0)
    }

    @Test("what is true already needs no waiting, even past the deadline")
    func already() {
        #expect(Monitor(3).wait(until: Deadline(secondsFromNow: -1)) { $0 } == 3)
    }

    @Test("a wait with a deadline looks again without being woken")
    func looksAgain() {
        let flag = Atomic<Bool>(false)
        Thread.detach(name: "test") {
            Clock.sleep(microseconds: 2_000)
            flag.store(true, ordering: .relaxed)
        }
        let seen = Monitor(0).wait(until: Deadline(secondsFromNow: 600)) { _ in
            flag.load(ordering: .relaxed) ? true : nil
        }
        #expect(seen == true)
    }

    @Test("a body that throws leaves the monitor free")
    func throwing() {
        let monitor = Monitor(1)
        #expect(throws: Errno.io) {
            try monitor.withLock { value throws(Errno) in
                value = 2
                throw .io
            }
        }
        #expect(throws: Errno.quota) {
            _ = try monitor.wait { value throws(Errno) -> Int? in throw .quota }
        }
        #expect(monitor.withLock { $0 } == 2)
    }

    @Test("deadlines of any length are moments, never traps")
    func extremes() {
        for seconds in [Double.infinity, .nan, 1e300, .greatestFiniteMagnitude] {
            #expect(!Deadline(secondsFromNow: seconds).hasPassed)
        }
        for seconds in [-Double.infinity, -1, 0, -0.0] {
            #expect(Deadline(secondsFromNow: seconds).hasPassed)
        }
        Clock.sleep(microseconds: .min)
    }

    @Test("a worker does all jobs in order, and stopping waits for the last of them")
    func order() {
        let done = Monitor<[Int]>([])
        let worker = WorkerThread<Int> { jobs in
            for job in jobs {
                if job % 100 == 0 { Clock.sleep(microseconds: 200) }
                done.withLock { $0.append(job) }
            }
        }
        for job in 0..<2_000 { #expect(worker.submit(job)) }
        worker.stop()
        #expect(done.withLock { $0 } == Array(0..<2_000))
        #expect(!worker.submit(2_000))
        worker.stop()
        #expect(done.withLock { $0.count } == 2_000)
    }

    @Test("stopping a worker that never had a job returns at once")
    func idle() {
        let worker = WorkerThread<Int> { _ in Issue.record("there is no job") }
        worker.stop()
        #expect(!worker.submit(1))
    }

    @Test("a worker that nobody holds any more still does the jobs that it has")
    func abandoned() {
        let count = Monitor(0)
        do {
            let worker = WorkerThread<Int> { jobs in
                Clock.sleep(microseconds: 1_000)
                count.withLock { $0 += jobs.count }
            }
            for job in 0..<50 { worker.submit(job) }
        }
        #expect(count.wait(until: Deadline(secondsFromNow: 600)) { $0 == 50 ? $0 : nil } == 50)
    }

    #if os(Linux)
        @Test("a worker's thread carries its name, cut to what the system keeps")
        func name() {
            let seen = Monitor("")
            let worker = WorkerThread<Int>(name: "grouplog-syncer-of-a-store") { _ in
                let text = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
                seen.withLock { $0 = text ?? "" }
            }
            worker.submit(1)
            worker.stop()
            #expect(seen.withLock { $0 } == "grouplog-syncer\n")
        }
    #endif

    @Test("the clocks measure what other clocks do")
    func clocks() {
        let now = Int64(Date().timeIntervalSince1970 * 1e6)
        #expect(abs(Clock.wallMicroseconds() - now) < 60_000_000)
        let start = Clock.monotonicNanoseconds()
        Clock.sleep(microseconds: 1_500)
        #expect(Clock.monotonicNanoseconds() - start >= 1_500_000)
    }
}
