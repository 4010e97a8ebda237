import GroupLogFile
import GroupLogFormat

/// A place in the history, found in one log: from where to walk, and what is known there.
struct HistoryPlace {
    /// Where the walk begins.
    var offset: UInt64
    /// The frame before; nil where there is none that proves anything.
    var last: (offset: UInt64, header: FrameHeader)?
    /// Of what a compaction has copied, records up to this sequence are known.
    var knownSequence: UInt64 = 0
    /// The log's mark, where the walk begins among what was copied.
    var mark: MarkContent?
    /// The place; nil where the checksum of its commit is not known.
    var token: HistoryToken?

    init(offset: UInt64) { self.offset = offset }
}

extension HistoryToken {
    /// The place behind a commit.
    init(_ frame: FrameHeader, storeID: StoreID) {
        self.init(storeID: storeID, sequence: frame.sequence, checksum: frame.checksum)
    }

    /// The place behind all that a log was compacted from; nil where the mark does not know the last
    /// commit's checksum.
    init?(lastOf mark: MarkContent, storeID: StoreID) {
        guard let checksum = mark.checksum(ofCommit: mark.lastSequence) else { return nil }
        self.init(storeID: storeID, sequence: mark.lastSequence, checksum: checksum)
    }
}

extension StoreView {
    /// The place before the first commit that this state of the store has.
    func firstPlace() throws -> HistoryPlace {
        var place = HistoryPlace(offset: LogLayout.firstFrameOffset)
        place.mark = try mark()
        place.token = .beginning(of: header.storeID)
        return place
    }

    /// The place behind all that this state of the store has.
    func currentPlace() throws -> HistoryPlace {
        var place = HistoryPlace(offset: end)
        place.last = try image.provenFrame(endingAt: end, salt: header.salt)
        if let last = place.last {
            place.token = try token(behind: last.header)
        } else if end == LogLayout.firstFrameOffset {
            place.token = .beginning(of: header.storeID)
        }
        return place
    }

    /// The last place of this state of the store that can be named: behind its last commit, or, where
    /// the end of that is damaged, behind an earlier one.
    package func token() throws -> HistoryToken {
        if let token = try currentPlace().token { return token }
        var token = HistoryToken.beginning(of: header.storeID)
        var walker = LogWalker(BufferedLogBytes(image), salt: header.salt)
        while walker.position < end {
            switch try walker.next() {
            case .frame(let content):
                guard !content.damage.contains(where: { $0.cause == .badHeader }) else { continue }
                token = try self.token(behind: content.header) ?? token
            case .damage: continue
            case .unfinished, .end: return token
            }
        }
        return token
    }

    /// The place behind a frame; nil for one that is no commit.
    private func token(behind frame: FrameHeader) throws -> HistoryToken? {
        if frame.flags.contains(.mark) {
            return try mark().flatMap { HistoryToken(lastOf: $0, storeID: header.storeID) }
        }
        return frame.flags.contains(.compacted)
            ? nil : HistoryToken(frame, storeID: header.storeID)
    }

    /// The place that a token names, with all that was committed since still to be told.
    ///
    /// A commit behind the mark is looked for from the end, so that this costs what has come since;
    /// one before it means walking through all that was copied.
    ///
    /// - Throws: `StoreError`, with one of the codes of `StoreError.Code.isOfHistory`.
    func place(behind token: HistoryToken) throws -> HistoryPlace {
        guard token.storeID == header.storeID else {
            throw StoreError(
                .otherStore,
                "the token is one of the store \(token.storeID), and '\(path)' is the store "
                    + "\(header.storeID)", path: path)
        }
        guard token.sequence <= sequence else {
            throw StoreError(
                .historyFuture,
                "the token names commit \(token.sequence), and '\(path)' has come to \(sequence): "
                    + "an older state of it was put back", path: path)
        }
        let mark = try mark()
        if index.mark != nil && mark == nil { throw isTooOld(token) }
        if token.sequence <= mark?.lastSequence ?? 0 { return try place(behind: token, mark) }
        guard let frame = try frame(ofCommit: token.sequence) else { throw hasDiverged(token) }
        guard frame.header.checksum == token.checksum else { throw hasDiverged(token) }
        var place = HistoryPlace(offset: frame.offset + UInt64(frame.header.length))
        place.last = frame
        place.token = token
        return place
    }

    /// The place that a token names among what a compaction has copied, or before the first commit.
    private func place(behind token: HistoryToken, _ mark: MarkContent?) throws -> HistoryPlace {
        if let mark, token.sequence < mark.completeSince { throw isTooOld(token) }
        if token.sequence > 0 {
            let known =
                mark?.checksum(ofCommit: token.sequence)
                ?? mark?.cursors.first { $0.sequence == token.sequence }?.checksum
            guard let known else { throw isTooOld(token) }
            guard known == token.checksum else { throw hasDiverged(token) }
        }
        var place = HistoryPlace(offset: LogLayout.firstFrameOffset)
        place.mark = mark
        place.knownSequence = token.sequence
        place.token = token
        return place
    }

    /// The frame of a commit that was not copied. Goes back frame by frame; where damage stands in
    /// the way, all is walked through from the front.
    private func frame(
        ofCommit sequence: UInt64
    ) throws -> (offset: UInt64, header: FrameHeader)? {
        var end = end
        while let frame = try image.provenFrame(endingAt: end, salt: header.salt) {
            if frame.header.sequence == sequence { return frame }
            if frame.header.sequence < sequence || frame.header.flags.contains(.compacted) {
                return nil
            }
            end = frame.offset
        }
        if end == LogLayout.firstFrameOffset { return nil }
        var walker = LogWalker(BufferedLogBytes(image), salt: header.salt)
        while walker.position < end {
            switch try walker.next() {
            case .frame(let content):
                let isCommit = !content.header.flags.contains(.compacted)
                guard isCommit && content.header.sequence >= sequence else { continue }
                let isWhole = !content.damage.contains { $0.cause == .badHeader }
                return content.header.sequence == sequence && isWhole
                    ? (content.offset, content.header) : nil
            case .damage: continue
            case .unfinished, .end: return nil
            }
        }
        return nil
    }

    private func isTooOld(_ token: HistoryToken) -> StoreError {
        StoreError(
            .historyTooOld,
            "what was committed to '\(path)' since \(token.sequence) was compacted away in part: "
                + "read the records anew, and go on from the token of now", path: path)
    }

    private func hasDiverged(_ token: HistoryToken) -> StoreError {
        StoreError(
            .historyDiverged,
            "commit \(token.sequence) of '\(path)' is not the one that the token names: a backup was "
                + "put back, or the end was lost. Read the records anew", path: path)
    }
}
