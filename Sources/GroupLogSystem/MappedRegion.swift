#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file mapped for reading, from its start.
///
/// The mapping may reach beyond the end of the file, so that growth needs no new one (mmap(2): a
/// page is there as soon as the file reaches it). Touching a page that the file does not reach
/// kills the process, so the caller lends out only what a stat has shown to exist.
///
/// Sendable although it holds a pointer: the mapping never changes, and it is only read.
@safe package final class MappedRegion: @unchecked Sendable {
    @usableFromInline let base: UnsafeRawPointer
    /// The bytes reserved, of which the file may have fewer.
    package let length: Int

    package init(_ descriptor: borrowing FileDescriptor, length: Int) throws(SystemError) {
        precondition(length > 0, "a mapping has at least one byte")
        let address = unsafe mmap(nil, length, PROT_READ, MAP_SHARED, descriptor.number, 0)
        guard let address = unsafe address, unsafe address != MAP_FAILED else {
            throw SystemError("mmap", lastErrno, path: descriptor.path)
        }
        unsafe base = UnsafeRawPointer(address)
        self.length = length
    }

    deinit { unsafe _ = munmap(UnsafeMutableRawPointer(mutating: base), length) }

    /// Lends a range, which must lie inside the mapping and inside the file.
    @inlinable
    package func withBytes<R, E: Error>(
        _ range: Range<Int>, _ body: (RawSpan) throws(E) -> R
    ) throws(E) -> R {
        precondition(range.lowerBound >= 0 && range.upperBound <= length)
        defer { withExtendedLifetime(self) {} }
        let bytes = unsafe RawSpan(_unsafeStart: base + range.lowerBound, byteCount: range.count)
        return try body(bytes)
    }
}
