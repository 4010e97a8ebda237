package import GroupLogFile
import GroupLogSystem
import Synchronization

/// Tells any number of observers that there may be something new in a store, whoever wrote it.
///
/// A counter that only rises, its *tick*, is all that it tells. An observer reads the tick, looks at
/// the store, and if there is nothing new waits for the next tick:
///
/// ```swift
/// while !Task.isCancelled {
///     let tick = watcher.tick
///     if try !takeUpWhatIsNew() { await watcher.wait(after: tick) }
/// }
/// ```
///
/// What comes after the tick was read makes another one, so that nothing is missed between a look and
/// the wait; what comes while nobody waits makes one for all of it. A tick need not mean that anything
/// is new. One comes at least once in `Pace.backstopMilliseconds` while somebody waits: that is what a
/// lost notification costs.
///
/// One thread watches for all observers. It begins with the first that waits, and ends when nobody has
/// waited for a while or the watcher goes. No lock of the store is taken, and nothing is written.
package final class StoreWatcher: Sendable {
    /// How long it waits for what.
    package struct Pace: Sendable {
        package var backstopMilliseconds = 1_000
        /// How long the thread stays when nobody waits.
        package var idleSeconds = 2.0
        package init() {}
    }

    private struct State: Sendable {
        var tick: UInt64 = 0
        /// All of them wait for the tick after this one.
        var waiters: [UInt64: CheckedContinuation<UInt64, Never>] = [:]
        var isRunning = false
        var isStopped = false
        /// What the thread waits by.
        var watch: (any VolumeWatch)?

        mutating func takeWaiters() -> [CheckedContinuation<UInt64, Never>] {
            defer { waiters = [:] }
            return Array(waiters.values)
        }
    }

    private enum Registration {
        case answer(UInt64)
        case waits
        case isFirst
    }

    private let state = Monitor(State())
    private let pace: Pace
    private let makeWatch: @Sendable () -> any VolumeWatch
    private let lastWaiter = Atomic<UInt64>(0)
    private let forkGeneration = ProcessIdentity.forkGeneration

    package init(_ pace: Pace = Pace(), _ makeWatch: @escaping @Sendable () -> any VolumeWatch) {
        self.pace = pace
        self.makeWatch = makeWatch
    }

    deinit {
        if isForked { return }
        let (watch, waiters, tick) = state.withLock { state in
            state.isStopped = true
            return (state.watch, state.takeWaiters(), state.tick)
        }
        watch?.wake()
        for waiter in waiters { waiter.resume(returning: tick) }
    }

    /// A child made by fork(2) has no thread, and perhaps a mutex that is held for ever. It is let
    /// through, so that its next look at the store fails.
    private var isForked: Bool { ProcessIdentity.forkGeneration != forkGeneration }

    /// How many ticks there were.
    package var tick: UInt64 { isForked ? 0 : state.withLock { $0.tick } }

    /// Waits until there were more ticks than `tick`, which is one that this watcher gave, or until
    /// the task is cancelled. Gives how many there were by then.
    @discardableResult
    package func wait(after tick: UInt64) async -> UInt64 {
        if isForked { return tick }
        let number = lastWaiter.add(1, ordering: .relaxed).newValue
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                switch register(continuation, number, after: tick) {
                case .answer(let tick): continuation.resume(returning: tick)
                case .waits: break
                case .isFirst: start()
                }
            }
        } onCancel: {
            cancel(number)
        }
    }

    /// A task is marked as cancelled before `cancel` runs: either that finds the waiter, or this finds
    /// the mark.
    private func register(
        _ continuation: CheckedContinuation<UInt64, Never>, _ number: UInt64, after tick: UInt64
    ) -> Registration {
        state.withLock { state in
            if state.isStopped || state.tick > tick || Task.isCancelled {
                return .answer(state.tick)
            }
            state.waiters[number] = continuation
            defer { state.isRunning = true }
            return state.isRunning ? .waits : .isFirst
        }
    }

    private func cancel(_ number: UInt64) {
        let (waiter, tick) = state.withLock { state in
            (state.waiters.removeValue(forKey: number), state.tick)
        }
        waiter?.resume(returning: tick)
    }

    // MARK: The thread

    /// The thread has no hold of the watcher, which could not go otherwise.
    private func start() {
        let (state, pace, makeWatch) = (state, pace, makeWatch)
        Thread.detach(name: "grouplog-watch") {
            let watch = makeWatch()
            state.withLock { $0.watch = watch }
            // For what happened before the watch stood.
            Self.makeTick(state)
            while Self.isWaitedFor(state, pace) {
                switch watch.wait(milliseconds: pace.backstopMilliseconds) {
                case .changed, .timedOut: Self.makeTick(state)
                case .woken, .interrupted: break
                }
            }
        }
    }

    private static func makeTick(_ state: Monitor<State>) {
        let (tick, waiters) = state.withLock { state in
            state.tick += 1
            return (state.tick, state.takeWaiters())
        }
        for waiter in waiters { waiter.resume(returning: tick) }
    }

    /// Waits until somebody waits. Where nobody does for a while, the thread counts as ended.
    ///
    /// Meanwhile changes stay with the watch: however many they are, they wake nobody.
    private static func isWaitedFor(_ state: Monitor<State>, _ pace: Pace) -> Bool {
        let deadline = Deadline(secondsFromNow: pace.idleSeconds)
        _ = state.wait(until: deadline, looksBetween: false) { state in
            state.isStopped || !state.waiters.isEmpty ? true : nil
        }
        return state.withLock { state in
            if !state.isStopped && !state.waiters.isEmpty { return true }
            state.isRunning = false
            state.watch = nil
            return false
        }
    }
}
