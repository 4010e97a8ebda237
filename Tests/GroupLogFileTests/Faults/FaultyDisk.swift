import TestSupport
/// What a disk holds: the files as every process sees them, and what a power loss would leave.
///
/// A value, so that a test keeps one for each moment. Inodes hold bytes, names lead to inodes; each
/// of the two is made durable by a sync of its own.
struct FaultyDisk: Sendable {
    struct Inode: Sendable {
        var live: [UInt8] = []
        var durable: [UInt8] = []
        /// The writes since the last sync, in order.
        var unsynced: [(offset: Int, bytes: [UInt8])] = []
        var changes: Int64 = 0

        mutating func write(_ bytes: [UInt8], at offset: Int) {
            Self.put(bytes[...], at: offset, into: &live)
            unsynced.append((offset, bytes))
            changes += 1
        }

        mutating func empty() {
            live = []
            durable = []
            unsynced = []
            changes += 1
        }

        /// Not `durable = live`: what a failed sync has dropped stays lost.
        mutating func synchronize() {
            for write in unsynced {
                Self.put(write.bytes[...], at: write.offset, into: &durable)
            }
            unsynced = []
        }

        static func put(_ bytes: ArraySlice<UInt8>, at offset: Int, into target: inout [UInt8]) {
            let end = offset + bytes.count
            if target.count < end { target += [UInt8](repeating: 0, count: end - target.count) }
            // As one piece: byte by byte, as collections do it without optimisation, the disk would
            // take most of the time of the tests.
            unsafe target.withUnsafeMutableBytes { target in
                unsafe bytes.withUnsafeBytes { bytes in
                    unsafe UnsafeMutableRawBufferPointer(rebasing: target[offset..<end])
                        .copyMemory(from: bytes)
                }
            }
        }
    }

    /// What becomes of the writes that no sync has made durable.
    enum Loss: Sendable {
        /// None of them reached the disk.
        case all
        /// Only the names did: a file that was renamed before it was synced is empty.
        case allButNames
        /// So many of each file did, the first ones.
        case allBut(first: Int)
        /// Every page is in the state after some of its writes, whatever the others are in, and the
        /// size of the file is another such matter.
        case pages(size: Int, SeededGenerator)
    }

    var inodes: [Int: Inode] = [:]
    var names: [String: Int] = [:] {
        didSet { nameStates.append(names) }
    }
    /// What the names were since their last sync, the durable state first.
    private(set) var nameStates: [[String: Int]] = [[:]]

    mutating func synchronizeNames(where isIncluded: (String) -> Bool) {
        var durable = nameStates[0].filter { !isIncluded($0.key) }
        durable.merge(names.filter { isIncluded($0.key) }) { $1 }
        nameStates = durable == names ? [durable] : [durable, names]
    }

    /// The disk after a power loss.
    func afterPowerLoss(_ loss: Loss) -> FaultyDisk {
        var disk = FaultyDisk()
        var random = SeededGenerator(seed: 1)
        switch loss {
        case .all: disk.names = nameStates[0]
        case .allButNames: disk.names = names
        case .allBut(let first): disk.names = nameStates[min(first, nameStates.count - 1)]
        case .pages(_, let generator):
            random = generator
            disk.names = nameStates[Int.random(in: 0..<nameStates.count, using: &random)]
        }
        disk.nameStates = [disk.names]
        for number in Set(disk.names.values).sorted() {
            guard let inode = inodes[number] else { continue }
            let bytes = inode.afterPowerLoss(loss, &random)
            disk.inodes[number] = Inode(live: bytes, durable: bytes)
        }
        return disk
    }
}

extension FaultyDisk.Inode {
    fileprivate func afterPowerLoss(
        _ loss: FaultyDisk.Loss, _ random: inout SeededGenerator
    ) -> [UInt8] {
        var bytes = durable
        switch loss {
        case .all, .allButNames: break
        case .allBut(let first):
            for write in unsynced.prefix(first) {
                Self.put(write.bytes[...], at: write.offset, into: &bytes)
            }
        case .pages(let size, _):
            var reached: [Int: Int] = [:]
            for (index, write) in unsynced.enumerated() {
                var start = 0
                while start < write.bytes.count {
                    let page = (write.offset + start) / size
                    let end = min(write.bytes.count, (page + 1) * size - write.offset)
                    let limit =
                        reached[page] ?? Int.random(in: 0...unsynced.count, using: &random)
                    reached[page] = limit
                    if index < limit {
                        Self.put(write.bytes[start..<end], at: write.offset + start, into: &bytes)
                    }
                    start = end
                }
            }
            // Files only grow, so the size is one that the file had.
            let count = Int.random(in: 0...unsynced.count, using: &random)
            let length = unsynced.prefix(count).map { $0.offset + $0.bytes.count }
                .reduce(durable.count, max)
            bytes = Array(bytes.prefix(length))
            bytes += [UInt8](repeating: 0, count: length - bytes.count)
        }
        return bytes
    }
}
