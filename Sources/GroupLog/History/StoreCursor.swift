#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
import GroupLogFile
import GroupLogFormat
import GroupLogSystem

/// How far a named consumer of the history has come, as the store remembers it.
///
/// A cursor is for a consumer that may write, such as "uploader" or "main-app"; one that may not keeps
/// its ``HistoryToken`` itself. A compaction keeps the tombstones that came after a cursor, as long as
/// they are not too many (``CompactionEstimate/tombstoneCount``); beyond that the cursor is retired.
public struct StoreCursor: Hashable, Sendable {
    /// The consumer's name.
    public let name: String
    /// The place behind the last commit that the consumer is done with.
    public let token: HistoryToken
    package let updatedMicroseconds: Int64
    /// When the cursor was moved last, by the clock of the process that did.
    public var updated: Date {
        Date(timeIntervalSince1970: Double(updatedMicroseconds) / 1_000_000)
    }
    /// Whether the store no longer keeps what the consumer has not seen. It has to read the records
    /// anew; moving the cursor brings it back.
    public let isRetired: Bool
    /// By how many commits the last one that changed a record is ahead; 0 where nothing is new.
    public let lag: UInt64
}

extension Store {
    /// The cursors of the store, by name.
    ///
    /// - Throws: `StoreError`.
    public func cursors() throws -> [StoreCursor] {
        let view = try view()
        return try StoreError.translating(path) {
            try view.index.cursors.keys.sorted().compactMap { try view.cursor($0.text) }
        }
    }

    /// The cursor of a name, or nil.
    ///
    /// - Throws: `StoreError`.
    public func cursor(_ name: String) throws -> StoreCursor? {
        let view = try view()
        return try StoreError.translating(path) { try view.cursor(name) }
    }

    /// Makes a cursor stand at a place, and makes it where it is new. Where it stands there already,
    /// nothing is written.
    ///
    /// A consumer that writes what it has worked out into the same store moves its cursor in the same
    /// transaction (``Transaction/moveCursor(_:to:)``), and has then done each commit just once. A
    /// commit of cursors alone is in no history and wakes nobody.
    ///
    /// - Throws: `StoreError`: ``StoreError/Code/otherStore`` for a token of another store,
    ///   ``StoreError/Code/invalidValue`` for a name that is empty or longer than 1,024 bytes.
    public func moveCursor(
        _ name: String, to token: HistoryToken, durability: StoreOptions.Durability? = nil
    ) throws {
        try transaction(durability: durability) { try $0.moveCursor(name, to: token) }
    }

    /// Makes a cursor stand at a place, on the store's own thread.
    ///
    /// - Throws: as the blocking call does.
    public func moveCursor(
        _ name: String, to token: HistoryToken, durability: StoreOptions.Durability? = nil
    ) async throws {
        try await transaction(durability: durability) { try $0.moveCursor(name, to: token) }
    }

    /// Gives a cursor up: compactions keep nothing for it any more.
    ///
    /// - Returns: whether there was one that was not retired.
    /// - Throws: `StoreError`.
    @discardableResult
    public func retireCursor(_ name: String) throws -> Bool {
        try transaction { try $0.retireCursor(name) }
    }
}

extension Transaction {
    /// Makes a cursor stand at a place when the transaction is committed.
    ///
    /// - Throws: `StoreError`: ``StoreError/Code/otherStore`` for a token of another store,
    ///   ``StoreError/Code/invalidValue`` for a name that is empty or longer than 1,024 bytes.
    public func moveCursor(_ name: String, to token: HistoryToken) throws {
        guard token.storeID == view.header.storeID else {
            throw StoreError(
                .otherStore, "a cursor cannot stand at a token of the store \(token.storeID)",
                path: view.path)
        }
        setCursor(
            try name.requiredKey(),
            CursorContent(
                sequence: token.sequence, checksum: token.checksum,
                updated: Clock.wallMicroseconds()))
    }

    /// Gives a cursor up when the transaction is committed.
    ///
    /// - Returns: whether there is one that is not retired.
    /// - Throws: `StoreError`.
    @discardableResult
    public func retireCursor(_ name: String) throws -> Bool {
        guard var content = try view.cursorContent(name), !content.isRetired else { return false }
        content.isRetired = true
        setCursor(try name.requiredKey(), content)
        return true
    }
}

extension StoreView {
    /// The newest record of a cursor; nil where there is none, or it cannot be read.
    func cursorContent(_ name: String) throws -> CursorContent? {
        guard let offset = index.cursors[ByteString(name)] else { return nil }
        var contexts = contexts()
        do {
            let value = try record(at: offset, &contexts).value
            return try CursorContent.decode(unsafe value.span.bytes)
        } catch is FormatError {
            return nil
        }
    }

    fileprivate func cursor(_ name: String) throws -> StoreCursor? {
        guard let content = try cursorContent(name) else { return nil }
        let lastChange = index.lastChange
        return StoreCursor(
            name: name,
            token: HistoryToken(
                storeID: header.storeID, sequence: content.sequence, checksum: content.checksum),
            updatedMicroseconds: content.updated, isRetired: content.isRetired,
            lag: lastChange - min(content.sequence, lastChange))
    }
}
