import GroupLogFormat
import GroupLogSystem
import TestSupport

@testable import GroupLogFile

/// Something that happened to the bytes of a log behind everybody's back.
struct Harm: CustomStringConvertible {
    let description: String
    private let changes: [(offset: Int, bytes: [UInt8])]
    /// From the first to the last byte that is not as it was, for each place.
    let places: [Range<Int>]

    private init(
        _ description: String, _ changes: [(offset: Int, bytes: [UInt8])], to log: [UInt8]
    ) {
        self.description = description
        self.changes = changes
        places = changes.compactMap { change in
            let differing = change.bytes.indices.filter {
                log[change.offset + $0] != change.bytes[$0]
            }
            guard let first = differing.first, let last = differing.last else { return nil }
            return change.offset + first..<change.offset + last + 1
        }
    }

    func hits(_ range: Range<Int>) -> Bool { places.contains { $0.overlaps(range) } }

    func apply(to file: any VolumeFile) throws {
        for change in changes { try file.writeAll(change.bytes, at: UInt64(change.offset)) }
    }

    func undo(in file: any VolumeFile, to log: [UInt8]) throws {
        for change in changes {
            let range = change.offset..<change.offset + change.bytes.count
            try file.writeAll(Array(log[range]), at: UInt64(change.offset))
        }
    }

    static func flip(bit: Int, of log: [UInt8]) -> Harm {
        let byte = log[bit / 8] ^ 1 << UInt8(bit % 8)
        return Harm("bit \(bit % 8) of byte \(bit / 8)", [(bit / 8, [byte])], to: log)
    }

    /// All that can become of a block of a disk: zeroed, written over its neighbours or over another
    /// one, swapped with another one.
    static func blocks(
        _ number: Int, size: Int, of log: [UInt8], _ random: inout SeededGenerator
    ) -> [Harm] {
        let count = log.count / size
        func range(_ number: Int) -> Range<Int> { number * size..<(number + 1) * size }
        func copy(_ source: Int, _ target: Int) -> (offset: Int, bytes: [UInt8]) {
            (target * size, Array(log[range(source)]))
        }
        let zeros = [UInt8](repeating: 0, count: size)
        var result = [Harm("block \(range(number)) zeroed", [(number * size, zeros)], to: log)]
        let other = Int.random(in: 0..<count, using: &random)
        for target in [number - 1, number + 1, other] where (0..<count).contains(target) {
            result.append(
                Harm(
                    "block \(range(number)) over \(range(target))", [copy(number, target)], to: log)
            )
        }
        let partner = Int.random(in: 0..<count, using: &random)
        result.append(
            Harm(
                "blocks \(range(number)) and \(range(partner)) swapped",
                [copy(number, partner), copy(partner, number)], to: log))
        return result
    }
}
