import GroupLogFile
import GroupLogFormat
import GroupLogSystem
import Synchronization

/// Compaction: putting a log that has only what is still needed in the place of the one that has
/// grown.
extension Store {
    /// What a compaction would do now. Costs nothing beyond taking up what others wrote.
    ///
    /// - Throws: `StoreError`.
    public func compactionEstimate() throws -> CompactionEstimate {
        CompactionEstimate(try engine.view())
    }

    /// Writes what is still needed into a new log and puts it in the place of the old one.
    ///
    /// Sequences, authors, times, sync states and cursors stay; earlier versions go, and so does the
    /// history but for each record's last change. Tombstones are kept as
    /// ``CompactionEstimate/tombstoneCount`` says; a cursor that has not come as far as the ones that
    /// go is retired.
    ///
    /// Other processes read and write meanwhile. The lock is held only for the last 256 KiB and one
    /// sync, and views that were taken before stay as they are. It needs room for the new log beside
    /// the old one. A crash at any moment leaves the old log or the new one; a new one that was not
    /// finished is removed by the next compaction.
    ///
    /// - Parameter onProgress: told how far it has come, about once a MiB.
    /// - Throws: `StoreError`: ``StoreError/Code/superseded``, ``StoreError/Code/corrupt`` for a log
    ///   with damage unless the options allow it, ``StoreError/Code/wrongRole`` unless the store was
    ///   opened as `.app`. If it is the sync of the directory that failed
    ///   (``StoreError/Code/io``), the new log is in its place.
    @discardableResult
    public func compact(
        _ options: CompactionOptions = CompactionOptions(),
        onProgress: (CompactionProgress) -> Void = { _ in }
    ) throws -> CompactionReport {
        try compacting(options, onProgress)
    }

    /// Does the same on a thread of its own. Cancelling the task gives the new log up, until the
    /// moment at which it takes the old one's place.
    ///
    /// - Parameter onProgress: told how far it has come, about once a MiB, on that thread.
    /// - Throws: `StoreError`, with the code ``StoreError/Code/cancelled`` where it was cancelled.
    @discardableResult
    public func compact(
        _ options: CompactionOptions = CompactionOptions(),
        onProgress: @escaping @Sendable (CompactionProgress) -> Void = { _ in }
    ) async throws -> CompactionReport {
        try await onThread(options) { try self.compacting($0, onProgress) }
    }

    /// Compacts the store where that is worth it (``CompactionEstimate/isWorthwhile``), and never
    /// while anything is damaged: what automatic work does at a quiet moment, such as the app's start.
    ///
    /// - Returns: nil where there was no need, or another process is at it.
    /// - Throws: `StoreError`.
    @discardableResult
    public func compactIfNeeded() throws -> CompactionReport? {
        try compactingIfNeeded(CompactionOptions())
    }

    /// Does the same on a thread of its own; cancelling the task gives it up.
    ///
    /// - Returns: nil where there was no need, or another process is at it.
    /// - Throws: `StoreError`.
    @discardableResult
    public func compactIfNeeded() async throws -> CompactionReport? {
        try await onThread(CompactionOptions()) { try self.compactingIfNeeded($0) }
    }

    private func compactingIfNeeded(_ options: CompactionOptions) throws -> CompactionReport? {
        try checkMayCompact()
        guard try compactionEstimate().isWorthwhile else { return nil }
        do {
            return try compacting(options) { _ in }
        } catch StoreError.Code.superseded {
            return nil
        }
    }

    private func compacting(
        _ options: CompactionOptions, _ onProgress: (CompactionProgress) -> Void
    ) throws -> CompactionReport {
        try checkMayCompact()
        let writer = try engine.requireWriter()
        let reader = try engine.upToDateReader()
        guard reader.end > LogLayout.firstFrameOffset else {
            // Nothing was ever written to it.
            return CompactionReport(
                generation: reader.header.generation, bytesBefore: reader.end,
                bytesAfter: reader.end, recordCount: 0)
        }
        let outcome = try StoreError.translating(path) {
            try Compaction.run(
                writer, reader,
                .init(discardsDamage: options.discardsDamage, isCancelled: options.isCancelled),
                .init(isCancelled: options.isCancelled, onLongWait: engine.options.onLongWait)
            ) { done, total in
                onProgress(.init(bytesDone: done, bytesTotal: total))
            }
        }
        return CompactionReport(
            generation: outcome.header.generation, bytesBefore: outcome.sizeBefore,
            bytesAfter: outcome.sizeAfter, recordCount: outcome.recordCount)
    }

    private func checkMayCompact() throws {
        try engine.checkNotInside()
        switch engine.options.role {
        case .app: return
        case .extension:
            throw StoreError(
                .wrongRole, "a store that was opened as an extension is not compacted by it",
                path: path)
        case .readOnly: _ = try engine.requireWriter()
        }
    }

    private func onThread<R: Sendable>(
        _ options: CompactionOptions,
        _ body: @escaping @Sendable (CompactionOptions) throws -> R
    ) async throws -> R {
        let flag = CancellationFlag()
        let isCancelled = options.isCancelled
        var options = options
        options.isCancelled = { flag.isSet || isCancelled() }
        let final = options
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                Thread.detach(name: "grouplog-compact") {
                    continuation.resume(with: Result { try body(final) })
                }
            }
        } onCancel: {
            flag.set()
        }
    }
}

/// Whether a task was cancelled, for a thread that is no task.
private final class CancellationFlag: Sendable {
    private let flag = Atomic<Bool>(false)
    var isSet: Bool { flag.load(ordering: .relaxed) }
    func set() { flag.store(true, ordering: .relaxed) }
}

extension CompactionEstimate {
    init(_ view: StoreView) {
        bytesBefore = view.end
        bytesAfter = view.end - min(view.end, view.index.deadBytes)
        tombstoneCount = view.index.collections.values.reduce(0) { $0 + $1.tombstones.count }
        receipt = view.receipt
    }
}
