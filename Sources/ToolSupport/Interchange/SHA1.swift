/// SHA-1 (RFC 3174), which name-based UUIDs of version 5 are defined with; nothing here relies on it to be secret or safe.
struct SHA1 {
    private var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    /// What has been added behind the last whole block.
    private var rest: [UInt8] = []
    private var count: UInt64 = 0

    static func hash(_ message: [UInt8]) -> [UInt8] {
        var hash = SHA1()
        hash.add(message)
        return hash.finished()
    }

    mutating func add(_ message: [UInt8]) {
        count &+= UInt64(message.count)
        rest += message
        var start = 0
        while rest.count - start >= 64 {
            Self.add(block: rest[start..<start + 64], to: &state)
            start += 64
        }
        rest.removeFirst(start)
    }

    consuming func finished() -> [UInt8] {
        let bits = count &* 8
        let zeros = (120 - (rest.count + 1) % 64) % 64
        add([0x80] + [UInt8](repeating: 0, count: zeros) + Self.bigEndianBytes(bits))
        return state.flatMap(Self.bigEndianBytes)
    }

    private static func add(block: ArraySlice<UInt8>, to state: inout [UInt32]) {
        var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { place in
            block[place..<place + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        for place in 16..<80 {
            let word = words[place - 3] ^ words[place - 8] ^ words[place - 14] ^ words[place - 16]
            words.append(word.rotated(by: 1))
        }
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for (round, word) in words.enumerated() {
            let (mixed, constant): (UInt32, UInt32) =
                switch round / 20 {
                case 0: (b & c | ~b & d, 0x5A82_7999)
                case 1: (b ^ c ^ d, 0x6ED9_EBA1)
                case 2: (b & c | b & d | c & d, 0x8F1B_BCDC)
                default: (b ^ c ^ d, 0xCA62_C1D6)
                }
            let next = a.rotated(by: 5) &+ mixed &+ e &+ constant &+ word
            (a, b, c, d, e) = (next, a, b.rotated(by: 30), c, d)
        }
        for (place, value) in [a, b, c, d, e].enumerated() { state[place] &+= value }
    }

    private static func bigEndianBytes<Word: FixedWidthInteger>(_ word: Word) -> [UInt8] {
        stride(from: Word.bitWidth - 8, through: 0, by: -8).map {
            UInt8(truncatingIfNeeded: word >> Word($0))
        }
    }
}

extension UInt32 {
    fileprivate func rotated(by count: UInt32) -> UInt32 {
        self << count | self >> (32 - count)
    }
}
