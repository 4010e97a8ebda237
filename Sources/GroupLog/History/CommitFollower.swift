package import GroupLogFile
package import GroupLogFormat

/// Gives out the commits of a store, each once and in order, as they come.
///
/// Invariant: what stands before `walker.position` was given out, or was there before the start. A
/// frame is given out when it is whole, so the follower never gets ahead of the store's own view.
/// That the log is still the one that was walked is proven as for every reader: by its header, and
/// by the last frame at its place. A log that was compacted is gone through to its end, and the new
/// one goes on behind the last commit; that both tell the same is proven by the mark.
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
        /// come many in one event, each with its own sequence, and only the last change of each
        /// record.
        case records([StoredRecord])
        /// Bytes that are not accepted, where commits may be missing.
        case damage(Damage)
        /// Another log stands in the place of the one that was followed. Its commits follow, from
        /// the first one on.
        case replaced(LogHeader)
    }

    /// A commit by which it can be told whether two logs tell the same.
    private struct Witness {
        var sequence: UInt64
        var checksum: UInt32
    }

    private let store: Store
    private var header: LogHeader
    private var walker: LogWalker<BufferedLogBytes>
    private var image: LogImage
    /// The last frame before the walker's position; nil where there is none that proves anything.
    private var last: (offset: UInt64, header: FrameHeader)?
    /// The last commit; nil where there is none yet, or its checksum is not known.
    private var witness: Witness?
    /// Copied records up to this sequence were given out as commits, or were there before.
    private var knownSequence: UInt64 = 0

    /// Begins to follow a store. Reads what is there, as each first view of a store does.
    ///
    /// - Throws: `StoreError`.
    package init(_ store: Store, from start: Start) throws {
        self.store = store
        let view = try store.view()
        header = view.header
        image = view.image
        switch start {
        case .firstCommit:
            walker = LogWalker(BufferedLogBytes(view.image), salt: view.header.salt)
        case .now:
            let last = try StoreError.translating(view.path) {
                try view.image.provenFrame(endingAt: view.end, salt: view.header.salt)
            }
            walker = LogWalker(
                BufferedLogBytes(view.image), salt: view.header.salt, from: view.end,
                lastSequence: last?.header.sequence)
            if let last { try note(last.offset, last.header, mark: { try view.mark() }) }
        }
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
                try finishOldLog(body)
                try begin(view, body)
            }
            guard walker.position < view.end else { return }
            image = view.image
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

    /// Hands out what was committed to the old log between the last look and its replacement: its
    /// file lives on for those who have it open. One that was overwritten lacks the last frame.
    private mutating func finishOldLog(_ body: (Event) throws -> Void) throws {
        image = try image.grown()
        guard let last,
            try image.frameHeader(at: last.offset, salt: walker.salt) == last.header
        else { return }
        walker.source = BufferedLogBytes(image)
        while case .frame(let content) = try walker.next() { try handOut(content, body) }
    }

    /// Begins with a log that stands in the place of the one before: behind the last commit that was
    /// handed out, if it was compacted from that one, or else with its first.
    private mutating func begin(_ view: StoreView, _ body: (Event) throws -> Void) throws {
        let isContinued = try goesOn(in: view)
        if isContinued {
            knownSequence = witness?.sequence ?? 0
        } else {
            knownSequence = 0
            witness = nil
        }
        header = view.header
        image = view.image
        last = nil
        walker = LogWalker(BufferedLogBytes(view.image), salt: view.header.salt)
        if !isContinued { try body(.replaced(view.header)) }
    }

    /// Whether a log has all that was committed since the last commit that was handed out, and that
    /// commit before it.
    private func goesOn(in view: StoreView) throws -> Bool {
        guard view.header.storeID == header.storeID, view.header.generation > header.generation,
            let witness, let mark = try view.mark()
        else { return false }
        return witness.sequence >= mark.completeSince
            && mark.checksum(ofCommit: witness.sequence) == witness.checksum
    }

    private mutating func handOut(
        _ content: FrameContent, _ body: (Event) throws -> Void
    ) throws {
        let isHeaderGone = content.damage.contains { $0.cause == .badHeader }
        let isCopied = content.header.flags.contains(.compacted)
        if isHeaderGone {
            last = nil
            if !isCopied { witness = nil }
        } else {
            try walker.source.withBytes(content.offset..<content.end) { bytes in
                note(content.offset, content.header, mark: { content.mark(bytes) })
            }
        }
        for damage in content.damage { try body(.damage(damage)) }
        guard !content.header.flags.contains(.quiet) else { return }
        let records = try walker.source.withBytes(content.offset..<content.end) { bytes in
            content.storedRecords(bytes, of: [.put, .delete, .syncState])
        }.filter { !isCopied || $0.sequence > knownSequence }
        if !records.isEmpty { try body(.records(records)) }
    }

    /// Notes the frame that stands last. The frame that closes a log is none of its commits: the new
    /// log gives out its sequence once more.
    private mutating func note(
        _ offset: UInt64, _ frame: FrameHeader, mark: () throws -> MarkContent?
    ) rethrows {
        last = (offset, frame)
        if frame.flags.contains(.mark) {
            guard let mark = try mark(), let checksum = mark.checksum(ofCommit: mark.lastSequence)
            else { return witness = nil }
            witness = Witness(sequence: mark.lastSequence, checksum: checksum)
        } else if frame.flags.isDisjoint(with: [.compacted, .closing]) {
            witness = Witness(sequence: frame.sequence, checksum: frame.checksum)
        }
    }
}

extension FrameContent {
    /// What the frame that is the mark says; nil for any other, or where it cannot be read.
    fileprivate func mark(_ bytes: RawSpan) -> MarkContent? {
        guard let record = records.first(where: { $0.recordKey(bytes) == .mark }) else {
            return nil
        }
        do throws(FormatError) {
            return try MarkContent.decode(bytes.extracting(record.value))
        } catch {
            return nil
        }
    }

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
