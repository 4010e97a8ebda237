/// How a store is opened and what its calls promise.
public struct StoreOptions: Sendable {
    /// What a process does with a store.
    public enum Role: Sendable {
        /// Reads and writes.
        case app
        /// Captures: appends fast and keeps to little memory.
        case `extension`
        /// Reads. Needs no permission to write, and never creates or changes anything.
        case readOnly
    }

    /// What a write survives when its call has returned.
    public enum Durability: Sendable {
        /// Power loss.
        case full
        /// Power loss, in order: what is written later does not survive without it. On Linux as
        /// `full`; on Darwin cheaper (`F_BARRIERFSYNC`).
        case barrier
        /// A crash of the process at once; power loss within a second, unless `events` says that
        /// it failed. A process that ends before has left it to the system.
        case eventual
        /// A crash of the process. Not called "none": that would mean the store's own default where
        /// a call takes an optional durability.
        case unsynced
    }

    /// What opening a damaged log does.
    public enum DamagePolicy: Sendable {
        /// Serves what verifies, and reports the rest.
        case skipDamage
        /// Refuses a log with any damage.
        case strict
    }

    /// How the log's bytes are reached.
    public enum Mapping: Sendable {
        /// Mapped into memory, where the file system can.
        case automatic
        /// Read on demand. A log that somebody truncates in place under a running reader can then
        /// not stop the process.
        case never
    }

    /// What the process does with the store.
    public var role: Role
    /// The name that commits carry; at most 255 bytes.
    public var author: String?
    /// How long a write waits for the lock, in seconds.
    public var lockTimeout: Double
    /// What a write survives, unless the call says otherwise.
    public var durability: Durability
    /// What opening a damaged log does.
    public var damage: DamagePolicy
    /// How the log's bytes are reached.
    public var mapping: Mapping
    /// What those who wait are told that the lock is held for; at most 31 bytes.
    public var purpose: String
    /// Called, on the waiting thread, when a write has waited for the lock for a second.
    public var onLongWait: @Sendable () -> Void

    /// Makes options; each has a default.
    public init(
        role: Role = .app, author: String? = nil, lockTimeout: Double = 5,
        durability: Durability = .full, damage: DamagePolicy = .skipDamage,
        mapping: Mapping = .automatic, purpose: String = "writing",
        onLongWait: @escaping @Sendable () -> Void = {}
    ) {
        self.role = role
        self.author = author
        self.lockTimeout = lockTimeout
        self.durability = durability
        self.damage = damage
        self.mapping = mapping
        self.purpose = purpose
        self.onLongWait = onLongWait
    }
}
