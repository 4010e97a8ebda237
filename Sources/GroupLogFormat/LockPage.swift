/// What writers tell one another in the lock file (FORMAT.md, "The lock file").
///
/// Nothing of it is trusted: the end of the log is proven in the log, and a page that does not
/// verify counts as empty. It saves work, and it names the holder to those who wait.
package struct LockPage: Hashable, Sendable {
    package static let magic: [UInt8] = [0x89, 0x47, 0x4C, 0x4C, 0x4B, 0x0D, 0x0A, 0x1A]

    /// The salt of the log that the other fields speak of.
    package var salt: UInt64
    /// Where the log ended when its last writer unlocked.
    package var end: UInt64
    /// The generation whose directory entry is known to be durable; 0 for none.
    package var durableGeneration: UInt64
    /// Tells the file that has this entry from a copy of it; 0 where no entry is durable.
    package var durableFile: UInt32

    /// Which start of the system the page was written in, 16 bytes; zeros where that is unknown.
    ///
    /// Since then no power can have been lost, so that what a writer left behind the end, if it was
    /// stopped, begins right there. After another start the slack is looked through once.
    package var bootID: [UInt8]

    package init(
        salt: UInt64, end: UInt64, durableGeneration: UInt64, durableFile: UInt32,
        bootID: [UInt8] = LockPage.unknownBoot
    ) {
        precondition(bootID.count == 16, "a boot id has 16 bytes")
        self.salt = salt
        self.end = end
        self.durableGeneration = durableGeneration
        self.durableFile = durableFile
        self.bootID = bootID
    }

    /// What tells a file from a copy of it: its device and inode numbers, as the system gives them.
    package static func fileMark(device: UInt64, inode: UInt64) -> UInt32 {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: device)
        bytes.append(littleEndian: inode)
        return unsafe Checksum.crc32c(bytes.span.bytes)
    }

    /// What stands in the place of a boot id that cannot be known.
    package static let unknownBoot = [UInt8](repeating: 0, count: 16)

    /// Where the copy of the log's header stands in the page.
    package static let headerOffset = 64
    /// Where the holder stands in the page.
    package static let holderOffset = 128
    /// The bytes of the fields that a commit changes.
    package static let size = 56

    package func encoded() -> [UInt8] {
        var bytes = Self.magic
        bytes.append(littleEndian: salt)
        bytes.append(littleEndian: end)
        bytes.append(littleEndian: durableGeneration)
        bytes += bootID
        bytes.append(littleEndian: durableFile)
        bytes.append(littleEndian: unsafe Checksum.crc32c(bytes.span.bytes))
        return bytes
    }

    package static func decode(_ bytes: RawSpan) -> LockPage? {
        guard bytes.byteCount >= size, bytes.equals(0..<8, magic),
            bytes.integer(at: 52) == Checksum.crc32c(bytes.extracting(0..<52))
        else { return nil }
        return LockPage(
            salt: bytes.integer(at: 8), end: bytes.integer(at: 16),
            durableGeneration: bytes.integer(at: 24), durableFile: bytes.integer(at: 48),
            bootID: bytes.copy(32..<48))
    }

    /// The copy of the log's header that the page keeps.
    package static func headerCopy(_ bytes: RawSpan) -> LogHeader? {
        do throws(FormatError) {
            return try LogHeader.decode(bytes, at: headerOffset)
        } catch {
            return nil
        }
    }
}

/// Who took the lock last, for what, and since when.
package struct LockHolder: Hashable, Sendable, CustomStringConvertible {
    /// The process.
    package var processID: Int32
    /// The process's name, at most 63 bytes.
    package var name: String
    /// What it does, at most 31 bytes.
    package var purpose: String
    /// When it took the lock, in microseconds since 1970; to within a second.
    package var since: Int64

    package init(processID: Int32, name: String, purpose: String, since: Int64) {
        self.processID = processID
        self.name = name
        self.purpose = purpose
        self.since = since
    }

    /// "name (process 123), purpose".
    package var description: String { "\(name) (process \(processID)), \(purpose)" }

    package static let size = 112

    package func encoded() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: UInt32(bitPattern: processID))
        bytes.append(littleEndian: UInt32(0))
        bytes.append(littleEndian: since)
        Self.append(name, field: 64, to: &bytes)
        Self.append(purpose, field: 32, to: &bytes)
        return bytes
    }

    package static func decode(_ page: RawSpan) -> LockHolder? {
        let start = LockPage.holderOffset
        guard page.byteCount >= start + size,
            let name = text(page, at: start + 16, field: 64),
            let purpose = text(page, at: start + 80, field: 32)
        else { return nil }
        let processID = Int32(bitPattern: page.integer(at: start, as: UInt32.self))
        guard processID > 0 else { return nil }
        return LockHolder(
            processID: processID, name: name, purpose: purpose, since: page.integer(at: start + 8))
    }

    private static func append(_ text: String, field: Int, to bytes: inout [UInt8]) {
        var part = text[...]
        while part.utf8.count > field - 1 { part.removeLast() }
        bytes.append(UInt8(part.utf8.count))
        bytes += Array(part.utf8)
        bytes.append(contentsOf: repeatElement(0, count: field - 1 - part.utf8.count))
    }

    private static func text(_ page: RawSpan, at offset: Int, field: Int) -> String? {
        let length = Int(page.integer(at: offset, as: UInt8.self))
        guard length < field else { return nil }
        return page.text(offset + 1..<offset + 1 + length)
    }
}
