import GroupLogFormat
import TestSupport
import Testing

@testable import GroupLogFile

@Suite("The table of offsets")
struct KeyTableTests {
    /// What a table should say, kept the simplest way: of each key the hash, the offset and whether it
    /// was deleted, in the order in which the keys came to be.
    private struct Model {
        var keys: [(key: UInt64, hash: UInt32, offset: UInt64, isDeleted: Bool)] = []

        mutating func set(_ key: UInt64, _ hash: UInt32, _ offset: UInt64, isDeleted: Bool) {
            guard let place = keys.firstIndex(where: { $0.key == key }) else {
                return keys.append((key, hash, offset, isDeleted))
            }
            let wasDeleted = keys[place].isDeleted
            keys[place] = (key, hash, offset, isDeleted)
            // A key that comes back begins a new life, behind all others.
            if wasDeleted && !isDeleted { keys.append(keys.remove(at: place)) }
        }

        var live: [UInt64] { keys.filter { !$0.isDeleted }.map(\.offset) }
    }

    /// Half of the hashes are of a few, so that keys share slots and what slots tell of a hash.
    @Test("a table says of each key what was said of it last, in order of creation")
    func table() {
        let seed = UInt64.random(in: 0...UInt64.max)
        let comment: Comment = "seed \(seed)"
        var random = SeededGenerator(seed: seed)
        for _ in 0..<8 {
            var model = Model()
            var table = KeyTable()
            var keyAt: [UInt64: UInt64] = [:]
            let mask = UInt32.random(in: 0..<16, using: &random)
            for step in 1...3000 as ClosedRange<UInt64> {
                let key = UInt64.random(in: 0..<150, using: &random)
                let kept: UInt32 = key < 75 ? 0xFF_0000 | mask : 0xFF_FFFF
                let hash = UInt32(truncatingIfNeeded: key &* 0x9E37_79B9) & kept
                let isDeleted = UInt32.random(in: 0..<3, using: &random) == 0
                if step % 50 == 0 { table.prefetchSlots(of: model.keys.map(\.hash)) }
                keyAt[step] = key
                table.set(hash: hash, offset: step, isDeleted: isDeleted) { keyAt[$0] == key }
                model.set(key, hash, step, isDeleted: isDeleted)
                let found = table.find(hash: hash) { keyAt[$0] == key }
                #expect(found == (isDeleted ? .deleted(step) : .live(step)), comment)
            }
            #expect(table.liveCount == model.live.count, comment)
            #expect(table.liveOffsets == model.live, comment)
            var backward: [UInt64] = []
            table.forEachLiveOffsetBackward { backward.append($0) }
            #expect(backward == model.live.reversed(), comment)
            for entry in model.keys {
                let found = table.find(hash: entry.hash) { keyAt[$0] == entry.key }
                let offset = entry.offset
                #expect(found == (entry.isDeleted ? .deleted(offset) : .live(offset)), comment)
            }
            #expect(table.find(hash: 3) { _ in false } == .absent, comment)
        }
    }
}
