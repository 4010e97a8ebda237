#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
import GroupLogFile
import GroupLogFormat
import GroupLogSystem

/// What the calls of a store throw, but for what a caller's own code or a model's coding throws.
///
/// After an error nothing was written, and the store can be used on; codes for which that is not so
/// say it. To handle one kind of failure, catch its code:
///
/// ```swift
/// do {
///     try store[Bookmark.self].insert(bookmark)
/// } catch StoreError.Code.exists {
///     // Somebody else captured it.
/// }
/// ```
public struct StoreError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it is. New codes may come with new versions, so a `switch` over codes
    /// has a `default`.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The code's name.
        public let rawValue: String
        /// Makes a code of its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// There is no store at this place, and the call may not make one.
        public static let noStore = Code(rawValue: "noStore")
        /// A store cannot be made at this place, since the directory that would hold it is missing.
        /// Only the store's own directory is ever made.
        public static let noParent = Code(rawValue: "noParent")
        /// A store cannot be made at this place, since a file that has the name of one of its own is
        /// somebody else's. Nothing was changed.
        public static let foreignFile = Code(rawValue: "foreignFile")
        /// Somebody else held the lock for all of the time that the call would wait. The message
        /// says who.
        public static let locked = Code(rawValue: "locked")
        /// The task was cancelled before the call had changed anything.
        public static let cancelled = Code(rawValue: "cancelled")
        /// What is on disk is damaged or is no log. Nothing was changed, and nothing is written
        /// over it.
        public static let corrupt = Code(rawValue: "corrupt")
        /// The log was written by a newer version.
        public static let unsupportedVersion = Code(rawValue: "unsupportedVersion")
        /// The store was opened for reading only.
        public static let readOnly = Code(rawValue: "readOnly")
        /// The store was opened in a role that does not do this.
        public static let wrongRole = Code(rawValue: "wrongRole")
        /// Another log was put in the place of the one that the call worked on, by a compaction, a
        /// backup or somebody's hand, or another process began to compact it. Nothing was changed:
        /// call again where it is still wanted.
        public static let superseded = Code(rawValue: "superseded")
        /// The system does not permit a file to be opened (`EPERM`). On a device that was not
        /// unlocked since its start, all access to protected files is like this: try again later,
        /// and do not take it for an empty store. Nothing was changed.
        public static let protected = Code(rawValue: "protected")
        /// The file's mode or owner does not permit it, or the medium is read-only.
        public static let permission = Code(rawValue: "permission")
        /// The disk or the quota is full. Later calls work once there is room.
        public static let noSpace = Code(rawValue: "noSpace")
        /// A system call failed. If it is the sync of a directory that failed, the write has been
        /// made and is seen by all; that it survives power loss is not certain.
        public static let io = Code(rawValue: "io")
        /// A sync of the log failed. The write has been made and is seen by all, but whether it and
        /// `unknownCommits` will survive power loss is unknown. This store reads, and writes nothing
        /// more: open it anew to write.
        public static let notDurable = Code(rawValue: "notDurable")
        /// The id exists already.
        public static let exists = Code(rawValue: "exists")
        /// No record has this id.
        public static let notFound = Code(rawValue: "notFound")
        /// A record, a transaction, a name or the log would be larger than the format allows.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// A value, an id, a key or a path cannot be used.
        public static let invalidValue = Code(rawValue: "invalidValue")
        /// Inside a transaction something was to be written to the same store other than through
        /// the transaction.
        public static let nestedTransaction = Code(rawValue: "nestedTransaction")
        /// A token of the history names a place from which not all can be told any more: it was
        /// compacted away in part. Read the records anew, and go on from the token of now.
        public static let historyTooOld = Code(rawValue: "historyTooOld")
        /// The commit that a token names is not the one that the store has under its number: a
        /// backup was put back and written on, or commits that were not synced were lost. Read the
        /// records anew, and go on from the token of now.
        public static let historyDiverged = Code(rawValue: "historyDiverged")
        /// A token names a commit that the store has not come to: an older state of it was put back.
        /// Read the records anew, and go on from the token of now.
        public static let historyFuture = Code(rawValue: "historyFuture")
        /// A token is one of another store.
        public static let otherStore = Code(rawValue: "otherStore")
        /// The process is a fork of the one that opened the store: open it anew.
        public static let forked = Code(rawValue: "forked")

        /// The code's name.
        public var description: String { rawValue }

        /// Whether it says that a token of the history cannot be gone on from.
        var isOfHistory: Bool {
            [.historyTooOld, .historyDiverged, .historyFuture, .otherStore].contains(self)
        }

        /// Whether an error is a `StoreError` with this code: what `catch StoreError.Code.locked`
        /// asks.
        public static func ~= (code: Code, error: any Error) -> Bool {
            (error as? StoreError)?.code == code
        }
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

extension StoreError: LocalizedError {
    /// The message, so that `localizedDescription` says it too.
    public var errorDescription: String? { message }
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
            throw StoreError(
                .corrupt, "a value in '\(path)' is not CBOR: \(error)", path: path, cause: error)
        }
    }

    private init(_ error: SystemError) {
        let code: Code =
            switch error.errno {
            case let errno where errno.isOutOfSpace: .noSpace
            case .notPermitted where error.call == "open": .protected
            case let errno where errno.isPermission: .permission
            default: .io
            }
        self.init(
            code, "cannot \(error.call) '\(error.path)': \(error.errno.reason)", path: error.path,
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

    init(_ error: LogError) {
        switch error {
        case .system(let cause): self.init(cause)
        case .format(let cause, let path): self.init(cause, path: path)
        case .noStore(let path):
            self.init(.noStore, "there is no store at '\(path)'", path: path)
        case .parentMissing(let cause):
            self.init(
                .noParent,
                "no store can be made at '\(cause.path)', since there is no directory "
                    + "'\(FileSystem.parent(of: cause.path))'", path: cause.path, cause: cause)
        case .foreignFile(let path):
            self.init(
                .foreignFile,
                "no store can be made here, since '\(path)' is a file of something else", path: path
            )
        case .logMissing(let path):
            self.init(
                .corrupt,
                "the log of '\(path)' is missing, though the store had one: put it back, or remove "
                    + "the file 'lock' to begin an empty store", path: path, cause: error)
        case .locked(let holder, let path, let seconds):
            // Whoever locks the file without writing to stores leaves no name in it.
            let who = holder.map { "the last to take the lock was \($0)" }
            self.init(
                .locked,
                "'\(path)' was locked by another process for \(seconds) s; "
                    + (who ?? "it left no name"), path: path)
        case .cancelled: self.init(.cancelled, "cancelled before anything was changed")
        case .superseded(let path):
            self.init(
                .superseded,
                "another log took the place of that of '\(path)', or another process began to "
                    + "compact it; nothing was changed", path: path)
        case .damaged(let receipt, let path):
            let count = receipt.entries.count
            let first = receipt.entries.first?.damage
            self.init(
                .corrupt,
                "the log of '\(path)' is damaged in \(count) \(count == 1 ? "place" : "places"), "
                    + "first at offset \(first?.range.lowerBound ?? 0); compacting it would make "
                    + "final what that has cost, so it has to be asked for", path: path,
                offset: first?.range.lowerBound)
        case .poisoned(let cause, let unknown):
            self.init(
                .notDurable,
                "a sync of '\(cause.path)' failed (\(cause.errno.reason)), so nothing more is written",
                path: cause.path, cause: cause)
            unknownCommits = unknown
        case .entryNotDurable(let cause, let path):
            self.init(
                .io,
                "the log of '\(path)' is written, but cannot \(cause.call) its directory "
                    + "'\(cause.path)' (\(cause.errno.reason)): a power loss may undo it until a later "
                    + "write can", path: path, cause: error)
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
