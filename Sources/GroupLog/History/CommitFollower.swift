package import GroupLogFile
package import GroupLogFormat

/// Gives out the commits of a store, each once and in order, as they come.
///
/// Invariant: what stands before `walker.position` was given out, or was there before the start. A
/// frame is given out when it is whole, so the follower never gets ahead of the store's own view.
/// That the log is still the one that was walked is proven as for every reader: by its header, and
/// by the last frame at its place.
package struct CommitFollower {
    /// Where following begins.
    package enum Start: Hashable, Sendable {
        /// With what is committed from now on.
        case now
        /// With the first commit that the log still has.
        case firstCommit
    }

    /// What a look at the log found.
    package enum Event: Sendable {
        /// The puts, deletes and sync states of one commit; those of a compacted log's copied part
        /// come many in one event, each with its own sequence.
        case records([StoredRecord])
        /// Bytes that are not accepted, where commits may be missing.
        case damage(Damage)
        /// Another log stands in the place of the one that was followed. Its commits follow, from
        /// the first one on.
        case replaced(LogHeader)
    }

    private let store: Store
    private var walker: LogWalker<BufferedLogBytes>
    /// The last frame before the walker's position; nil where there is none that proves anything.
    private var last: (offset: UInt64, header: FrameHeader)?

    /// Begins to follow a store. Reads what is there, as each first view of a store does.
    ///
    /// - Throws: `StoreError`.
    package init(_ store: Store, from start: Start) throws {
        self.store = store
        let view = try store.view()
        switch start {
        case .firstCommit:
            walker = Self.walker(over: view)
        case .now:
            let last = try StoreError.translating(view.path) {
                try view.image.provenFrame(endingAt: view.end, salt: view.header.salt)
            }
            self.last = last
            walker = LogWalker(
                BufferedLogBytes(view.image), salt: view.header.salt, from: view.end,
                lastSequence: last?.header.sequence)
        }
    }

    private static func walker(over view: StoreView) -> LogWalker<BufferedLogBytes> {
        LogWalker(BufferedLogBytes(view.image), salt: view.header.salt)
    }

    /// Looks once, and hands out what came since the last look. Costs one stat and a look at some
    /// bytes where nothing did.
    ///
    /// - Throws: `StoreError`, also for a log that is just being replaced in place: the next look
    ///   goes on. What `body` throws; what it was given counts as handed out.
    package mutating func poll(_ body: (Event) throws -> Void) throws {
        let view = try store.view()
        try StoreError.translating(view.path) {
            if try isReplaced(in: view) {
                walker = Self.walker(over: view)
                last = nil
                try body(.replaced(view.header))
            }
            guard walker.position < view.end else { return }
            walker.source = BufferedLogBytes(view.image)
            while walker.position < view.end {
                switch try walker.next() {
                case .frame(let content): try handOut(content, body)
                case .damage(let damage): try body(.damage(damage))
                case .unfinished, .end: return
                }
            }
        }
    }

    private func isReplaced(in view: StoreView) throws -> Bool {
        guard view.header.salt == walker.salt, view.end >= walker.position else { return true }
        guard let last else { return false }
        return try view.image.frameHeader(at: last.offset, salt: walker.salt) != last.header
    }

    private mutating func handOut(
        _ content: FrameContent, _ body: (Event) throws -> Void
    ) throws {
        let isHeaderGone = content.damage.contains { $0.cause == .badHeader }
        last = isHeaderGone ? nil : (content.offset, content.header)
        for damage in content.damage { try body(.damage(damage)) }
        guard !content.header.flags.contains(.quiet) else { return }
        let records = try walker.source.withBytes(content.offset..<content.end) { bytes in
            content.storedRecords(bytes, of: [.put, .delete, .syncState])
        }
        if !records.isEmpty { try body(.records(records)) }
    }
}

extension FrameContent {
    /// The frame's records of some kinds, without those whose key or provenance is malformed.
    fileprivate func storedRecords(_ bytes: RawSpan, of kinds: [RecordKind]) -> [StoredRecord] {
        var result: [StoredRecord] = []
        let context = FrameContexts.Context(header: header, head: head)
        for record in records where kinds.contains(record.kind) {
            let place = offset + UInt64(record.range.lowerBound)
            if let stored = StoredRecord(bytes, record, at: place, context: context) {
                result.append(stored)
            }
        }
        return result
    }
}
