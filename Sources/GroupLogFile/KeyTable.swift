import GroupLogFormat
import GroupLogSystem

/// Where the newest record of each key of one collection stands: 16 bytes a key, keys not
/// included, those are compared in the log.
///
/// Invariants: `entries` is in the order in which the keys came to be, so that it is also the order
/// of creation; an entry that was replaced in another place is 0; each slot that is not empty
/// names an entry that is not 0; at most three quarters of the slots are taken.
package struct KeyTable: Sendable {
    /// An entry: 24 bits of the key's hash, one bit for "deleted", 39 bits of offset.
    private struct Entry: Sendable {
        var bits: UInt64
        init(hash: UInt32, offset: UInt64, isDeleted: Bool) {
            bits = UInt64(hash) << 40 | (isDeleted ? 1 << 39 : 0) | offset
        }
        init(bits: UInt64) { self.bits = bits }
        var hash: UInt32 { UInt32(bits >> 40) }
        var isDeleted: Bool { bits & (1 << 39) != 0 }
        var offset: UInt64 { bits & KeyTable.maximumOffset }
    }

    /// The largest offset that an entry can hold, and so the largest log: 512 GiB.
    package static let maximumOffset: UInt64 = (1 << 39) - 1

    /// What the log says of a key.
    package enum Lookup: Hashable, Sendable {
        case absent
        /// The newest record is a put, at this offset.
        case live(UInt64)
        /// The newest record is a delete, at this offset.
        case deleted(UInt64)
    }

    private var entries: [UInt64] = []
    /// In the low bits of a slot the index of an entry plus one, above them as much of the key's hash as
    /// there is room for; 0 is an empty slot. Keys that are looked for in the same slots mostly differ
    /// in that, so that nearly only the right entry is looked at: each look at another is a miss of the
    /// processor's caches.
    private var slots: [UInt32] = []
    /// How many keys have a value.
    package private(set) var liveCount = 0

    package init() {}

    /// The newest record of a key. `matches` compares the key of the record at an offset.
    package func find(
        hash: UInt32, matches: (UInt64) throws -> Bool
    ) rethrows -> Lookup {
        guard let slot = try slot(hash: hash, matches: matches) else { return .absent }
        let entry = Entry(bits: entries[entryIndex(inSlot: slot)])
        return entry.isDeleted ? .deleted(entry.offset) : .live(entry.offset)
    }

    /// Notes a key's newest record, and gives what there was before.
    @discardableResult
    package mutating func set(
        hash: UInt32, offset: UInt64, isDeleted: Bool, matches: (UInt64) throws -> Bool
    ) rethrows -> Lookup {
        precondition(offset <= Self.maximumOffset, "the caller has checked the log's size")
        let new = Entry(hash: hash, offset: offset, isDeleted: isDeleted)
        var before = Lookup.absent
        if let slot = try slot(hash: hash, matches: matches) {
            let index = entryIndex(inSlot: slot)
            let old = Entry(bits: entries[index])
            before = old.isDeleted ? .deleted(old.offset) : .live(old.offset)
            if !old.isDeleted { liveCount -= 1 }
            if old.isDeleted && !isDeleted {
                // The key begins a new life, and takes its place in the order of creation.
                entries[index] = 0
                entries.append(new.bits)
                slots[slot] = slotBits(index: entries.count - 1, hash: hash)
                // A quarter of the entries or more is 0 by now.
                if entries.count > slots.count { grow() }
            } else {
                entries[index] = new.bits
            }
        } else {
            if (entries.count + 1) * 4 > slots.count * 3 { grow() }
            entries.append(new.bits)
            insert(index: entries.count - 1, hash: hash)
        }
        if !isDeleted { liveCount += 1 }
        return before
    }

    /// Has the slots of keys fetched that will be set next, all at once: in a large table each is a
    /// miss of the processor's caches, and one by one these take half of the time in which a log is
    /// read.
    package func prefetchSlots(of hashes: [UInt32]) {
        guard !slots.isEmpty else { return }
        prefetch(slots, at: hashes.map { firstSlot($0) })
    }

    /// Visits the offsets of the newest records of all keys that have a value, in order of creation.
    package func forEachLiveOffset(_ visit: (UInt64) throws -> Void) rethrows {
        try forEachOffset(isDeleted: false, visit)
    }

    /// The same, the key that was created last first.
    package func forEachLiveOffsetBackward(_ visit: (UInt64) throws -> Void) rethrows {
        for bits in entries.reversed() where bits != 0 {
            let entry = Entry(bits: bits)
            if !entry.isDeleted { try visit(entry.offset) }
        }
    }

    /// Visits the offsets of the newest records of all keys that were deleted.
    package func forEachDeletedOffset(_ visit: (UInt64) throws -> Void) rethrows {
        try forEachOffset(isDeleted: true, visit)
    }

    private func forEachOffset(
        isDeleted: Bool, _ visit: (UInt64) throws -> Void
    ) rethrows {
        for bits in entries where bits != 0 {
            let entry = Entry(bits: bits)
            if entry.isDeleted == isDeleted { try visit(entry.offset) }
        }
    }

    private func slot(hash: UInt32, matches: (UInt64) throws -> Bool) rethrows -> Int? {
        guard !slots.isEmpty else { return nil }
        let shift = indexBits
        let tag = Self.tag(of: hash) << shift
        var slot = firstSlot(hash)
        while slots[slot] != 0 {
            if (slots[slot] ^ tag) >> shift == 0 {
                let entry = Entry(bits: entries[entryIndex(inSlot: slot)])
                if entry.hash == hash, try matches(entry.offset) { return slot }
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    /// How many bits of a slot name an entry: an index plus one is at most one more than the number
    /// of slots.
    private var indexBits: UInt32 { UInt32(slots.count.trailingZeroBitCount + 1) }

    private func slotBits(index: Int, hash: UInt32) -> UInt32 {
        UInt32(index + 1) | Self.tag(of: hash) << indexBits
    }

    /// What a slot tells of a hash, the lowest bits of this first. Of keys with different first slots
    /// the lowest bits of the hash differ, of those with the same one only the highest can.
    private static func tag(of hash: UInt32) -> UInt32 { hash ^ hash >> 14 }

    private func entryIndex(inSlot slot: Int) -> Int {
        Int(slots[slot] & ~(UInt32.max << indexBits)) - 1
    }

    private func firstSlot(_ hash: UInt32) -> Int {
        let bits = slots.count.trailingZeroBitCount
        return bits <= 24 ? Int(hash) & (slots.count - 1) : Int(hash) << (bits - 24)
    }

    private mutating func insert(index: Int, hash: UInt32) {
        var slot = firstSlot(hash)
        while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = slotBits(index: index, hash: hash)
    }

    private mutating func grow() {
        entries.removeAll { $0 == 0 }
        let count = max(16, slots.count)
        slots = Array(
            repeating: 0, count: (entries.count + 1) * 2 > count ? count * 2 : count)
        for index in entries.indices {
            insert(index: index, hash: Entry(bits: entries[index]).hash)
        }
    }

    /// The 24-bit hash of a key. The seed is random in each process, so that nobody can choose keys
    /// that collide.
    package static func hash(kind: UInt8, _ key: RawSpan) -> UInt32 {
        let multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15
        var state = (seed ^ UInt64(kind)) &* multiplier
        var offset = 0
        while offset + 8 <= key.byteCount {
            state = mix(state ^ key.integer(at: offset), multiplier)
            offset += 8
        }
        var rest: UInt64 = UInt64(key.byteCount) << 56
        while offset < key.byteCount {
            rest = rest << 8 | UInt64(key.integer(at: offset, as: UInt8.self))
            offset += 1
        }
        state = mix(state ^ rest, multiplier)
        return UInt32(truncatingIfNeeded: mix(state, seed | 1) >> 40)
    }

    private static let seed = UInt64.random(in: .min ... .max)

    private static func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let product = a.multipliedFullWidth(by: b)
        return product.high ^ product.low
    }
}
