private import CGroupLog

/// CRC-32C, plain and seeded (FORMAT.md, "Checksums").
public enum Checksum {
    /// CRC-32C of the bytes, going on from the result of an earlier call.
    public static func crc32c(_ bytes: RawSpan, continuing crc: UInt32 = 0) -> UInt32 {
        unsafe bytes.withUnsafeBytes { unsafe grouplog_crc32c(crc, $0.baseAddress, $0.count) }
    }

    /// CRC-32C of the bytes by the path that every processor has.
    package static func crc32cPortable(_ bytes: RawSpan, continuing crc: UInt32 = 0) -> UInt32 {
        unsafe bytes.withUnsafeBytes {
            unsafe grouplog_crc32c_portable(crc, $0.baseAddress, $0.count)
        }
    }

    /// The state with which a checksum of a structure at this place of this log begins: no other
    /// place and no other log has the same, so bytes that were copied elsewhere do not verify.
    package static func seed(salt: UInt64, offset: UInt64) -> UInt32 {
        unsafe withUnsafeBytes(of: (salt.littleEndian, offset.littleEndian)) { words in
            unsafe grouplog_crc32c(0, words.baseAddress, words.count)
        }
    }

    // MARK: Back from a checksum to where it began

    /// The state with which the checksum of these bytes must have begun to come to this end.
    ///
    /// A CRC is a shift register that forgets nothing, so each of its steps has just one step back.
    static func seed(of bytes: RawSpan, endingWith checksum: UInt32) -> UInt32 {
        var state = ~checksum
        for index in (0..<bytes.byteCount).reversed() {
            state = stepBack(state) ^ UInt32(bytes.integer(at: index, as: UInt8.self))
        }
        return ~state
    }

    /// The offset whose seed this is, among those that have these upper 32 bits.
    static func offset(withSeed seed: UInt32, salt: UInt64, upperBits: UInt32) -> UInt64 {
        let begun =
            ~(unsafe withUnsafeBytes(of: salt.littleEndian) { word in
                unsafe grouplog_crc32c(0, word.baseAddress, word.count)
            })
        var state = ~seed
        for shift in stride(from: UInt32(24), through: 0, by: -8) {
            state = stepBack(state) ^ (upperBits >> shift & 0xFF)
        }
        // Four bytes that go into the register at once are there before the four steps.
        for _ in 0..<4 { state = stepBack(state) }
        return UInt64(upperBits) << 32 | UInt64(state ^ begun)
    }

    /// Undoes the eight shifts of one byte.
    private static func stepBack(_ state: UInt32) -> UInt32 {
        var state = state
        for _ in 0..<8 {
            // Only where the polynomial came in is the highest bit set.
            let hasPolynomial = state & 0x8000_0000 != 0
            state = hasPolynomial ? (state ^ 0x82F6_3B78) << 1 | 1 : state << 1
        }
        return state
    }
}
