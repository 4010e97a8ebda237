// The C library, by whatever name the platform has for it. Other files import it the same way;
// only this target does.
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(Darwin)
    import Darwin
#endif

/// The C library's error number of the last call of this thread.
var lastErrno: Errno { Errno(rawValue: errno) }

/// Calls until the answer is not "interrupted" (signal(7): such calls are to be made again).
@inline(__always)
func retrying(_ call: () -> Int) -> Int {
    while true {
        let result = call()
        if result >= 0 || errno != EINTR { return result }
    }
}
