/// How a store is compacted.
public struct CompactionOptions: Sendable {
    /// Whether what damage has cost may be made final. What cannot be read any more is left out of
    /// the new log, and `grouplog-dump` will not find it there.
    public var discardsDamage: Bool
    /// Asked now and then on the thread that compacts; true gives the new log up. For code that is
    /// no task, which has its own way to be cancelled.
    public var isCancelled: @Sendable () -> Bool

    /// Makes options.
    public init(
        discardsDamage: Bool = false, isCancelled: @escaping @Sendable () -> Bool = { false }
    ) {
        self.discardsDamage = discardsDamage
        self.isCancelled = isCancelled
    }
}

/// How far a compaction has come.
public struct CompactionProgress: Hashable, Sendable {
    /// The bytes of the old log that were gone through.
    public var bytesDone: UInt64
    /// All of them, as far as is known: others may append meanwhile.
    public var bytesTotal: UInt64
}

/// What a compaction has done.
public struct CompactionReport: Hashable, Sendable {
    /// The new log's generation: one more than the old one's.
    public var generation: UInt64
    /// The bytes of the old log up to its end, without the room behind it.
    public var bytesBefore: UInt64
    /// The same of the new log.
    public var bytesAfter: UInt64
    /// The records that were copied: values, tombstones, sync states and cursors.
    public var recordCount: Int
}

/// What a compaction would do.
public struct CompactionEstimate: Hashable, Sendable {
    /// The bytes of the log up to its end.
    public var bytesBefore: UInt64
    /// About as many as it would have afterwards, by the records that are dead. What frames take
    /// beside their records is not counted: a log of single captures shrinks by more.
    public var bytesAfter: UInt64
    /// The keys that were deleted; up to 100,000 of them, or more in a large store, are remembered.
    public var tombstoneCount: Int
    /// What is damaged, and would be given up.
    public var receipt: StoreReceipt

    /// Whether it is worth it: the log has a MiB or more, would shrink to half or less, and nothing
    /// in it is damaged. ``Store/compactIfNeeded(_:)`` goes by this.
    public var isWorthwhile: Bool {
        bytesBefore >= 1 << 20 && bytesAfter <= bytesBefore / 2 && receipt.isClean
    }
}
