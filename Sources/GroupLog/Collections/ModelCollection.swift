import GroupLogFile
import GroupLogFormat

/// The records of one model in a store. Made by `store[Bookmark.self]`; costs nothing to make.
///
/// Each call stands alone. Reads first take up what others wrote, which costs one `stat` where nothing
/// is new; the first read of a store reads its log. Writes have returned when every process sees them
/// and they are as durable as asked: a write that returned survives a crash of the process, one that
/// did not is there whole or not at all. Threads and processes may write at once; each write waits for
/// its turn, for as long as ``StoreOptions/lockTimeout`` says.
///
/// Every writing call exists twice. The one that blocks its thread is for tools, extensions and code
/// that is not asynchronous; in an `async` function the compiler takes the other one and asks for an
/// `await`. That one writes on the store's own thread, with one sync for all that wait; cancelling its
/// task ends a wait for the lock (``StoreError/Code/cancelled``), and never a write. Write the `await`
/// in closures too: one without any, as `Task { try items.append(item) }`, is no `async` code to the
/// compiler and blocks its thread.
///
/// Writing throws `StoreError`; what the model's own coding throws passes as it is. Inside a
/// transaction of the same store, writing here throws ``StoreError/Code/nestedTransaction``.
public struct ModelCollection<M: Model>: Sendable {
    let engine: Engine

    // MARK: Reading

    /// The record with an id, or nil.
    ///
    /// - Throws: `StoreError`, or `DecodingError` where the record is not of this model.
    public func get(_ id: M.ID) throws -> M? { try engine.view()[M.self].get(id) }

    /// How many records there are. Costs nothing beyond taking up what others wrote.
    ///
    /// - Throws: `StoreError`.
    public func count() throws -> Int { try engine.view()[M.self].count() }

    /// The records, newest first, of which `offset` are passed over and at most `limit` given.
    ///
    /// Looks at each record's date, so that it takes as long as there are records, and decodes only
    /// what it gives. A negative offset or limit gives none.
    ///
    /// - Throws: `StoreError`, or `DecodingError` where a record is not of this model.
    public func newest(limit: Int = .max, offset: Int = 0) throws -> [M] {
        try engine.view()[M.self].newest(limit: limit, offset: offset)
    }

    // MARK: Writing

    /// Captures a record with a new id: the fastest write, and the only one that reads nothing, so
    /// it costs the same in a store of any size.
    ///
    /// That the id is new is the caller's promise, as with a fresh UUID; a record that has it is
    /// replaced, and counts as made anew.
    ///
    /// - Throws: `StoreError`, or what the model's coding throws; then nothing was written.
    public func append(_ model: M, durability: StoreOptions.Durability? = nil) throws {
        let (_, commit) = try appending(model)
        try engine.settle(commit, durability)
    }

    /// Captures a record with a new id, on the store's own thread.
    ///
    /// - Throws: `StoreError`, or what the model's coding throws; then nothing was written.
    public func append(_ model: M, durability: StoreOptions.Durability? = nil) async throws {
        try await engine.asyncWriter.perform(engine, durability) { wait in
            try appending(model, wait: wait)
        }
    }

    private func appending(
        _ model: M, wait: QueuedWait = QueuedWait()
    ) throws -> ((), Commit?) {
        try engine.checkNotInside()
        let key = try model.id.requiredKey()
        return try StoreError.translating(engine.path) {
            var builder = FrameBuilder(author: engine.options.author)
            let content = try builder.content(of: model)
            try builder.append(kind: .put, collection: M.collection, key: key, content: content)
            return try engine.commit(wait: wait) { try $0.append([builder]) }
        }
    }

    /// Captures many records with new ids. Not a transaction: after a crash the first so many are
    /// there, and damage to one of them later costs no other.
    ///
    /// Made for loads of any size: the sequence is gone through once, a few MiB at a time, others
    /// write in between, and the last sync makes all durable.
    ///
    /// - Throws: `StoreError`, or what a model's coding throws; what came before may be written.
    public func append(
        contentsOf models: some Sequence<M>, durability: StoreOptions.Durability? = nil
    ) throws {
        let (_, commit) = try appending(contentsOf: models)
        try engine.settle(commit, durability)
    }

    /// Captures many records with new ids, on the store's own thread, which goes through the
    /// sequence and does no other write meanwhile.
    ///
    /// - Throws: `StoreError`, or what a model's coding throws; what came before may be written.
    public func append(
        contentsOf models: some Sequence<M> & Sendable,
        durability: StoreOptions.Durability? = nil
    ) async throws {
        try await engine.asyncWriter.perform(engine, durability) { wait in
            try appending(contentsOf: models, wait: wait)
        }
    }

    private func appending(
        contentsOf models: some Sequence<M>,
        wait: QueuedWait = QueuedWait()
    ) throws -> ((), Commit?) {
        try engine.checkNotInside()
        return try StoreError.translating(engine.path) {
            var last: Commit?
            var wait = wait
            var frames = BulkFrames(author: engine.options.author)
            func flush() throws {
                let full = frames.take()
                guard !full.isEmpty else { return }
                last = try engine.commit(wait: wait) { try $0.append(full) }.commit
                wait.deadline = nil
            }
            for model in models {
                try frames.add(try model.id.requiredKey(), in: M.collection) {
                    try $0.content(of: model)
                }
                if frames.size >= BulkFrames.appendSize { try flush() }
            }
            try flush()
            return ((), last)
        }
    }

    /// Adds a record whose id must not exist yet; of two processes that insert one id, one does.
    ///
    /// - Throws: `StoreError`, with the code ``StoreError/Code/exists`` where the id is taken.
    public func insert(_ model: M, durability: StoreOptions.Durability? = nil) throws {
        let (_, commit) = try engine.transaction { try $0[M.self].insert(model) }
        try engine.settle(commit, durability)
    }

    /// Adds a record whose id must not exist yet, on the store's own thread.
    ///
    /// - Throws: `StoreError`, with the code ``StoreError/Code/exists`` where the id is taken.
    public func insert(_ model: M, durability: StoreOptions.Durability? = nil) async throws {
        try await engine.asyncWriter.perform(engine, durability) { wait in
            try engine.transaction(wait: wait) { try $0[M.self].insert(model) }
        }
    }

    /// Stores a record, in place of the one with its id where there is one, whatever others changed
    /// in that. Storing what is stored already writes nothing.
    ///
    /// - Throws: `StoreError`.
    public func put(_ model: M, durability: StoreOptions.Durability? = nil) throws {
        let (_, commit) = try engine.transaction { try $0[M.self].put(model) }
        try engine.settle(commit, durability)
    }

    /// Stores a record, on the store's own thread.
    ///
    /// - Throws: `StoreError`.
    public func put(_ model: M, durability: StoreOptions.Durability? = nil) async throws {
        try await engine.asyncWriter.perform(engine, durability) { wait in
            try engine.transaction(wait: wait) { try $0[M.self].put(model) }
        }
    }

    /// Reads a record, changes it and stores it, in one step: what others write meanwhile is not
    /// lost, since the change is then made again on what they wrote. So `change` may run more than
    /// once, and must have no effects outside.
    ///
    /// - Returns: the record as it is stored now.
    /// - Throws: `StoreError`, with the code ``StoreError/Code/notFound`` where there is no such
    ///   record, also where another process has just deleted it, and ``StoreError/Code/invalidValue``
    ///   where `change` gave it another id; or what `change` throws. Then nothing was written.
    @discardableResult
    public func update(
        _ id: M.ID, durability: StoreOptions.Durability? = nil, _ change: (inout M) throws -> Void
    ) throws -> M {
        let (model, commit) = try engine.transaction { try $0[M.self].update(id, change) }
        try engine.settle(commit, durability)
        return model
    }

    /// Reads a record, changes it and stores it, in one step, on the store's own thread, on which
    /// `change` runs too, perhaps more than once.
    ///
    /// - Returns: the record as it is stored now.
    /// - Throws: as the blocking call does.
    @discardableResult
    public func update(
        _ id: M.ID, durability: StoreOptions.Durability? = nil,
        _ change: @escaping @Sendable (inout M) throws -> Void
    ) async throws -> M {
        try await engine.asyncWriter.perform(engine, durability) { wait in
            try engine.transaction(wait: wait) {
                try $0[M.self].update(id, change)
            }
        }
    }

    /// Removes a record.
    ///
    /// - Returns: whether there was one.
    /// - Throws: `StoreError`.
    @discardableResult
    public func delete(_ id: M.ID, durability: StoreOptions.Durability? = nil) throws -> Bool {
        let (wasThere, commit) = try engine.transaction { try $0[M.self].delete(id) }
        try engine.settle(commit, durability)
        return wasThere
    }

    /// Removes a record, on the store's own thread.
    ///
    /// - Returns: whether there was one.
    /// - Throws: `StoreError`.
    @discardableResult
    public func delete(
        _ id: M.ID, durability: StoreOptions.Durability? = nil
    ) async throws -> Bool {
        try await engine.asyncWriter.perform(engine, durability) { wait in
            try engine.transaction(wait: wait) { try $0[M.self].delete(id) }
        }
    }
}

extension Store {
    /// The records of a model.
    public subscript<M: Model>(_ type: M.Type) -> ModelCollection<M> {
        ModelCollection(engine: engine)
    }
}

extension RecordIdentifier {
    /// The key, or an error that says what is wrong with the id.
    func requiredKey() throws -> RecordKey {
        guard let key = recordKey else {
            throw StoreError(
                .invalidValue,
                "an id, or the key of a value, has 1 to \(LogLayout.maximumKeyLength) bytes")
        }
        return key
    }
}
