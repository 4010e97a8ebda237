import TestSupport
import Testing

@testable import GroupLogFormat

@Suite struct ChecksumTests {
    /// RFC 3720, appendix B.4, and the check value of the catalogue of CRC algorithms.
    static let vectors: [(bytes: [UInt8], checksum: UInt32)] = [
        ([UInt8](repeating: 0, count: 32), 0x8A91_36AA),
        ([UInt8](repeating: 0xFF, count: 32), 0x62A8_AB43),
        (Array(0..<32), 0x46DD_794E),
        ((0..<32).reversed(), 0x113F_DB5C),
        (
            [
                0x01, 0xC0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x14, 0, 0, 0, 0, 0, 0x04, 0,
                0, 0, 0, 0x14, 0, 0, 0, 0x18, 0x28, 0, 0, 0, 0, 0, 0, 0, 0x02, 0, 0, 0, 0, 0, 0, 0,
            ], 0xD996_3A56
        ),
        (Array("123456789".utf8), 0xE306_9283),
    ]

    @Test("the checksum is CRC-32C by all published vectors, with and without the processor's help")
    func published() {
        for (bytes, checksum) in Self.vectors {
            #expect(unsafe Checksum.crc32c(bytes.span.bytes) == checksum)
            #expect(unsafe Checksum.crc32cPortable(bytes.span.bytes) == checksum)
        }
    }

    @Test("both paths agree with the definition at every length up to 200 and every alignment")
    func lengthsAndAlignments() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let bytes = (0..<208).map { _ in UInt8.random(in: 0...255, using: &random) }
        let start = UInt32.random(in: 0...UInt32.max, using: &random)
        for alignment in 0..<8 {
            for length in 0...200 {
                let part = alignment..<alignment + length
                let expected = Self.bitByBit(bytes[part], continuing: start)
                let span = unsafe bytes.span.bytes.extracting(part)
                let note = "\(length) bytes at \(alignment), seed \(seed)"
                #expect(
                    Checksum.crc32c(span, continuing: start) == expected, Comment(rawValue: note))
                #expect(
                    Checksum.crc32cPortable(span, continuing: start) == expected,
                    Comment(rawValue: note))
            }
        }
    }

    @Test("a checksum of two parts is that of the whole, wherever it is parted")
    func parts() {
        let bytes = Array("the quick brown fox jumps over the lazy dog".utf8)
        let whole = unsafe Checksum.crc32c(bytes.span.bytes)
        for cut in 0...bytes.count {
            let front = unsafe Checksum.crc32c(bytes.span.bytes.extracting(0..<cut))
            let back = unsafe bytes.span.bytes.extracting(cut..<bytes.count)
            #expect(Checksum.crc32c(back, continuing: front) == whole)
        }
    }

    @Test("a seed is the checksum of the salt and the offset, and differs from place to place")
    func seeds() {
        let expected = Self.bitByBit(
            [0xEF, 0xCD, 0xAB, 0x89, 0x67, 0x45, 0x23, 0x01, 0x40, 0x10, 0, 0, 0, 0, 0, 0],
            continuing: 0)
        #expect(Checksum.seed(salt: 0x0123_4567_89AB_CDEF, offset: 4160) == expected)
        let seeds = (0..<1000).map { Checksum.seed(salt: 1, offset: 4160 + 8 * $0) }
        #expect(Set(seeds).count == seeds.count)
    }

    /// The definition: one bit after another.
    static func bitByBit(_ bytes: some Sequence<UInt8>, continuing crc: UInt32) -> UInt32 {
        var state = ~crc
        for byte in bytes {
            state ^= UInt32(byte)
            for _ in 0..<8 { state = state >> 1 ^ (state & 1 == 0 ? 0 : 0x82F6_3B78) }
        }
        return ~state
    }
}
