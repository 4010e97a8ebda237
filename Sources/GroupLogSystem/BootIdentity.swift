#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(Darwin)
    import Darwin
#endif

/// Which start of the system this is.
package enum BootIdentity {
    /// 16 bytes that the kernel chose at random when it started; nil where it does not tell.
    ///
    /// Linux: `/proc/sys/kernel/random/boot_id` (random(4)). Darwin: `kern.bootsessionuuid`
    /// (sysctl(3)). Both are UUIDs as text. Asked for once in a process.
    package static let current: [UInt8]? = text.flatMap { bytes(ofUUID: $0) }

    #if canImport(Darwin)
        private static var text: [UInt8]? {
            var buffer = [UInt8](repeating: 0, count: 64)
            var size = buffer.count
            let result = unsafe buffer.withUnsafeMutableBytes {
                unsafe sysctlbyname("kern.bootsessionuuid", $0.baseAddress, &size, nil, 0)
            }
            return result == 0 ? Array(buffer.prefix(min(size, 36))) : nil
        }
    #else
        private static var text: [UInt8]? {
            do throws(SystemError) {
                let file = try FileDescriptor.open("/proc/sys/kernel/random/boot_id", .read)
                var buffer = [UInt8](repeating: 0, count: 36)
                return try file.read(into: &buffer, at: 0) == 36 ? buffer : nil
            } catch {
                // A system without it is one whose starts cannot be told apart.
                return nil
            }
        }
    #endif

    private static func bytes(ofUUID text: [UInt8]) -> [UInt8]? {
        let digits = text.filter { $0 != UInt8(ascii: "-") }.map { UInt8(hexadecimal: $0) }
        guard digits.count == 32 else { return nil }
        var bytes: [UInt8] = []
        for pair in stride(from: 0, to: 32, by: 2) {
            guard let high = digits[pair], let low = digits[pair + 1] else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}

extension UInt8 {
    /// The value of a hexadecimal digit; nil for any other character.
    fileprivate init?(hexadecimal digit: UInt8) {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self = digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self = digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self = digit - UInt8(ascii: "A") + 10
        default: return nil
        }
    }
}
