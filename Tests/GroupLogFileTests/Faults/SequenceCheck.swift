import GroupLogFormat
import Testing

@testable import GroupLogFile

/// What must hold of a store that a sequence, or an end of it at any moment, has left.
struct SequenceCheck {
    var progress: StoreSequence.Progress
    /// What may be there.
    var models: Set<StoreModel>
    /// Whether frames may be damaged that were not acknowledged.
    var mayBeDamaged: Bool
    /// Whether a recovery may have ended while it wrote to quarantine, and left a part of a file.
    var mayBeHalfQuarantined = false
    var comment: Comment

    /// What is thrown is an issue too, and says where it was.
    func check(_ volume: FaultyVolume) {
        do { try checkAll(volume) } catch { Issue.record("\(error), \(comment)") }
    }

    private func checkAll(_ volume: FaultyVolume) throws {
        let reader = try LogReader(volume, mapping: .never)
        var model = StoreModel(items: try reader.items())
        #expect(models.contains(model), comment)
        checkReceipt(reader)

        let after = StoreChange("after", "after")
        let commit = try volume.writer().appendDurably([StoreChange.frame([after])])
        #expect(commit.frames.allSatisfy { $0.sequence > progress.sequence }, comment)
        model.apply([after])
        #expect(try volume.model() == model, comment)
        try checkQuarantine(volume, reader.header)

        let isDamaged = try !LogReader(volume, mapping: .never).receipt.entries.isEmpty
        #expect(mayBeDamaged || !isDamaged, comment)
        try volume.compact(nil, .init(discardsDamage: isDamaged))
        let compacted = try LogReader(volume, mapping: .never)
        #expect(try StoreModel(items: compacted.items()) == model, comment)
        #expect(compacted.receipt.entries.isEmpty, comment)
        #expect(compacted.receipt.unfinished == nil, comment)
        #expect(compacted.header.generation == reader.header.generation + 1, comment)
        #expect(volume.bytes(of: .newLog) == nil, comment)
    }

    /// Damage, and what is unfinished, lies behind all that was acknowledged.
    private func checkReceipt(_ reader: LogReader) {
        let generation = reader.header.generation
        #expect(generation >= progress.generation, comment)
        var ranges = reader.receipt.entries.map(\.damage.range)
        #expect(mayBeDamaged || ranges.isEmpty, comment)
        if let unfinished = reader.receipt.unfinished { ranges.append(unfinished) }
        #expect(ranges.allSatisfy { isBehindAcknowledged($0, generation, reader) }, comment)
    }

    private func isBehindAcknowledged(
        _ range: Range<UInt64>, _ generation: UInt64, _ reader: LogReader
    ) -> Bool {
        // A later log than that of the last acknowledgement is whole up to its mark.
        let end = generation == progress.generation ? progress.end : reader.index.mark ?? 0
        return range.lowerBound >= end
    }

    private func log(
        of entry: Quarantine.Entry, in quarantine: Quarantine
    ) throws -> (header: LogHeader, image: LogImage)? {
        do {
            return try quarantine.log(of: entry)
        } catch is FormatError where mayBeHalfQuarantined {
            return nil
        }
    }

    /// Recovery has taken away nothing that was acknowledged, and no whole frame.
    private func checkQuarantine(_ volume: FaultyVolume, _ header: LogHeader) throws {
        let quarantine = Quarantine(volume)
        for entry in try quarantine.entries() {
            #expect(entry.generation == header.generation, comment)
            if entry.generation == progress.generation {
                #expect(entry.offset >= progress.end, comment)
            }
            guard let (header, image) = try log(of: entry, in: quarantine) else { continue }
            var walker = LogWalker(
                BufferedLogBytes(image), salt: header.salt, from: entry.offset)
            walk: while true {
                switch try walker.next() {
                case .frame(let content):
                    #expect(!content.damage.isEmpty, "a whole frame is in quarantine, \(comment)")
                case .damage: continue
                case .unfinished, .end: break walk
                }
            }
        }
    }
}

extension StoreVolume {
    fileprivate func model() throws -> StoreModel {
        StoreModel(items: try LogReader(self, mapping: .never).items())
    }
}
