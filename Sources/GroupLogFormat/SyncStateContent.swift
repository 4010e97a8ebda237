/// The value of a sync state record: how far the upload of one record has come (FORMAT.md, "Sync
/// state").
///
/// It speaks of the record as it was at `sentSequence`. A record that was changed since is pending,
/// whatever is said here.
public struct SyncStateContent: Sendable {
    /// What became of the upload.
    public enum State: UInt8, Hashable, Sendable {
        /// Not done: somebody has a claim on it, or it is to be tried again.
        case pending = 0
        /// The other side has it.
        case synced = 1
        /// The other side refused it for good.
        case failed = 2
    }

    /// Whose turn it is to send the record, so that no two processes do.
    public struct Claim: Sendable {
        /// Who has it, in words that mean something to the owner itself.
        public var owner: String
        /// When it ends by itself, in microseconds since 1970.
        public var until: Int64

        /// Makes a claim.
        public init(owner: String, until: Int64) {
            self.owner = owner
            self.until = until
        }
    }

    /// The sequence of the version of the record that was sent or is to be sent.
    public var sentSequence: UInt64
    /// What became of it.
    public var state: State
    /// How often it was tried.
    public var attempts: UInt32
    /// Before when not to try again, in microseconds since 1970; 0 for at once.
    public var nextTry: Int64
    /// Who is sending it.
    public var claim: Claim?
    /// Why the last try did not succeed, for people.
    public var reason: String?

    /// Makes a state.
    public init(
        sentSequence: UInt64, state: State, attempts: UInt32 = 0, nextTry: Int64 = 0,
        claim: Claim? = nil, reason: String? = nil
    ) {
        self.sentSequence = sentSequence
        self.state = state
        self.attempts = attempts
        self.nextTry = nextTry
        self.claim = claim
        self.reason = reason
    }

    /// The value's bytes.
    public func encoded() -> [UInt8] {
        var writer = CBORWriter()
        writer.mapHead(6)
        writer.unsigned(0)
        writer.unsigned(sentSequence)
        writer.unsigned(1)
        writer.unsigned(UInt64(state.rawValue))
        writer.unsigned(2)
        writer.unsigned(UInt64(attempts))
        writer.unsigned(3)
        writer.integer(nextTry)
        writer.unsigned(4)
        if let claim {
            writer.arrayHead(2)
            writer.text(claim.owner)
            writer.integer(claim.until)
        } else {
            writer.null()
        }
        writer.unsigned(5)
        if let reason { writer.text(reason) } else { writer.null() }
        return writer.bytes
    }

    /// Reads a value.
    public static func decode(_ bytes: RawSpan) throws(FormatError) -> SyncStateContent {
        let map = try ContentMap(bytes, of: "sync state")
        guard let state = State(rawValue: try map.unsigned(1)) else { throw map.fault(1) }
        var claim: Claim?
        if let items = try map.optionalArray(4) {
            guard items.count == 2, case .text(let owner) = items[0],
                let until = ContentMap.integer(items[1])
            else { throw map.fault(4) }
            claim = Claim(owner: owner, until: until)
        }
        return SyncStateContent(
            sentSequence: try map.unsigned(0), state: state, attempts: try map.unsigned(2),
            nextTry: try map.integer(3), claim: claim, reason: try map.optionalText(5))
    }
}

extension SyncStateContent: Equatable {
    /// Whether two states are written as the same bytes.
    public static func == (a: Self, b: Self) -> Bool { a.encoded() == b.encoded() }
}
