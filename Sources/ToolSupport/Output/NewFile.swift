package import GroupLogSystem

/// A file that appears under its name only when it is whole, in place of what was there.
package final class NewFile {
    private let descriptor: FileDescriptor
    private var offset: UInt64 = 0
    private var buffer: [UInt8] = []

    private static let bufferSize = 1 << 16

    private init(_ path: String, mode: UInt32) throws(SystemError) {
        descriptor = try FileDescriptor.open(path, .readWrite, .exclusive, mode: mode)
    }

    /// Has the body write a file and gives it its name, durably. If the body throws, no trace is
    /// left.
    ///
    /// - Parameters:
    ///   - isReplacing: whether a plain file that has the name gives way.
    ///   - mode: whatever the process's mask leaves of it is the file's mode, as for every program.
    package static func write(
        _ path: String, isReplacing: Bool = true, mode: UInt32 = 0o666,
        _ body: (NewFile) throws -> Void
    ) throws {
        try checkPlace(path, isReplacing)
        let directory = FileSystem.parent(of: path)
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        let temporary = directory + "/.grouplog-new-" + digits
        let file: NewFile
        do throws(SystemError) {
            file = try NewFile(temporary, mode: mode)
        } catch {
            let status: ExitStatus = error.errno.isPermission ? .noPermission : .cannotCreate
            throw ToolError(status, "cannot create '\(visible(path))': \(error.errno.reason)")
        }
        do {
            try body(file)
            try file.drain()
            try file.descriptor.synchronize(.full)
            if isReplacing {
                try FileSystem.rename(temporary, to: path)
            } else {
                try FileSystem.renameExclusively(temporary, to: path)
            }
        } catch {
            // The first error is the one to tell.
            _ = try? FileSystem.remove(temporary)
            throw error
        }
        try FileDescriptor.openDirectory(directory).synchronizeDirectory()
    }

    /// Only a plain file is replaced: a device or a link in its place means something else.
    private static func checkPlace(_ path: String, _ isReplacing: Bool) throws {
        let status: FileStatus
        do throws(SystemError) {
            status = try FileStatus.of(path: path)
        } catch {
            // Whatever is wrong with the place shows when the file is made.
            return
        }
        guard isReplacing else {
            throw ToolError(
                .cannotCreate, "cannot create '\(path)': it exists",
                hint: "name a file that does not")
        }
        guard status.kind != .regular else { return }
        throw ToolError(
            .cannotCreate, "cannot create '\(visible(path))': it exists and is not a plain file",
            hint: "let the shell redirect standard output to it")
    }

    package func write(_ bytes: [UInt8]) throws(SystemError) {
        buffer += bytes
        if buffer.count >= Self.bufferSize { try drain() }
    }

    private func drain() throws(SystemError) {
        let bytes = buffer
        var done = 0
        while done < bytes.count {
            let rest = unsafe bytes.span.bytes.extracting(done..<bytes.count)
            done += try descriptor.write(rest, at: offset + UInt64(done))
        }
        offset += UInt64(bytes.count)
        buffer = []
    }
}
