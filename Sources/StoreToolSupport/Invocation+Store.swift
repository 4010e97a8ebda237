package import GroupLog
import GroupLogFormat
import GroupLogSystem
package import ToolSupport

extension Invocation {
    /// Opens the store that the invocation means.
    ///
    /// A store that is missing is made only where `isCreated`. Missing directories above it are made
    /// for the store that is meant where none is named, and never for one that is: its path may have
    /// been misspelt.
    package func openStore(
        as role: StoreOptions.Role, isCreated: Bool = false
    ) throws -> Store {
        let path = try CommonOptions.storeDirectory(self)
        let options = try storeOptions(role, path)
        if !isCreated && role != .readOnly {
            // Only this role never makes a store.
            _ = try Store(path: path, options: StoreOptions(role: .readOnly))
        }
        do {
            return try Store(path: path, options: options)
        } catch StoreError.Code.noParent
            where isCreated && CommonOptions.namedStoreDirectory(self) == nil
        {
            do throws(SystemError) {
                try makeDirectories(upTo: FileSystem.parent(of: path))
            } catch {
                throw ToolError(.cannotCreate, "cannot make '\(error.path)': \(error.errno.reason)")
            }
            return try Store(path: path, options: options)
        }
    }

    private func storeOptions(
        _ role: StoreOptions.Role, _ path: String
    ) throws(ToolError) -> StoreOptions {
        let author = values.value(of: CommonOptions.author) ?? nil
        let limit = LogLayout.maximumNameLength
        guard (author ?? "").utf8.count <= limit else {
            throw ToolError(.usage, "the author's name has more than \(limit) bytes")
        }
        let isQuiet = self[CommonOptions.quiet]
        var options = StoreOptions(
            role: role, author: author,
            // A log that somebody cuts must not stop a tool.
            mapping: .never, purpose: self.path.command.name,
            onLongWait: { if !isQuiet { note("waiting for the lock of '\(path)'") } })
        if let seconds = values.value(of: CommonOptions.timeout) {
            options.lockTimeout = .seconds(seconds)
        }
        return options
    }
}

/// Makes a directory and those above it that are missing.
private func makeDirectories(upTo path: String) throws(SystemError) {
    do throws(SystemError) {
        try FileSystem.makeDirectory(path)
    } catch {
        let parent = FileSystem.parent(of: path)
        guard error.errno == .noSuchFile, parent.utf8.count < path.utf8.count else { throw error }
        try makeDirectories(upTo: parent)
        try FileSystem.makeDirectory(path)
    }
}
