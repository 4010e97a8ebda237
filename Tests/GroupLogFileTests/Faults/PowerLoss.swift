import GroupLogFormat
import TestSupport

@testable import GroupLogFile

extension FaultyDisk.Loss {
    /// What can become of the same unsynced changes: none are kept, or only the names, or the first
    /// writes; and of each page some. The seed brings the last ones back.
    static func several(
        firsts: ClosedRange<Int> = 1...2, pageSizes: [Int], seed: UInt64
    ) -> [FaultyDisk.Loss] {
        let ordered = [.all, .allButNames] + firsts.map { FaultyDisk.Loss.allBut(first: $0) }
        let reordered = pageSizes.enumerated().map { place, size in
            let seed = seed &+ UInt64(place)
            return FaultyDisk.Loss.pages(size: size, SeededGenerator(seed: seed))
        }
        return ordered + reordered
    }

    /// Whether what is kept of a file is what was written first.
    var keepsOrder: Bool {
        if case .pages = self { false } else { true }
    }
}

extension FaultyVolume {
    /// What a power loss has left, as it is found after another start of the system.
    convenience init(restartedOn disk: FaultyDisk) throws {
        self.init(disk)
        guard let bytes = bytes(of: .lock), var page = unsafe LockPage.decode(bytes.span.bytes)
        else { return }
        page.bootID = [UInt8](repeating: 7, count: 16)
        try setBytes(page.encoded() + bytes.dropFirst(LockPage.size), of: .lock)
    }
}

extension FaultyDisk {
    /// How many changes of a file, or of the names, no sync has made durable, at most.
    var unsyncedCount: Int {
        inodes.values.map(\.unsynced.count).reduce(nameStates.count - 1, max)
    }

    /// Tells what the files hold from what they hold at other moments.
    var digest: [String: [UInt64]] {
        names.mapValues { number in
            let bytes = inodes[number]?.live ?? []
            return [UInt64(bytes.count), UInt64(Checksum.crc32c(unsafe bytes.span.bytes))]
        }
    }
}
