package import GroupLogFile
package import GroupLogFormat

/// Reads and writes that are committed together or not at all.
///
/// Reads come from one state of the store and from the transaction's own writes. Nothing is
/// written before the closure has returned, so a closure that throws leaves no trace. It may run
/// more than once, and must have no effects outside. A transaction belongs to the thread that runs
/// the closure and ends with it: what is written to it later is lost.
public final class Transaction {
    package let view: StoreView
    private(set) var builder: FrameBuilder
    private var writes: [Target: Write] = [:]
    private var order: [Target] = []
    private var cursors: [RecordKey: CursorContent] = [:]
    /// The keys that were asked for, with what was found.
    private var reads: [Target: KeyTable.Lookup] = [:]
    /// The collections that were listed, with their last change.
    private var listed: [ByteString: UInt64] = [:]
    private var contexts: FrameContexts

    /// A record's place.
    struct Target: Hashable {
        var collection: ByteString
        var key: RecordKey

        /// Records of different collections seldom have the same key.
        func hash(into hasher: inout Hasher) { hasher.combine(key) }
    }

    enum Write {
        case put(FrameBuilder.Content)
        case delete
    }

    init(view: StoreView, author: String?) {
        self.view = view
        builder = FrameBuilder(author: author)
        contexts = view.contexts()
    }

    // MARK: Records as bytes

    /// The record of a key, as this transaction sees it.
    package func record(_ key: RecordKey, in collection: String) throws -> StoredRecord? {
        let target = Target(collection: ByteString(collection), key: key)
        switch writes[target] {
        case .delete: return nil
        case .put(let content):
            return StoredRecord(pending: content, target, names: builder.names.names)
        case nil: break
        }
        guard case .live(let offset) = try find(target) else { return nil }
        return try view.record(at: offset, &contexts)
    }

    /// What the store says of a key, not counting this transaction's writes.
    package func find(_ key: RecordKey, in collection: String) throws -> KeyTable.Lookup {
        try find(Target(collection: ByteString(collection), key: key))
    }

    private func find(_ target: Target) throws -> KeyTable.Lookup {
        if let known = reads[target] { return known }
        let found = try view.find(target.key, in: target.collection.text)
        reads[target] = found
        return found
    }

    /// Sets a key's value. `encode` makes it, with indexes of the names of this commit.
    package func put(
        _ key: RecordKey, in collection: String,
        encode: (inout FrameBuilder) throws -> FrameBuilder.Content
    ) throws {
        let content = try encode(&builder)
        write(.put(content), to: Target(collection: ByteString(collection), key: key))
    }

    /// Removes a key's value; gives false where it has none.
    package func delete(_ key: RecordKey, in collection: String) throws -> Bool {
        let target = Target(collection: ByteString(collection), key: key)
        switch writes[target] {
        case .delete: return false
        case .put: break
        case nil: guard case .live = try find(target) else { return false }
        }
        write(.delete, to: target)
        return true
    }

    private func write(_ write: Write, to target: Target) {
        if writes.updateValue(write, forKey: target) == nil { order.append(target) }
    }

    /// Sets a cursor.
    func setCursor(_ name: RecordKey, _ content: CursorContent) { cursors[name] = content }

    /// Notes that what the transaction does depends on all of a collection.
    package func noteListing(of collection: String) {
        let name = ByteString(collection)
        listed[name] = view.index.collections[name]?.lastChange ?? 0
    }

    /// What this transaction writes to a collection.
    package func pendingWrites(in collection: String) -> [RecordKey: Bool] {
        var result: [RecordKey: Bool] = [:]
        for target in order where target.collection == ByteString(collection) {
            if case .put = writes[target] { result[target.key] = true }
            if case .delete = writes[target] { result[target.key] = false }
        }
        return result
    }

    // MARK: Committing

    /// Whether nothing that was read has changed in a newer state of the store.
    func isUntouched(in newer: StoreView) throws -> Bool {
        guard try newer.continues(view) else { return false }
        if newer.last?.header == view.last?.header { return true }
        for (collection, change) in listed
        where newer.index.collections[collection]?.lastChange ?? 0 != change { return false }
        for (target, found) in reads
        where try newer.find(target.key, in: target.collection.text) != found { return false }
        return true
    }

    /// The frame with all writes that change something; nil where none does.
    func frame(for current: StoreView) throws -> FrameBuilder? {
        var contexts = current.contexts()
        for target in order {
            let found = try current.find(target.key, in: target.collection.text)
            switch (writes[target], found) {
            case (.put(let content), .live(let offset)):
                let old = try current.undamagedRecord(at: offset, &contexts)
                if old?.holds(content, names: builder.names.names) ?? false { continue }
                try builder.append(
                    kind: .put, collection: target.collection.text, key: target.key,
                    content: content, origin: old.origin(at: offset))
            case (.put(let content), _):
                try builder.append(
                    kind: .put, collection: target.collection.text, key: target.key,
                    content: content)
            case (.delete, .live(let offset)):
                let old = try current.undamagedRecord(at: offset, &contexts)
                try builder.append(
                    kind: .delete, collection: target.collection.text, key: target.key,
                    origin: old.origin(at: offset))
            case (.delete, _), (nil, _): continue
            }
        }
        // A commit of cursors alone wakes nobody: consumers that watch each other would never rest.
        if builder.isEmpty { builder.flags.insert(.quiet) }
        for (name, content) in cursors.sorted(by: { $0.key < $1.key }) {
            let known = try current.cursorContent(name.textValue ?? "")
            if let known, known.isSamePlace(as: content) { continue }
            try builder.append(
                kind: .cursor, collection: nil, key: name,
                content: .init(bytes: content.encoded(), isIndexed: false))
        }
        return builder.isEmpty ? nil : builder
    }
}

extension StoreView {
    /// The record at an offset; nil where it was damaged after it had been taken up. Whoever puts
    /// another value in its place needs nothing of it.
    fileprivate func undamagedRecord(
        at offset: UInt64, _ contexts: inout FrameContexts
    ) throws -> StoredRecord? {
        do {
            return try record(at: offset, &contexts)
        } catch is FormatError {
            return nil
        }
    }
}

extension CursorContent {
    /// Whether another one says the same but for the time.
    fileprivate func isSamePlace(as other: CursorContent) -> Bool {
        sequence == other.sequence && checksum == other.checksum && isRetired == other.isRetired
    }
}

extension StoredRecord? {
    /// Where a record comes from that replaces or ends this one.
    fileprivate func origin(at offset: UInt64) -> FrameBuilder.Origin {
        map { .createdAt($0.creation, predecessor: offset) } ?? .new
    }
}

extension StoredRecord {
    /// A record that a transaction has not written yet.
    fileprivate init(
        pending content: FrameBuilder.Content, _ target: Transaction.Target, names: [String]
    ) {
        self.init(
            offset: 0, kind: .put, collection: target.collection.text, key: target.key,
            sequence: .max, creation: .max, time: .max, author: nil, names: names,
            isIndexed: content.isIndexed, value: content.bytes)
    }

    /// Whether the record has just this value already. Records of one program have their names in
    /// the same order, so that their bytes can be compared.
    fileprivate func holds(_ content: FrameBuilder.Content, names: [String]) -> Bool {
        guard isIndexed == content.isIndexed, value == content.bytes else { return false }
        return !isIndexed
            || zip(self.names, names).allSatisfy { ByteString($0) == ByteString($1) }
    }
}

extension Engine {
    /// The engines whose transactions the current task is in.
    @TaskLocal private static var inside: Set<ObjectIdentifier> = []

    /// Fails inside a transaction of this store, where waiting for the lock would be waiting for
    /// oneself.
    func checkNotInside() throws {
        guard !Self.inside.contains(ObjectIdentifier(self)) else {
            throw StoreError(
                .nestedTransaction,
                "a write to '\(path)' inside a transaction has to go through the transaction",
                path: path)
        }
    }

    /// Runs a transaction's closure until nothing that it read has changed meanwhile: three times
    /// without the lock, then once with it.
    func transaction<R>(
        wait: QueuedWait = QueuedWait(),
        _ body: (Transaction) throws -> R
    ) throws -> (result: R, commit: Commit?) {
        try checkNotInside()
        func run(on view: StoreView) throws -> (R, Transaction) {
            let transaction = Transaction(view: view, author: options.author)
            let result = try Self.$inside.withValue(Self.inside.union([ObjectIdentifier(self)])) {
                try StoreError.translating(path) { try body(transaction) }
            }
            return (result, transaction)
        }
        var wait = wait
        for _ in 0..<3 {
            let (result, transaction) = try run(on: try view())
            let (isDone, commit) = try commit(wait: wait) { log in
                let current = try view(endingAt: log.tail.end)
                guard try transaction.isUntouched(in: current) else { return false }
                if let frame = try transaction.frame(for: current) { try log.append([frame]) }
                return true
            }
            if isDone { return (result, commit) }
            wait.deadline = nil
        }
        return try commit(wait: wait) { log in
            let (result, transaction) = try run(on: try view(endingAt: log.tail.end))
            if let frame = try transaction.frame(for: transaction.view) {
                try log.append([frame])
            }
            return result
        }
    }
}

extension Store {
    /// Runs the closure as a transaction: what it writes is committed together or not at all, also
    /// when the process is killed or the power fails, and only if nothing that it read through the
    /// transaction has been changed by others meanwhile. Otherwise it runs again; after the third
    /// time once more with the store locked, so that it comes to an end. It has at most 64 MiB.
    ///
    /// The closure must have no effects outside. What it throws, this throws, and nothing is
    /// written. Inside it, writing to this store in another way is an error, and to its directory
    /// through another `Store` may wait for itself until ``StoreOptions/lockTimeout`` is over.
    ///
    /// - Returns: what the closure returned, when the commit is durable.
    /// - Throws: `StoreError`, or what the closure throws.
    @discardableResult
    public func transaction<R>(
        durability: StoreOptions.Durability? = nil, _ body: (Transaction) throws -> R
    ) throws -> R {
        let (result, commit) = try engine.transaction(body)
        try engine.settle(commit, durability)
        return result
    }

    /// Runs a transaction on the store's own thread, and returns when the commit is durable.
    ///
    /// Cancelling the task ends a wait for the lock (``StoreError/Code/cancelled``), and never a
    /// write in progress. The store's other `async` writes wait for the closure.
    ///
    /// - Returns: what the closure returned, when the commit is durable.
    /// - Throws: `StoreError`, or what the closure throws.
    @discardableResult
    public func transaction<R: Sendable>(
        durability: StoreOptions.Durability? = nil,
        _ body: @escaping @Sendable (Transaction) throws -> R
    ) async throws -> R {
        let engine = engine
        return try await engine.asyncWriter.perform(engine, durability) { wait in
            try engine.transaction(wait: wait, body)
        }
    }
}
