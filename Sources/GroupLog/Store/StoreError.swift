import GroupLogFile
import GroupLogFormat
import GroupLogSystem

/// What every call of a store throws.
///
/// After any of them the store is as it was before the call, and can be used on, unless the code
/// says otherwise.
public struct StoreError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it is. New codes may come with new versions.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The code's name.
        public let rawValue: String
        /// Makes a code of its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// There is no store at this place, and the call may not make one.
        public static let noStore = Code(rawValue: "noStore")
        /// Another process held the lock for all of the time that the call would wait.
        public static let locked = Code(rawValue: "locked")
        /// The task was cancelled while it waited for the lock. Nothing was written.
        public static let cancelled = Code(rawValue: "cancelled")
        /// What is on disk is damaged or is no log.
        public static let corrupt = Code(rawValue: "corrupt")
        /// The log was written by a newer version.
        public static let unsupportedVersion = Code(rawValue: "unsupportedVersion")
        /// The store was opened for reading only.
        public static let readOnly = Code(rawValue: "readOnly")
        /// The system does not permit it; on a device that was not unlocked since its start, all
        /// access to protected files is like this.
        public static let permission = Code(rawValue: "permission")
        /// The disk or the quota is full.
        public static let noSpace = Code(rawValue: "noSpace")
        /// A system call failed.
        public static let io = Code(rawValue: "io")
        /// A sync failed: whether the commits since the last good one will survive power loss is
        /// unknown. This store writes nothing more.
        public static let notDurable = Code(rawValue: "notDurable")
        /// The id exists already.
        public static let exists = Code(rawValue: "exists")
        /// No record has this id.
        public static let notFound = Code(rawValue: "notFound")
        /// The record or the transaction is larger than the format allows.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// A value or an id cannot be stored, or not be read as the type that was asked for.
        public static let invalidValue = Code(rawValue: "invalidValue")
        /// A transaction was begun inside another.
        public static let nestedTransaction = Code(rawValue: "nestedTransaction")
        /// The process is a fork of the one that opened the store.
        public static let forked = Code(rawValue: "forked")

        /// The code's name.
        public var description: String { rawValue }
    }

    /// What kind of failure it is.
    public var code: Code
    /// A sentence for people, without a full stop.
    public var message: String
    /// The file or directory concerned.
    public var path: String?
    /// Where in the log, in bytes.
    public var offset: UInt64?
    /// The sequences of commits whose durability is unknown.
    public var unknownCommits: ClosedRange<UInt64>?
    /// The error behind this one.
    public var cause: (any Error)?

    /// Makes an error.
    public init(
        _ code: Code, _ message: String, path: String? = nil, offset: UInt64? = nil,
        cause: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.path = path
        self.offset = offset
        self.cause = cause
    }

    /// The message.
    public var description: String { message }
}

extension StoreError {
    /// Runs the body and gives its errors the public form, in this one place. Errors that came from
    /// the caller's own code pass as they are.
    package static func translating<R>(_ path: String, _ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch let error as LogError {
            throw StoreError(error)
        } catch let error as SystemError {
            throw StoreError(error)
        } catch let error as FormatError {
            throw StoreError(error, path: path)
        } catch let error as CBORError {
            throw StoreError(.corrupt, "a value in '\(path)' is not CBOR: \(error)", cause: error)
        }
    }

    private init(_ error: SystemError) {
        let code: Code =
            switch error.errno {
            case let errno where errno.isOutOfSpace: .noSpace
            case let errno where errno.isPermission: .permission
            default: .io
            }
        self.init(
            code, "cannot \(error.call) '\(error.path)': \(error.errno)", path: error.path,
            cause: error)
    }

    private init(_ error: FormatError, path: String) {
        let code: Code =
            switch error.kind {
            case .unsupportedVersion: .unsupportedVersion
            case .tooLarge: .tooLarge
            case .truncated, .notALog, .badChecksum, .malformed: .corrupt
            }
        let place = code == .tooLarge ? "" : "'\(path)': "
        self.init(code, place + error.description, path: path, offset: error.offset, cause: error)
    }

    private init(_ error: LogError) {
        switch error {
        case .system(let cause): self.init(cause)
        case .format(let cause, let path): self.init(cause, path: path)
        case .noStore(let path):
            self.init(.noStore, "there is no store at '\(path)'", path: path)
        case .logMissing(let path):
            self.init(
                .corrupt,
                "the log of '\(path)' is missing, though the store had one: put it back, or remove "
                    + "the file 'lock' to begin an empty store", path: path)
        case .locked(let holder, let path, let seconds):
            let who = holder.map(\.description) ?? "another process"
            self.init(
                .locked, "'\(path)' was locked for \(seconds) s by \(who)", path: path)
        case .cancelled: self.init(.cancelled, "cancelled while waiting for the lock")
        case .poisoned(let cause, let unknown):
            self.init(
                .notDurable,
                "a sync of '\(cause.path)' failed (\(cause.errno)), so nothing more is written",
                path: cause.path, cause: cause)
            unknownCommits = unknown
        case .forked(let path):
            self.init(
                .forked, "'\(path)' was opened before this process was forked: open it again",
                path: path)
        case .unrecoverable(let path, let range):
            self.init(
                .corrupt,
                "\(range.count) bytes at the end of the log of '\(path)' are no frames, more than "
                    + "a write that broke off can leave; nothing was changed", path: path,
                offset: range.lowerBound)
        case .logTooLarge(let path):
            self.init(.tooLarge, "the log '\(path)' has reached its largest size", path: path)
        }
    }
}
