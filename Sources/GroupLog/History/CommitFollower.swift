import GroupLogFile
package import GroupLogFormat

/// Gives out the commits of a store, each once and in order, as they come.
///
/// `look` takes up the store as it is now, which costs one stat and a look at some bytes where nothing
/// is new; `next` gives out, a frame at a time, what the last look found.
///
/// Invariant: what stands before `walker.position` was given out or waits in `found`, or was there
/// before the start. A frame is given out when it is whole, so the follower never gets ahead of the
/// store's own view. That the log is still the one that was walked is proven as for every reader: by
/// its header, and by the last frame at its place. A log that was compacted is gone through to its end,
/// and the new one goes on behind the last commit; that both tell the same is proven by the mark.
package struct CommitFollower {
    /// Where following begins.
    package enum Start: Hashable, Sendable {
        /// With what is committed from now on.
        case now
        /// With the first commit that the log still has.
        case firstCommit
        /// With the first commit behind this place.
        case after(HistoryToken)
    }

    /// What is given out.
    package enum Event: Sendable {
        case commit(HistoryCommit)
        /// Bytes that are not accepted, where commits may be missing.
        case damage(Damage)
        /// Another log stands in the place of the one that was followed. Its commits follow, from
        /// the first one on.
        case replaced(LogHeader)
    }

    private let store: Store
    private var header: LogHeader
    private var walker: LogWalker<BufferedLogBytes>
    private var image: LogImage
    /// How far the log is walked before the next look.
    private var end: UInt64
    /// Independent frames of the log that may have to be served by their spare.
    private var rescuedFrames: [UInt64: Int] = [:]
    /// The last frame before the walker's position; nil where there is none that proves anything.
    private var last: (offset: UInt64, header: FrameHeader)?
    /// The log's mark, as long as copied records are given out.
    private var mark: MarkContent?
    /// Copied records up to this sequence were given out, or were there before.
    private var knownSequence: UInt64 = 0
    /// Changes of the copied commit that may go on in the next frame.
    private var unfinished: [Change] = []
    /// What was found and not given out yet, the next one last.
    private var found: [Event] = []
    /// The log that has taken the place of this one, which is told to its end first.
    private var successor: StoreView?
    /// The place behind the last commit that was found; nil where its checksum is not known.
    private var witness: HistoryToken?
    /// The last place that was known, which is where to resume.
    package private(set) var token: HistoryToken

    /// Begins to follow a store. Reads what is there, as each first view of a store does.
    ///
    /// - Throws: `StoreError`, for a token as `Store.forEachCommit` does.
    package init(_ store: Store, from start: Start) throws {
        let view = try store.view()
        let place = try StoreError.translating(view.path) {
            switch start {
            case .firstCommit: try view.firstPlace()
            case .now: try view.currentPlace()
            case .after(let token): try view.place(behind: token)
            }
        }
        self.init(store, view, at: place, token: try place.token ?? view.token())
    }

    private init(
        _ store: Store, _ view: StoreView, at place: HistoryPlace, token: HistoryToken
    ) {
        self.store = store
        header = view.header
        image = view.image
        end = view.end
        rescuedFrames = view.index.rescuedFrames
        last = place.last
        mark = place.mark
        knownSequence = place.knownSequence
        witness = place.token
        self.token = token
        walker = LogWalker(
            BufferedLogBytes(view.image), salt: view.header.salt, from: place.offset,
            lastSequence: place.last?.header.sequence)
    }

    /// Looks once, and hands out what came since the last look.
    ///
    /// - Throws: `StoreError`, also for a log that is just being replaced in place: the next look
    ///   goes on. What `body` throws; what it was given counts as handed out.
    package mutating func poll(_ body: (Event) throws -> Void) throws {
        try look()
        while let event = try next() { try body(event) }
    }

    /// Takes up what came since the last look. Does nothing while a log that was replaced is still
    /// told to its end.
    ///
    /// - Throws: `StoreError`, also for a log that is just being replaced in place.
    package mutating func look() throws {
        guard successor == nil else { return }
        let view = try store.view()
        try StoreError.translating(view.path) {
            guard try isReplaced(in: view) else {
                guard walker.position < view.end else { return }
                return take(view)
            }
            if try !beginFinishing() { return try begin(view) }
            successor = view
        }
    }

    /// The next of what the last look found; nil where that is all.
    ///
    /// - Throws: `StoreError`; the next look goes on.
    package mutating func next() throws -> Event? {
        try StoreError.translating(store.path) {
            while true {
                if let event = found.popLast() { return event }
                if try walker.position < end && step() { continue }
                guard let view = successor else { return nil }
                successor = nil
                try begin(view)
            }
        }
    }

    private mutating func take(_ view: StoreView) {
        image = view.image
        end = view.end
        rescuedFrames = view.index.rescuedFrames
        walker.source = BufferedLogBytes(view.image)
    }

    /// Walks one step; gives false where nothing more can be walked.
    private mutating func step() throws -> Bool {
        switch try walker.next() {
        case .frame(let content): try take(content)
        case .damage(let damage):
            // The old file is told as far as it is whole.
            if successor != nil { return false }
            found = [.damage(damage)]
        case .unfinished, .end: return false
        }
        return true
    }

    private func isReplaced(in view: StoreView) throws -> Bool {
        guard view.header.salt == walker.salt, view.end >= walker.position else { return true }
        guard let last else { return false }
        return try view.image.frameHeader(at: last.offset, salt: walker.salt) != last.header
    }

    /// Begins to tell what was committed to the old log between the last look and its replacement:
    /// its file lives on for those who have it open. Gives false for one that was overwritten, which
    /// lacks the last frame.
    private mutating func beginFinishing() throws -> Bool {
        image = try image.grown()
        guard let last,
            try image.frameHeader(at: last.offset, salt: walker.salt) == last.header
        else { return false }
        walker.source = BufferedLogBytes(image)
        end = image.size
        return true
    }

    /// Begins with a log that stands in the place of the one before: behind the last commit that was
    /// found, if it was compacted from that one, or else with its first.
    private mutating func begin(_ view: StoreView) throws {
        if var place = try placeToGoOn(in: view) {
            place.knownSequence = max(place.knownSequence, knownSequence)
            self = CommitFollower(store, view, at: place, token: token)
        } else {
            self = CommitFollower(
                store, view, at: try view.firstPlace(), token: .beginning(of: view.header.storeID))
            found = [.replaced(view.header)]
        }
    }

    /// The place behind the last commit in a log that was made of this one; nil where it was not, or
    /// does not have all that was committed since.
    private func placeToGoOn(in view: StoreView) throws -> HistoryPlace? {
        guard view.header.generation > header.generation, let witness else { return nil }
        do {
            return try view.place(behind: witness)
        } catch let error as StoreError where error.code.isOfHistory {
            return nil
        }
    }

    // MARK: Frames

    private mutating func take(_ content: FrameContent) throws {
        let isCopied = content.header.flags.contains(.compacted)
        var events: [Event] = []
        if !isCopied { finishCopiedCommit(&events) }
        events += content.damage.map(Event.damage)
        let (records, markBehind) = try walker.source.withBytes(content.offset..<content.end) {
            (content.storedRecords($0, of: [.put, .delete, .syncState]), content.mark($0))
        }
        if isCopied {
            for record in records where record.sequence > knownSequence {
                if unfinished.last.map({ $0.sequence != record.sequence }) ?? false {
                    finishCopiedCommit(&events)
                }
                unfinished.append(try change(record))
            }
            if content.header.flags.contains(.mark) { finishCopiedCommit(&events) }
        }
        note(content, markBehind)
        if !isCopied && !content.header.flags.contains(.quiet) && !records.isEmpty {
            events.append(
                .commit(
                    HistoryCommit(
                        sequence: content.header.sequence, changes: try records.map(change),
                        isCoalesced: false, token: token)))
        }
        found = events.reversed()
    }

    private func change(_ record: StoredRecord) throws -> Change {
        try Change(record, knownSequence: mark == nil ? nil : knownSequence) { record in
            var contexts = FrameContexts()
            contexts.rescued = rescuedFrames
            return try image.predecessor(of: record, salt: walker.salt, contexts: &contexts)
        }
    }

    /// What was one commit may be spread over several frames of a compaction.
    private mutating func finishCopiedCommit(_ events: inout [Event]) {
        guard let sequence = unfinished.last?.sequence else { return }
        knownSequence = max(knownSequence, sequence)
        if let checksum = mark?.checksum(ofCommit: sequence) {
            token = HistoryToken(
                storeID: header.storeID, sequence: sequence, checksum: checksum)
            witness = token
        }
        events.append(
            .commit(
                HistoryCommit(
                    sequence: sequence, changes: unfinished, isCoalesced: true, token: token)))
        unfinished = []
    }

    /// Notes the frame that stands last. The frame that closes a log is none of its commits: the new
    /// log gives out its sequence once more.
    private mutating func note(_ content: FrameContent, _ markBehind: MarkContent?) {
        let frame = content.header
        let isHeaderGone = content.damage.contains { $0.cause == .badHeader }
        last = isHeaderGone ? nil : (content.offset, frame)
        if frame.flags.contains(.mark) {
            mark = nil
            witness = markBehind.flatMap { HistoryToken(lastOf: $0, storeID: header.storeID) }
        } else if frame.flags.isDisjoint(with: [.compacted, .closing]) {
            mark = nil
            witness =
                isHeaderGone ? nil : HistoryToken(frame, storeID: header.storeID)
        }
        if let witness { token = witness }
    }
}

extension FrameContent {
    /// What the frame that is the mark says; nil for any other, or where it cannot be read.
    fileprivate func mark(_ bytes: RawSpan) -> MarkContent? {
        guard header.flags.contains(.mark),
            let record = records.first(where: { $0.recordKey(bytes) == .mark })
        else { return nil }
        do throws(FormatError) {
            return try MarkContent.decode(bytes.extracting(record.value))
        } catch {
            return nil
        }
    }

    /// The frame's records of some kinds, without those whose key or provenance is malformed.
    func storedRecords(_ bytes: RawSpan, of kinds: [RecordKind]) -> [StoredRecord] {
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
