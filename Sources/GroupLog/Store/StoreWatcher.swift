import GroupLogSystem

/// A stand-in for the watcher of a store that is woken by the system: it tells every 20 milliseconds
/// that something may have changed.
final class StoreWatcher: Sendable {
    private let state = Monitor<UInt64>(0)

    /// Rises whenever something may have changed.
    var tick: UInt64 { state.withLock { $0 } }

    /// Returns the tick as soon as it is beyond another one, or at once when the task is cancelled.
    func wait(after tick: UInt64) async -> UInt64 {
        let now = self.tick
        if now > tick { return now }
        do {
            try await Task.sleep(for: .milliseconds(20))
        } catch {
            // Cancelled.
            return self.tick
        }
        return state.withLock { current in
            current = max(current, tick + 1)
            return current
        }
    }
}
