import GroupLogFormat
import GroupLogSystem
import TestSupport
import Testing

@testable import GroupLogFile

/// Bits are flipped and blocks zeroed, doubled and swapped, everywhere in logs of all kinds. Nothing
/// wrong is ever read, at most what was touched is missing (`OriginalLog.mayBeLost` says what that
/// is), and the receipt names the place.
@Suite struct HarmTests {
    enum Kind: CaseIterable {
        case mixed, imported, compacted

        func original() throws -> OriginalLog {
            switch self {
            case .mixed: try OriginalLog(MixedLog().volume)
            case .imported: try OriginalLog(importedLog())
            case .compacted: try OriginalLog(compactedLog())
            }
        }
    }

    /// Does harm, and reads; puts what was harmed back. Gives how many records were lost at most.
    private func check(_ harms: some Sequence<Harm>, to original: OriginalLog) throws -> Int {
        let volume = try original.volume()
        let log = try volume.open(.log, .readWrite, .never)
        var (number, most) = (0, 0)
        for harm in harms where !harm.places.isEmpty {
            try harm.apply(to: log)
            let harmed = try HarmedLog(original, harm, in: volume)
            let faults = try harmed.faults(isThorough: number % (isFull ? 64 : 8) == 0)
            #expect(faults == [])
            most = max(most, original.records.count - harmed.reader.index.recordCount)
            try harm.undo(in: log, to: original.bytes)
            number += 1
        }
        return most
    }

    @Test(
        "a bit flipped anywhere costs at most the record or the transaction that it is in, and is reported",
        arguments: Kind.allCases)
    func bits(_ kind: Kind) throws {
        let original = try kind.original()
        let count = original.bytes.count * 8
        // A step without a factor of 8 meets each bit of a byte.
        let step = isFull ? 1 : count / 70 | 1
        let bits = stride(from: isFull ? 0 : .random(in: 0..<step), to: count, by: step)
        let most = try check(bits.lazy.map { Harm.flip(bit: $0, of: original.bytes) }, to: original)
        if kind != .mixed { #expect(most == 1) }
    }

    @Test(
        "a bit flipped in what frames are found and read by costs no record of an independent frame",
        arguments: [Kind.imported, .compacted])
    func bitsOfFrames(_ kind: Kind) throws {
        let original = try kind.original()
        for frame in original.frames {
            guard let (front, back) = frame.ends else { continue }
            for range in [front, back] {
                let bits = stride(
                    from: range.lowerBound * 8, to: range.upperBound * 8,
                    by: isFull ? 1 : range.count / 2 | 1)
                let harms = bits.lazy.map { Harm.flip(bit: $0, of: original.bytes) }
                #expect(try check(harms, to: original) == 0)
            }
        }
    }

    @Test(
        "every bit of a compacted log's mark costs nothing but the mark, and no sequence comes again"
    )
    func mark() throws {
        let original = try Kind.compacted.original()
        let mark = try #require(original.frames.last)
        #expect(mark.ends == nil && mark.records.count == 1)
        let last = try #require(original.records.last).content.sequence
        for bit in stride(
            from: mark.range.lowerBound * 8, to: mark.range.upperBound * 8, by: isFull ? 1 : 413)
        {
            let harm = Harm.flip(bit: bit, of: original.bytes)
            #expect(try check([harm], to: original) <= 1)
            let volume = try original.volume(harm, hasLockFile: bit % 2 == 0)
            let (_, commit) = try volume.writer().withLock { try $0.append([frame("new")]) }
            #expect(try #require(commit?.frames.first).sequence > last, "\(harm)")
        }
    }

    @Test(
        "a block zeroed, doubled or swapped costs at most what was touched, and is reported",
        arguments: Kind.allCases, [512, 4096])
    func blocks(_ kind: Kind, size: Int) throws {
        let original = try kind.original()
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let count = original.bytes.count / size
        for number in stride(from: 0, to: count, by: isFull ? 1 : max(1, count / 6)) {
            for _ in 0..<(isFull ? 8 : 1) {
                _ = try check(
                    Harm.blocks(number, size: size, of: original.bytes, &random), to: original)
            }
        }
    }
}
