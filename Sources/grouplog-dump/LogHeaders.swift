import GroupLogFormat

/// The copies of a log's header, and the salt by which its frames can be read.
struct LogHeaders {
    /// One copy in the log, good or not.
    struct Copy {
        var offset: UInt64
        /// What is wrong with it.
        var fault: FormatError?
        /// Its 64 bytes, where the log is long enough.
        var bytes: [UInt8]?

        var range: Range<UInt64> { offset..<offset + UInt64(LogLayout.headerSize) }
    }

    /// Where the salt was found.
    enum Origin: String {
        case copies = "header"
        case lockFile = "lock file"
        /// No copy verifies, but with the salt that stands in one of them frames do.
        case damagedCopy = "damaged header"
    }

    private(set) var copies: [Copy]
    /// The header by which the log is read; nil where none verifies.
    private(set) var header: LogHeader?
    private(set) var salt: UInt64?
    private(set) var origin: Origin?
    /// Why the log cannot be read by its copies.
    private(set) var fault: FormatError?

    /// Whether a newer program is needed.
    var isTooNew: Bool { fault?.kind == .unsupportedVersion }

    init(_ log: some LogBytes, lockCopy: LogHeader?) throws {
        copies = try [0, LogLayout.secondHeaderOffset].map { try Self.copy(at: $0, in: log) }
        do {
            let prefix = min(log.size, LogLayout.firstFrameOffset)
            let found = try log.withBytes(0..<prefix) { try HeaderCopies.decode($0) }
            header = found.header
            salt = found.header.salt
            origin = .copies
            copies[0].fault = found.firstFault
            copies[1].fault = found.secondFault
        } catch let error as FormatError {
            fault = error
        }
        if header == nil, !isTooNew { try rescueSalt(log, lockCopy: lockCopy) }
    }

    private static func copy(at offset: UInt64, in log: some LogBytes) throws -> Copy {
        var copy = Copy(offset: offset)
        let end = min(log.size, copy.range.upperBound)
        guard offset < end else {
            copy.fault = FormatError(.truncated, "the header is missing", offset: offset)
            return copy
        }
        try log.withBytes(offset..<end) { bytes in
            if bytes.byteCount == LogLayout.headerSize { copy.bytes = bytes.copy(0..<64) }
            do throws(FormatError) {
                _ = try LogHeader.decode(bytes)
            } catch {
                copy.fault = error
                copy.fault?.offset = offset
            }
        }
        return copy
    }

    /// Looks for a salt that proves a frame. The proof makes it safe: a frame whose checksum fits a
    /// wrong salt by chance is one in four thousand million.
    private mutating func rescueSalt(_ log: some LogBytes, lockCopy: LogHeader?) throws {
        if let lockCopy, try Self.proves(lockCopy.salt, log) {
            header = lockCopy
            salt = lockCopy.salt
            origin = .lockFile
            return
        }
        for bytes in copies.compactMap(\.bytes) {
            guard let field = Field.logHeader.value("salt", in: bytes),
                field != 0, try Self.proves(field, log)
            else { continue }
            salt = field
            origin = .damagedCopy
            return
        }
    }

    private static func proves(_ salt: UInt64, _ log: some LogBytes) throws -> Bool {
        let walker = LogWalker(log, salt: salt)
        return try walker.nextFrame(after: LogLayout.firstFrameOffset - 8) != nil
    }
}
