extension FetchedResults {
    /// Drops the store's caches, reads from the disk and evaluates anew: the remedy that always works.
    /// When it returns, ``items`` is what the disk has. Blocks the actor meanwhile.
    ///
    /// - Throws: `StoreError`; it is in ``error`` too, and the list stays as it was.
    public func reload() throws {
        try collection.engine.checkNotForked()
        let failure = source.reloadAndWait()
        _ = takeUpdates()
        if let failure { throw failure }
    }

    /// Does the same without blocking the actor.
    ///
    /// - Throws: `StoreError`; it is in ``error`` too, and the list stays as it was.
    nonisolated(nonsending) public func reload() async throws {
        let failure = await source.reload()
        _ = takeUpdates()
        if let failure { throw failure }
    }

    /// Deletes the record at an index of ``items``. When it returns, the list is without it. Blocks the
    /// actor until that is durable. Traps where the list has no such index.
    ///
    /// - Throws: `StoreError`; then nothing was deleted.
    public func delete(at index: Int, durability: StoreOptions.Durability? = nil) throws {
        try delete(at: CollectionOfOne(index), durability: durability)
    }

    /// Does the same without blocking the actor.
    ///
    /// - Throws: `StoreError`; then nothing was deleted.
    nonisolated(nonsending) public func delete(
        at index: Int, durability: StoreOptions.Durability? = nil
    ) async throws {
        try await delete(at: CollectionOfOne(index), durability: durability)
    }

    /// Deletes the records at some indexes of ``items``, such as an `IndexSet`, in one transaction. When
    /// it returns, the list is without them. Blocks the actor until that is durable. Traps where the
    /// list has no such index.
    ///
    /// - Throws: `StoreError`; then nothing was deleted.
    public func delete(
        at indexes: some Sequence<Int>, durability: StoreOptions.Durability? = nil
    ) throws {
        let ids = indexes.map { items[$0].id }
        let engine = collection.engine
        let (_, commit) = try engine.transaction { transaction in
            for id in ids { try transaction[M.self].delete(id) }
        }
        try engine.settle(commit, durability)
        source.refreshAndWait()
        _ = takeUpdates()
    }

    /// Does the same without blocking the actor.
    ///
    /// - Throws: `StoreError`; then nothing was deleted.
    nonisolated(nonsending) public func delete(
        at indexes: some Sequence<Int>, durability: StoreOptions.Durability? = nil
    ) async throws {
        let ids = indexes.map { items[$0].id }
        let engine = collection.engine
        try await engine.asyncWriter.perform(engine, durability) { wait in
            try engine.transaction(wait: wait) { transaction in
                for id in ids { try transaction[M.self].delete(id) }
            }
        }
        await source.refresh()
        _ = takeUpdates()
    }
}
