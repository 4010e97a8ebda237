package import GroupLogFile
import GroupLogFormat
import GroupLogSystem

/// What a store, its collections and its key-value side share: one reader, one writer.
///
/// The reader is opened by the first read, so that a process which only appends never looks at
/// what is stored. Its mutex is held for refreshing, never while a caller's code runs; views are
/// values that live on their own.
package final class Engine: Sendable {
    let volume: any StoreVolume
    package let options: StoreOptions
    let writer: LogWriter?
    private let reader = Monitor<LogReader?>(nil)
    let asyncWriter: AsyncWriter
    let asyncReader = AsyncReader()
    let eventualSync: EventualSync
    /// Wakes those who wait for changes in tasks.
    package let watcher: StoreWatcher
    private let forkGeneration = ProcessIdentity.forkGeneration

    init(volume: any StoreVolume, options: StoreOptions) {
        self.volume = volume
        self.options = options
        writer =
            options.role == .readOnly
            ? nil
            : LogWriter(
                volume,
                .init(
                    mayCreate: false, purpose: options.purpose,
                    timeoutSeconds: options.lockTimeout / .seconds(1)))
        asyncWriter = AsyncWriter()
        eventualSync = EventualSync(writer)
        watcher = StoreWatcher { volume.watch() }
    }

    package var path: String { volume.path }

    /// A watch of the log, for whoever waits for changes on a thread of its own.
    package func watch() -> any VolumeWatch { volume.watch() }

    /// Whether a log is there, without reading it.
    func hasLog() throws -> Bool {
        try StoreError.translating(path) {
            do {
                _ = try volume.openLog(.read)
                return true
            } catch LogError.noStore {
                return false
            }
        }
    }

    /// Makes the store's log; whoever loses a race for it finds the other's.
    ///
    /// Only opening a store does this. While one is open its directory may go away for a moment, or
    /// for good: an empty one in its place would stand in the way of the real one, and hide the loss.
    func create() throws {
        let writer = LogWriter(
            volume,
            .init(
                mayCreate: true, purpose: options.purpose,
                timeoutSeconds: options.lockTimeout / .seconds(1)))
        try StoreError.translating(path) {
            _ = try writer.withLock(.init(onLongWait: options.onLongWait)) { _ in }
        }
    }

    /// Fails in a child made by fork(2), which has neither the threads that this process's writes are
    /// done on nor, perhaps, a mutex that is free.
    func checkNotForked() throws {
        guard ProcessIdentity.forkGeneration == forkGeneration else {
            throw StoreError(.forked(path: path))
        }
    }

    /// The state of the store now.
    package func view() throws -> StoreView {
        try checked(withUpToDateReader { StoreView($0, path: path) })
    }

    /// Takes up what others wrote, and gives the sequence of the last commit.
    func refresh() throws -> UInt64 {
        if options.damage == .strict { return try view().sequence }
        return try withUpToDateReader { $0.sequence }
    }

    /// The one reader, which has taken up what others wrote: a copy that goes its own way.
    func upToDateReader() throws -> LogReader { try withUpToDateReader { $0 } }

    /// Lends the one reader, which has taken up what others wrote.
    private func withUpToDateReader<R>(_ body: (LogReader) -> R) throws -> R {
        try checkNotForked()
        return try StoreError.translating(path) {
            try reader.withLock { reader in
                if reader != nil {
                    _ = try reader?.refresh()
                } else {
                    reader = try readLog()
                }
                guard let reader else { throw LogError.noStore(path: path) }
                return body(reader)
            }
        }
    }

    private func readLog() throws -> LogReader {
        try LogReader(volume, mapping: options.mapping == .never ? .never : .whenPossible)
    }

    /// The one reader as it is, without a look at the log; nil where nothing was read yet.
    func cachedReader() throws -> LogReader? {
        try checkNotForked()
        return reader.withLock { $0 }
    }

    /// A reader of its own, that has read the log from the disk.
    func freshReader() throws -> LogReader {
        try checkNotForked()
        return try StoreError.translating(path) { try readLog() }
    }

    /// The state of the store while its lock is held. It ends where the writer has proven the end:
    /// a reader that does not come that far has to read the log anew.
    func view(endingAt end: UInt64) throws -> StoreView {
        let view = try view()
        if view.end == end { return view }
        try reload()
        return try self.view()
    }

    /// Drops every cache and reads from the disk.
    func reload() throws {
        try checkNotForked()
        reader.withLock { $0 = nil }
        _ = try view()
    }

    private func checked(_ view: StoreView) throws -> StoreView {
        guard options.damage == .strict, let first = view.receipt.entries.first else {
            return view
        }
        throw StoreError(
            .corrupt,
            "the log of '\(path)' is damaged at offset \(first.damage.range.lowerBound): "
                + first.damage.cause.rawValue, path: path, offset: first.damage.range.lowerBound)
    }

    func requireWriter() throws -> LogWriter {
        guard let writer else {
            throw StoreError(.readOnly, "'\(path)' was opened for reading only", path: path)
        }
        return writer
    }

    /// Runs the body with the store's lock, and says what was appended.
    func commit<R>(
        wait: QueuedWait = QueuedWait(), _ body: (inout LockedLog) throws -> R
    ) throws -> (result: R, commit: Commit?) {
        let writer = try requireWriter()
        return try StoreError.translating(path) {
            try writer.withLock(
                .init(
                    isCancelled: wait.isCancelled, deadline: wait.deadline,
                    onLongWait: options.onLongWait), body)
        }
    }

    /// Makes a commit as durable as was asked.
    func settle(_ commit: Commit?, _ durability: StoreOptions.Durability?) throws {
        guard let commit else { return }
        let writer = try requireWriter()
        try StoreError.translating(path) {
            switch durability ?? options.durability {
            case .full: try writer.makeDurable(commit, .full)
            case .barrier: try writer.makeDurable(commit, .barrier)
            case .eventual: eventualSync.submit(commit)
            case .unsynced: break
            }
        }
    }
}
