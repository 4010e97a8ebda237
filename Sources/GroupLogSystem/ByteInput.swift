#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(Darwin)
    import Darwin
#endif

/// Bytes that come in order, from standard input or from anything else that has a path: a file, a
/// FIFO, the pipe of a shell's process substitution.
package struct ByteInput: ~Copyable {
    let number: Int32
    private let path: String
    private let isOwned: Bool

    private init(number: Int32, path: String, isOwned: Bool) {
        self.number = number
        self.path = path
        self.isOwned = isOwned
    }

    deinit { if isOwned { _ = close(number) } }

    /// The program's standard input.
    package static func standard() -> ByteInput {
        ByteInput(number: 0, path: "standard input", isOwned: false)
    }

    /// Opens what a path leads to, links included. Opening a FIFO waits for its writer.
    package static func open(_ path: String) throws(SystemError) -> ByteInput {
        let number = try openDescriptor(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        return ByteInput(number: number, path: path, isOwned: true)
    }

    package var isTerminal: Bool { isatty(number) == 1 }

    /// What has come, at least one byte and at most `limit`; nothing at the end. An interruption
    /// (`Interrupt`) that comes while there is nothing to read ends the waiting with the error
    /// `.interrupted`.
    package func next(upTo limit: Int = 1 << 16) throws(SystemError) -> [UInt8] {
        precondition(limit > 0, "a chunk has at least one byte")
        while true {
            try waitForBytes()
            var cause: Errno?
            let chunk = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
                let result = retrying { unsafe readSome(number, buffer, limit) }
                if result < 0 { cause = lastErrno }
                count = max(0, result)
            }
            guard let cause else { return chunk }
            if cause != .wouldBlock { throw SystemError("read", cause, path: path) }
        }
    }

    /// poll(2) with a limit, instead of a read(2) that waits: a signal that comes just before the
    /// read, or on another thread, would not end it.
    private func waitForBytes() throws(SystemError) {
        while !waitUntilReady(number, POLLIN, milliseconds: 100) {
            if Interrupt.isRequested { throw SystemError("read", .interrupted, path: path) }
        }
    }
}
