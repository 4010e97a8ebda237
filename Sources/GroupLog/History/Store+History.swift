import GroupLogFile
import GroupLogFormat

/// History: what was changed since a place that a consumer remembers.
extension Store {
    /// The place in the history behind all that is committed now: from where a consumer goes on that
    /// has just read the records themselves. Take it before reading them, so that nothing is missed;
    /// what comes between the two is then told once more.
    ///
    /// Costs nothing beyond taking up what others wrote.
    /// - Throws: `StoreError`.
    public func historyToken() throws -> HistoryToken {
        let view = try view()
        return try StoreError.translating(path) { try view.token() }
    }

    /// Goes through the commits that came behind a place, in their order, each once.
    ///
    /// All of it or an error: never a part in silence. After a compaction, what was committed before
    /// it is told by the last change of each record, flagged ``HistoryCommit/isCoalesced``; that is
    /// complete for tokens of the last 4,096 commits before the compaction and for those of cursors, as
    /// long as the tombstones since are kept (``CompactionEstimate/tombstoneCount``).
    ///
    /// Reads a commit at a time, and takes as long as there are commits to tell; for a place before the
    /// last compaction all that it has copied is gone through. Others may write meanwhile: what they
    /// commit after the call began is for the next one.
    ///
    /// - Parameters:
    ///   - token: behind which commit to begin; nil for all that the log still has.
    ///   - body: is given the commits. What it throws ends the call.
    /// - Returns: the place behind the last commit, to go on from the next time.
    /// - Throws: `StoreError`: ``StoreError/Code/historyTooOld``,
    ///   ``StoreError/Code/historyDiverged``, ``StoreError/Code/historyFuture`` or
    ///   ``StoreError/Code/otherStore`` where the token does not lead to an answer that is whole, before
    ///   anything is told, and ``StoreError/Code/corrupt`` where damage has cost commits; then read the
    ///   records anew. What `body` throws passes as it is.
    @discardableResult
    public func forEachCommit(
        since token: HistoryToken? = nil, _ body: (HistoryCommit) throws -> Void
    ) throws -> HistoryToken {
        var follower = try CommitFollower(self, from: token.map { .after($0) } ?? .firstCommit)
        while let event = try follower.next() {
            switch event {
            case .commit(let commit): try body(commit)
            case .damage(let damage) where damage.lostRecords == 0: continue
            case .damage(let damage):
                throw StoreError(
                    .corrupt,
                    "the history of '\(path)' is damaged at offset \(damage.range.lowerBound), where "
                        + "commits may be missing: \(damage.cause.rawValue)", path: path,
                    offset: damage.range.lowerBound)
            case .replaced: preconditionFailure("one look follows one log")
            }
        }
        return follower.token
    }

    /// The commits behind a place, as ``forEachCommit(since:_:)`` goes through them. They take the
    /// memory of all that they changed.
    ///
    /// - Throws: `StoreError`.
    public func history(since token: HistoryToken? = nil) throws -> [HistoryCommit] {
        var commits: [HistoryCommit] = []
        try forEachCommit(since: token) { commits.append($0) }
        return commits
    }

    /// The commits from now on, as they come: see ``changes(since:)``.
    ///
    /// - Throws: `StoreError`.
    public var changes: StoreChanges {
        get throws { StoreChanges(self, since: try historyToken()) }
    }

    /// The commits behind a place and from then on, as they come, by whatever process: each once, in
    /// order, none left out, for code that must see every one. Where only the records as they are
    /// matter, ``FetchedResults`` is less work.
    ///
    /// ```swift
    /// for try await change in try store.changes {
    ///     guard case .commit(let commit) = change else { continue }
    ///     for change in commit.changes { print(change.kind, change.collection, change.key) }
    /// }
    /// ```
    ///
    /// The sequence ends only with its task, or with an error. Nothing is kept for a consumer that is
    /// slow: it reads on in the log when it comes back. Each loop over the same value begins at its
    /// beginning.
    ///
    /// - Parameter token: behind which commit to begin.
    /// - Throws: `StoreError`, as ``forEachCommit(since:_:)`` does for the token.
    public func changes(since token: HistoryToken) throws -> StoreChanges {
        let view = try view()
        _ = try StoreError.translating(path) { try view.place(behind: token) }
        return StoreChanges(self, since: token)
    }
}
