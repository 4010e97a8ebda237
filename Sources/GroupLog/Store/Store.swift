#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
import GroupLogFile
import GroupLogFormat
import GroupLogSystem

/// A store in a directory that any number of processes share.
///
/// Each write is appended to a log; when the call returns, it is there for every process, and it
/// survives what ``StoreOptions/durability`` says. Reads take no lock, and see what others wrote
/// without being told. Threads may share one store; two stores on one directory in one process are
/// as safe as two processes. No lock is held between calls, so a suspended process stops nobody.
///
/// ```swift
/// let store = try Store(path: "bookmarks.grouplog")
/// try store[Bookmark.self].append(Bookmark(title: "An example"))
/// let latest = try store[Bookmark.self].newest(limit: 50)
/// ```
///
/// There is nothing to close. A child made by fork(2) must open the store anew: the inherited one
/// throws ``StoreError/Code/forked``.
public final class Store: Sendable {
    package let engine: Engine

    private init(volume: any StoreVolume, options: StoreOptions) throws {
        if let author = options.author,
            author.isEmpty || author.utf8.count > LogLayout.maximumNameLength
        {
            throw StoreError(
                .invalidValue, "an author has 1 to \(LogLayout.maximumNameLength) bytes")
        }
        engine = Engine(volume: volume, options: options)
        if try !engine.hasLog() {
            guard options.role != .readOnly else {
                throw StoreError(
                    .noStore, "there is no store at '\(volume.path)'", path: volume.path)
            }
            try engine.create()
        }
        if options.damage == .strict { _ = try engine.view() }
    }

    /// Opens the store in a directory, whose name should end in `.grouplog`; where nothing is yet,
    /// makes it, unless the role is `.readOnly`.
    ///
    /// Reads nothing of what is stored, however much that is. Only "no such file" leads to a new
    /// store: any other failure to open one is an error, and changes nothing. Of several processes
    /// that make a store at once, one does and the others open it; a crash meanwhile leaves no store
    /// or a whole one. The directory that holds the store's own has to be there. A relative path is
    /// taken from the current directory as it is now.
    ///
    /// - Throws: `StoreError`, with the code ``StoreError/Code/noStore`` or
    ///   ``StoreError/Code/noParent`` where something is missing.
    public convenience init(path: String, options: StoreOptions = StoreOptions()) throws {
        try self.init(volume: DiskVolume(path: Self.absolute(path)), options: options)
    }

    /// The path from the root: the current directory may be another one at the next call.
    private static func absolute(_ path: String) throws -> String {
        guard !path.utf8.contains(0) else {
            throw StoreError(
                .invalidValue, "the path of a store has a NUL, which no path can have", path: path)
        }
        let slash = UInt8(ascii: "/")
        if path.utf8.first == slash { return path }
        guard !path.isEmpty else {
            throw StoreError(.invalidValue, "the path of a store is empty", path: path)
        }
        let base = try StoreError.translating(path) { try currentDirectory() }
        return base.utf8.last == slash ? base + path : base + "/" + path
    }

    /// Opens the store in a directory given as a file URL, as ``init(path:options:)`` does.
    ///
    /// - Throws: `StoreError`, with the code ``StoreError/Code/invalidValue`` where the URL is no
    ///   file URL.
    public convenience init(directory: URL, options: StoreOptions = StoreOptions()) throws {
        guard directory.isFileURL else {
            throw StoreError(.invalidValue, "'\(directory)' is not a file URL")
        }
        try self.init(path: directory.absoluteURL.path, options: options)
    }

    /// Makes a store in this process's memory, with the behaviour of one on disk: for previews and
    /// tests. Each call makes another, empty one. It ends with its last user, and no other process
    /// sees it.
    ///
    /// - Throws: `StoreError`; with the role `.readOnly` always, since there is nothing to read.
    public static func inMemory(options: StoreOptions = StoreOptions()) throws -> Store {
        try Store(volume: MemoryVolume(), options: options)
    }

    /// The directory, from the root; for a store in memory, a name.
    public var path: String { engine.path }

    /// The state of the store now, to be read from as long as it is kept.
    ///
    /// Costs one `stat` where nothing is new; the first call reads the log.
    /// - Throws: `StoreError`.
    public func view() throws -> StoreView { try engine.view() }

    /// Looks for what others wrote. Every read does it first, so that a call is needed only to
    /// have the work done ahead of time.
    ///
    /// - Returns: the sequence of the last commit.
    /// - Throws: `StoreError`.
    @discardableResult
    public func refresh() throws -> UInt64 { try engine.refresh() }

    /// Drops every cache and reads from the disk: the remedy that always works. Views that were
    /// taken before stay as they are.
    ///
    /// - Throws: `StoreError`.
    public func reload() throws { try engine.reload() }

    /// What was not accepted of the log, as of now.
    ///
    /// - Throws: `StoreError`.
    public func receipt() throws -> StoreReceipt { try engine.view().receipt }

    /// What happens outside of any call, from now on: failures of syncs that were promised for
    /// later. Each use makes a new sequence, which ends with the store.
    public var events: AsyncStream<StoreEvent> { engine.eventualSync.events() }

    /// The collections that have records, sorted by their names' bytes.
    ///
    /// - Throws: `StoreError`.
    public func collections() throws -> [CollectionSummary] { try engine.view().collections }
}
