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
}
