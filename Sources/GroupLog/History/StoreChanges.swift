import GroupLogFormat
import GroupLogSystem

/// What happens to a store, as ``Store/changes(since:)`` tells it.
public enum StoreChange: Sendable {
    /// A commit.
    case commit(HistoryCommit)
    /// Another log stands in the place of the one that was followed, such as a backup that was put
    /// back: what was told before need not hold any more. All commits that the new log has follow,
    /// from its first one on, so whoever forgets what he knows and goes on is right again.
    case replaced
    /// Bytes of the log are damaged, and commits that stood there are not told: read the records
    /// anew.
    case damaged(Range<UInt64>)
}

/// The commits of a store as they come: an asynchronous sequence without an end. Made by
/// ``Store/changes(since:)``.
public struct StoreChanges: AsyncSequence, Sendable {
    private let store: Store
    private let token: HistoryToken

    init(_ store: Store, since token: HistoryToken) {
        self.store = store
        self.token = token
    }

    /// Begins behind the place for which the sequence was made.
    public func makeAsyncIterator() -> Iterator { Iterator(store, since: token) }

    /// Reads the commits one after another.
    public struct Iterator: AsyncIteratorProtocol {
        private let store: Store
        private let start: HistoryToken
        private var follower: CommitFollower?
        private var patience = Patience()

        init(_ store: Store, since token: HistoryToken) {
            self.store = store
            start = token
        }

        /// The next change, when it comes; nil when the task is cancelled.
        ///
        /// Reads on the caller's thread, a commit at a time, and waits without one.
        ///
        /// - Throws: `StoreError`. A log that cannot be read for a moment, such as while it is being
        ///   replaced by hand, is one only when it stays so for five seconds.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws -> StoreChange? {
            let watcher = store.engine.watcher
            while !Task.isCancelled {
                // Taken before the look, so that what comes after it ends the wait.
                let tick = watcher.tick
                do {
                    if let change = try look() { return change }
                    patience.restore()
                } catch let error as StoreError where Patience.mayPass(error) {
                    guard patience.isLeft else { throw error }
                }
                _ = await watcher.wait(after: tick)
            }
            return nil
        }

        private mutating func look() throws -> StoreChange? {
            var follower = try self.follower ?? CommitFollower(store, from: .after(start))
            defer { self.follower = follower }
            if let change = try nextChange(of: &follower) { return change }
            try follower.look()
            return try nextChange(of: &follower)
        }

        private func nextChange(of follower: inout CommitFollower) throws -> StoreChange? {
            while let event = try follower.next() {
                switch event {
                case .commit(let commit): return .commit(commit)
                case .replaced: return .replaced
                case .damage(let damage) where damage.lostRecords == 0: continue
                case .damage(let damage): return .damaged(damage.range)
                }
            }
            return nil
        }
    }
}

/// How long a failure may last before it counts.
package struct Patience {
    private static let seconds = 5.0
    private var end: Deadline?

    package init() {}

    /// Whether an error may be that of a log which is just being replaced by hand.
    package static func mayPass(_ error: StoreError) -> Bool {
        error.code == .corrupt || error.code == .noStore
    }

    /// Forgets the failures so far.
    package mutating func restore() { end = nil }

    /// Whether to try again; counts from the first failure.
    package var isLeft: Bool {
        mutating get {
            let end = end ?? Deadline(secondsFromNow: Self.seconds)
            self.end = end
            return !end.hasPassed
        }
    }
}
