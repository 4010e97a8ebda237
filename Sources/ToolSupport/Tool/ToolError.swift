package import GroupLogSystem

/// Why a tool could not do what it was asked, in words for its user.
package struct ToolError: Error, Hashable, Sendable {
    package let status: ExitStatus
    /// What went wrong, in lower case, to stand behind the tool's name: `cannot open 'x': reason`.
    package let message: String
    /// What to do about it.
    package let hint: String?

    package init(_ status: ExitStatus, _ message: String, hint: String? = nil) {
        self.status = status
        self.message = message
        self.hint = hint
    }

    /// Ends work that a signal asked to stop.
    package static let interrupted = ToolError(.interrupted, "interrupted")

    package init(_ error: UsageError) {
        self.init(.usage, error.message, hint: error.hint)
    }

    /// A system call that failed, outside of the store.
    package init(_ error: SystemError) {
        if error.errno == .interrupted {
            self = .interrupted
            return
        }
        let status: ExitStatus =
            if error.errno == .noSuchFile || error.errno == .notDirectory {
                .noInput
            } else if error.errno.isPermission {
                .noPermission
            } else {
                .io
            }
        self.init(
            status, "cannot \(error.action) '\(visible(error.path))': \(error.errno.reason)")
    }

    /// An output stream that takes no more. `done` says what has been done all the same, as the
    /// beginning of a sentence.
    package init(_ error: SystemError, writingTo stream: String, though done: String? = nil) {
        let message = "cannot write to \(stream): \(error.errno.reason)"
        self.init(.io, done.map { "\($0), but \(message)" } ?? message)
    }
}

extension SystemError {
    /// The call as a verb.
    fileprivate var action: String {
        switch call {
        case "pread", "poll": "read"
        case "pwrite", "ftruncate": "write"
        case "fstat", "stat", "lstat", "fstatat": "examine"
        case "fsync", "fdatasync", "fcntl": "sync"
        case "flock": "lock"
        case "mkdir": "create"
        default: call
        }
    }
}
