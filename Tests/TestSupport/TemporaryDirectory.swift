package import Foundation

/// A directory that goes with its owner.
package final class TemporaryDirectory: Sendable {
    package let url: URL

    package init() throws {
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("grouplog-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    // What is left in the temporary directory harms nothing.
    deinit { _ = try? FileManager.default.removeItem(at: url) }

    package var path: String { url.path }
    package func path(_ name: String) -> String { url(name).path }
    package func url(_ name: String) -> URL { url.appendingPathComponent(name) }

    /// Where a test puts its store.
    package var store: String { path("test.grouplog") }
}

/// Whether the long proofs run in full.
package let isFull = ProcessInfo.processInfo.environment["GROUPLOG_FULL"] != nil
