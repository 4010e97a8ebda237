#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(Darwin)
    import Darwin
#endif

/// Standard output or standard error: every write to them is checked.
///
/// What is written to standard output is gathered until `flush()` or until there is a good deal of
/// it; standard error is written at once. After a failure the stream takes nothing more and goes
/// on to give the same failure, so a caller that missed it once meets it again. Safe to share:
/// pieces written by two threads are not mixed.
package final class StandardStream: Sendable {
    /// Why a stream takes no more.
    package enum Failure: Error, Hashable, Sendable {
        /// Nobody reads any longer: the reason to end quietly. Told apart from death by SIGPIPE
        /// only after `ignoreSIGPIPE()`.
        case brokenPipe
        /// Anything else, such as a full device.
        case failed(SystemError)
    }

    private struct State {
        var buffer: [UInt8] = []
        var failure: Failure?
    }

    package static let output = StandardStream(1, path: "standard output", gathers: 1 << 16)
    package static let error = StandardStream(2, path: "standard error", gathers: 0)

    private let number: Int32
    private let path: String
    private let capacity: Int
    private let state = Monitor(State())

    init(_ number: Int32, path: String, gathers capacity: Int) {
        self.number = number
        self.path = path
        self.capacity = capacity
        isTerminal = isatty(number) == 1
    }

    package func write(_ text: String) throws(Failure) {
        var text = text
        try text.withUTF8 { utf8 in
            let bytes = unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(utf8))
            return Result { () throws(Failure) in try write(bytes) }
        }.get()
    }

    package func write(_ bytes: [UInt8]) throws(Failure) { try write(unsafe bytes.span.bytes) }

    /// What is large goes straight on, without a copy.
    private func write(_ bytes: RawSpan) throws(Failure) {
        try state.withLock { state throws(Failure) in
            guard bytes.byteCount >= capacity else {
                unsafe bytes.withUnsafeBytes { unsafe state.buffer.append(contentsOf: $0) }
                return try drain(&state, whenLongerThan: capacity)
            }
            try drain(&state, whenLongerThan: 0)
            try note(writeAll(bytes), &state)
        }
    }

    /// Hands over what was gathered.
    package func flush() throws(Failure) {
        try state.withLock { state throws(Failure) in try drain(&state, whenLongerThan: 0) }
    }

    /// Whether a person looks at it; asked for once, since it is asked for with each cell.
    package let isTerminal: Bool

    /// The columns of the terminal that it is, where the terminal knows them.
    package var terminalWidth: Int? {
        var size = winsize()
        guard unsafe ioctl(number, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return nil
        }
        return Int(size.ws_col)
    }

    /// Whether nobody reads any longer, so that the next write would give `brokenPipe`: for a
    /// program that may have nothing to write for long.
    ///
    /// poll(2): of a pipe that nobody reads the writing end has POLLERR on Linux, and POLLHUP on
    /// Darwin; so has a terminal that was closed.
    package var isReaderGone: Bool {
        var entry = pollfd(fd: number, events: 0, revents: 0)
        return unsafe poll(&entry, 1, 0) > 0
            && entry.revents & Int16(truncatingIfNeeded: POLLERR | POLLHUP) != 0
    }

    private func drain(_ state: inout State, whenLongerThan limit: Int) throws(Failure) {
        if let failure = state.failure {
            state.buffer = []
            throw failure
        }
        guard state.buffer.count > limit else { return }
        let cause = writeAll(unsafe state.buffer.span.bytes)
        state.buffer.removeAll(keepingCapacity: true)
        try note(cause, &state)
    }

    /// Keeps why a write failed, and throws it.
    private func note(_ cause: Errno?, _ state: inout State) throws(Failure) {
        guard let cause else { return }
        let failure: Failure =
            cause == .brokenPipe
            ? .brokenPipe : .failed(SystemError("write", cause, path: path))
        state.failure = failure
        throw failure
    }

    private func writeAll(_ bytes: RawSpan) -> Errno? {
        var done = 0
        while done < bytes.byteCount {
            let rest = bytes.extracting(droppingFirst: done)
            let result = unsafe rest.withUnsafeBytes { buffer in
                retrying { unsafe writeSome(number, buffer) }
            }
            if result >= 0 {
                done += result
            } else if lastErrno == .wouldBlock {
                // Whoever started the program may have left the pipe non-blocking.
                waitUntilReady(number, POLLOUT)
            } else {
                return lastErrno
            }
        }
        return nil
    }
}

/// Waits until a descriptor can be read or written, has ended or failed, or a moment has passed.
/// Gives whether it was more than the moment's passing.
@discardableResult
func waitUntilReady(_ number: Int32, _ events: Int32, milliseconds: Int32 = -1) -> Bool {
    waitUntilReady(anyOf: [number], events, milliseconds: milliseconds) == .ready
}
