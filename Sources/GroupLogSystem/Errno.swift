#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(Darwin)
    import Darwin
#endif

/// An error number of the operating system.
package struct Errno: Error, RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: Int32
    package init(rawValue: Int32) { self.rawValue = rawValue }

    package static let noSuchFile = Errno(rawValue: ENOENT)
    package static let exists = Errno(rawValue: EEXIST)
    package static let wouldBlock = Errno(rawValue: EWOULDBLOCK)
    package static let interrupted = Errno(rawValue: EINTR)
    package static let noSpace = Errno(rawValue: ENOSPC)
    package static let quota = Errno(rawValue: EDQUOT)
    package static let fileTooLarge = Errno(rawValue: EFBIG)
    package static let io = Errno(rawValue: EIO)
    package static let notPermitted = Errno(rawValue: EPERM)
    package static let accessDenied = Errno(rawValue: EACCES)
    package static let readOnlyFileSystem = Errno(rawValue: EROFS)
    package static let notSupported = Errno(rawValue: EOPNOTSUPP)
    package static let invalidArgument = Errno(rawValue: EINVAL)
    package static let noLocks = Errno(rawValue: ENOLCK)
    package static let notDirectory = Errno(rawValue: ENOTDIR)
    package static let isDirectory = Errno(rawValue: EISDIR)
    package static let tooManyLinks = Errno(rawValue: ELOOP)
    package static let noDevice = Errno(rawValue: ENXIO)
    package static let brokenPipe = Errno(rawValue: EPIPE)
    package static let notEmpty = Errno(rawValue: ENOTEMPTY)
    package static let notATerminal = Errno(rawValue: ENOTTY)

    /// The system's own words.
    package var description: String {
        // The systems have two signatures of strerror_r(3): one fills the buffer and gives a
        // number, the other may give a constant instead. Neither uses another thread's buffer.
        var buffer = [CChar](repeating: 0, count: 128)
        unsafe _ = strerror_r(rawValue, &buffer, buffer.count)
        let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return bytes.isEmpty ? "error \(rawValue)" : String(decoding: bytes, as: UTF8.self)
    }

    /// The system's words as the end of a message, which has no capital there. A word of capitals
    /// stays.
    package var reason: String {
        let text = description
        guard let first = text.first, text.dropFirst().first?.isUppercase != true else {
            return text
        }
        return first.lowercased() + text.dropFirst()
    }

    /// Whether there is no room: a full disk, a quota, a limit on the file's size.
    package var isOutOfSpace: Bool {
        self == .noSpace || self == .quota || self == .fileTooLarge
    }

    /// Whether the call was not allowed.
    package var isPermission: Bool {
        self == .notPermitted || self == .accessDenied || self == .readOnlyFileSystem
    }
}

/// A system call that failed.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The call's name, as its manual page has it.
    package var call: String
    package var errno: Errno
    package var path: String

    package init(_ call: String, _ errno: Errno, path: String) {
        self.call = call
        self.errno = errno
        self.path = path
    }

    package var description: String { "\(call) '\(path)': \(errno)" }
}
