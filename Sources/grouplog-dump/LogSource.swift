import GroupLogFormat
import GroupLogSystem
import ToolSupport

/// The log that a command line names: a file, or the `log` of a store's directory.
struct LogSource {
    /// The log's file.
    let path: String
    let bytes: FileBytes
    /// What the store's lock file says, where a directory was named.
    let lock: LockFile?
    let headers: LogHeaders
    /// The file whose header was to serve.
    private let otherPath: String?

    /// What stands in a store's lock file, as far as it verifies.
    struct LockFile {
        var path: String
        var page: LockPage?
        var header: LogHeader?
        var holder: LockHolder?
    }

    /// Opens a log to read it. Nothing is locked, made or changed.
    ///
    /// - Parameter other: a file that has a copy of the log's header, for a log that has none left.
    init(path named: String, headerFrom other: String? = nil) throws {
        let isDirectory = try Self.isDirectory(named)
        path = isDirectory ? named + "/log" : named
        bytes = try FileBytes(Self.open(path))
        lock = isDirectory ? try Self.readLock(named + "/lock") : nil
        otherPath = other
        headers = try LogHeaders(
            bytes, lockCopy: try other.map { try Self.header(from: $0) } ?? lock?.header)
    }

    /// A log's header from another file that has it: an older copy of the log, a quarantined file, or
    /// the lock file.
    private static func header(from path: String) throws -> LogHeader {
        let file = try isDirectory(path) ? path + "/log" : path
        let bytes = try FileBytes(open(file))
        for offset in [0, LogLayout.secondHeaderOffset, UInt64(LockPage.headerOffset)] {
            let end = offset + UInt64(LogLayout.headerSize)
            guard end <= bytes.size else { continue }
            let header = try bytes.withBytes(offset..<end) { bytes -> LogHeader? in
                do throws(FormatError) { return try LogHeader.decode(bytes) } catch { return nil }
            }
            if let header { return header }
        }
        throw ToolError(
            .badData, "'\(path)' has no header of a log that can be read",
            hint: "name an older copy of the log, a file in 'quarantine', or the file 'lock'")
    }

    private static func isDirectory(_ path: String) throws(SystemError) -> Bool {
        switch try FileStatus.of(path: path).kind {
        case .directory: return true
        case .regular, .other: return false
        case .symbolicLink:
            // With the point behind it, the link itself is no longer at the end of the path.
            do throws(SystemError) {
                return try FileStatus.of(path: path + "/.").kind == .directory
            } catch {
                return false
            }
        }
    }

    private static func open(_ path: String) throws -> FileDescriptor {
        switch try FileStatus.of(path: path).kind {
        case .regular: break
        case .symbolicLink:
            throw ToolError(
                .noInput, "'\(path)' is a symbolic link", hint: "name the file that it leads to")
        case .directory, .other:
            throw ToolError(
                .noInput, "'\(path)' is not a regular file",
                hint: "name a log's file or a store's directory")
        }
        return try FileDescriptor.open(path, .read)
    }

    /// A store without a lock file, or with one that says nothing, can be looked at all the same.
    private static func readLock(_ path: String) throws -> LockFile? {
        do throws(SystemError) {
            let file = try FileDescriptor.open(path, .read)
            var page = [UInt8](repeating: 0, count: LogLayout.lockPageSize)
            let count = try file.read(into: &page, at: 0)
            let bytes = unsafe page.span.bytes.extracting(0..<count)
            return LockFile(
                path: path, page: LockPage.decode(bytes), header: LockPage.headerCopy(bytes),
                holder: LockHolder.decode(bytes))
        } catch {
            if error.errno == .noSuchFile { return nil }
            return LockFile(path: path)
        }
    }
}

extension LogSource {
    /// The salt without which no frame can be read.
    func salt() throws(ToolError) -> UInt64 {
        if let salt = headers.salt { return salt }
        if let otherPath, !headers.isTooNew {
            throw ToolError(
                .badData, "no frame of '\(path)' fits the header in '\(otherPath)'",
                hint: "the header has to be of the same generation of the same log")
        }
        throw ToolError(
            .badData, "cannot read '\(path)': \(headers.fault.map(\.reason) ?? "no header")",
            hint: headers.isTooNew
                ? "use a newer version of this program"
                : lock == nil
                    ? "if the log is in a store, name the directory: its lock file has a copy of "
                        + "the header; 'salvage' takes one from any file" : nil)
    }
}
