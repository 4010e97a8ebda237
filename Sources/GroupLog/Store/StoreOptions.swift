/// How a store is opened and what its calls promise.
public struct StoreOptions: Sendable {
    /// What a process does with a store.
    public enum Role: Sendable {
        /// Reads and writes.
        case app
        /// Captures: appends fast and keeps to little memory. `append` and `keyValues.set` read
        /// nothing of what is stored; whatever else is called reads the log once, as in an app.
        case `extension`
        /// Reads. Needs no permission to write, and never creates or changes anything; writing
        /// throws ``StoreError/Code/readOnly``.
        case readOnly
    }

    /// What a write survives when its call has returned. At any level, what was written is seen by
    /// every process at once, and a write that did not return is there whole or not at all.
    public enum Durability: Sendable {
        /// Power loss: the log was synced, and so was the directory by which it is found.
        case full
        /// Power loss, in order: what is written later does not survive without it. On Darwin
        /// cheaper than `full` (`F_BARRIERFSYNC`); elsewhere as that, but for the directory of a
        /// store that is new.
        case barrier
        /// A crash of the process at once; power loss within a second, unless ``Store/events`` says
        /// that it failed. A process that ends before has left it to the system.
        case eventual
        /// A crash of the process. Not called "none": that would mean the store's own default where
        /// a call takes an optional durability.
        case unsynced
    }

    /// What opening a damaged log does.
    public enum DamagePolicy: Sendable {
        /// Serves what verifies, and reports the rest in ``Store/receipt()``.
        case skipDamage
        /// Refuses a log with any damage, when it is opened and at each read. Reads the whole log
        /// when it is opened.
        case strict
    }

    /// How the log's bytes are reached.
    public enum Mapping: Sendable {
        /// Mapped into memory, where the file system can. No store ever shortens a log; where
        /// something else does, a read of what is gone stops the process (`SIGBUS`).
        case automatic
        /// Read on demand: slower, and safe from that.
        case never
    }

    /// What the process does with the store.
    public var role: Role
    /// The name that commits carry, such as "app" or "share-extension": 1 to 255 bytes, or opening
    /// the store throws ``StoreError/Code/invalidValue``.
    public var author: String?
    /// How long a write waits for its turn; then it throws ``StoreError/Code/locked``, and wrote
    /// nothing.
    public var lockTimeout: Duration
    /// What a write survives, unless the call says otherwise.
    public var durability: Durability
    /// What opening a damaged log does.
    public var damage: DamagePolicy
    /// How the log's bytes are reached.
    public var mapping: Mapping
    /// What those who wait are told that the lock is held for; cut to 31 bytes.
    public var purpose: String
    /// Called once, on the waiting thread, when a write has waited for the lock for a second.
    public var onLongWait: @Sendable () -> Void

    /// Makes options; each has a default.
    public init(
        role: Role = .app, author: String? = nil, lockTimeout: Duration = .seconds(5),
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
