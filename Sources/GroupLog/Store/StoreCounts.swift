import GroupLogFile
import GroupLogFormat

/// How many records of a collection each layer between the disk and a reader has, and where in the
/// log it stands: put side by side, they show which one lags when a list looks stale.
public struct StoreCounts: Hashable, Sendable {
    /// What one layer has.
    public struct Layer: Hashable, Sendable {
        /// How many records of the collection.
        public let count: Int
        /// The last commit that it has taken up.
        public let sequence: UInt64
        /// How far in the log it has come, in bytes.
        public let offset: UInt64
        /// Which log: a compaction makes a new generation.
        public let generation: UInt64

        package init(count: Int, sequence: UInt64, offset: UInt64, generation: UInt64) {
            self.count = count
            self.sequence = sequence
            self.offset = offset
            self.generation = generation
        }

        /// Whether it has taken up all that another layer has.
        func isAbreast(of other: Layer) -> Bool {
            generation == other.generation && offset >= other.offset
        }
    }

    /// The layers that can lag.
    public enum Name: String, Hashable, Sendable {
        /// The store's table of offsets.
        case cache
        /// The list that is shown.
        case results
    }

    /// What a fresh scan of the log finds.
    public let disk: Layer
    /// What the store's table of offsets has; nil where nothing has been read through it yet.
    public let cache: Layer?
    /// What the list that was asked about has.
    public let results: Layer?

    package init(disk: Layer, cache: Layer?, results: Layer?) {
        self.disk = disk
        self.cache = cache
        self.results = results
    }

    /// The first layer, from the disk upwards, that has not taken up all; nil where none lags.
    public var lagging: Name? {
        if let cache, !cache.isAbreast(of: disk) { return .cache }
        if let results, !results.isAbreast(of: disk) { return .results }
        return nil
    }
}

extension StoreView {
    /// What this state of the store has of a collection.
    package func layer(of collection: String) -> StoreCounts.Layer {
        StoreCounts.Layer(
            count: index.collections[ByteString(collection)]?.values.liveCount ?? 0,
            sequence: sequence, offset: end, generation: header.generation)
    }
}

extension Store {
    /// The state of the store as its table of offsets has it, without a look at the log; nil where
    /// nothing has been read yet.
    package func cachedView() throws -> StoreView? {
        try engine.cachedReader().map { StoreView($0, path: path) }
    }

    /// The state of the store by a fresh scan of the log, past every cache.
    package func scannedView() throws -> StoreView {
        StoreView(try engine.freshReader(), path: path)
    }
}

extension ModelCollection {
    /// How many records the disk has and how many the store's table of offsets, as it is, without a
    /// refresh before. Reads the whole log.
    ///
    /// - Throws: `StoreError`.
    public func counts() throws -> StoreCounts { try counts(results: nil) }

    func counts(results: StoreCounts.Layer?) throws -> StoreCounts {
        let cache = try engine.cachedReader().map {
            StoreView($0, path: engine.path).layer(of: M.collection)
        }
        let disk = StoreView(try engine.freshReader(), path: engine.path)
        return StoreCounts(disk: disk.layer(of: M.collection), cache: cache, results: results)
    }
}
