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

/// Calls with a path as C has it. The body looks at `errno` itself: freeing a copy of the path may
/// change it. A path with a zero byte in it would reach the system cut short and name another file,
/// so it is refused, as the system refuses arguments that make no sense.
func withPath<R>(
    _ call: String, _ path: String, _ body: (UnsafePointer<CChar>) -> Result<R, Errno>
) throws(SystemError) -> R {
    guard !path.utf8.contains(0) else { throw SystemError(call, .invalidArgument, path: path) }
    switch unsafe path.withCString(body) {
    case .success(let result): return result
    case .failure(let cause): throw SystemError(call, cause, path: path)
    }
}

/// open(2), with a descriptor above those of the standard streams.
///
/// A program may be started with one of those closed. A file that came to stand in its place would
/// get what the program, or a library in it, prints: into the middle of a log.
func openDescriptor(
    _ path: String, _ flags: Int32, mode: UInt32 = 0
) throws(SystemError) -> Int32 {
    try unsafe withPath("open", path) { pointer in
        let number = retrying {
            unsafe Int(open(pointer, flags, mode_t(truncatingIfNeeded: mode)))
        }
        guard number >= 0 else { return .failure(lastErrno) }
        return aboveStandardStreams(Int32(truncatingIfNeeded: number))
    }
}

/// The same descriptor by a number above those of the standard streams.
func aboveStandardStreams(_ number: Int32) -> Result<Int32, Errno> {
    if number > 2 { return .success(number) }
    defer { _ = close(number) }
    let moved = fcntl(number, F_DUPFD_CLOEXEC, 3)
    return moved >= 0 ? .success(moved) : .failure(lastErrno)
}

/// One write(2). In a method named `write` the name alone would mean the method.
func writeSome(_ number: Int32, _ buffer: UnsafeRawBufferPointer) -> Int {
    unsafe write(number, buffer.baseAddress, buffer.count)
}

/// One read(2) of at most so many bytes. In a method named `read` the name alone would mean the method.
func readSome(
    _ number: Int32, _ buffer: UnsafeMutableBufferPointer<UInt8>, _ limit: Int
) -> Int {
    unsafe read(number, buffer.baseAddress, min(limit, buffer.count))
}

/// What ends a wait for descriptors.
enum Readiness {
    /// One can be read or written, has ended or failed.
    case ready
    case timedOut
    /// A signal came; poll(2) is never made again by the system (signal(7)).
    case interrupted
    /// The system does not do it, and has not waited.
    case refused
}

/// poll(2): waits until one of some descriptors is ready for one kind of events, for so long at most;
/// for ever with -1. Without descriptors it is a sleep.
func waitUntilReady(anyOf numbers: [Int32], _ events: Int32, milliseconds: Int32) -> Readiness {
    var entries = numbers.map {
        pollfd(fd: $0, events: Int16(truncatingIfNeeded: events), revents: 0)
    }
    let result = unsafe poll(&entries, nfds_t(numbers.count), milliseconds)
    if result > 0 { return .ready }
    if result == 0 { return .timedOut }
    return lastErrno == .interrupted ? .interrupted : .refused
}
