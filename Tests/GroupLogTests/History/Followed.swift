import GroupLogFile
import GroupLogFormat
import TestSupport

@testable import GroupLog

/// A store that others write to, and what a follower of it has seen.
final class Followed {
    private var follower: CommitFollower

    init(_ directory: TemporaryDirectory, from start: CommitFollower.Start = .now) throws {
        // Not mapped, since some tests cut the log.
        let store = try Store(
            path: directory.store, options: .init(role: .readOnly, mapping: .never))
        follower = try CommitFollower(store, from: start)
    }

    /// What one look finds: titles of puts, `-` for deletes, and what else happened in brackets.
    func look() throws -> [String] {
        var seen: [String] = []
        try follower.poll { event in
            switch event {
            case .commit(let commit):
                for change in commit.changes {
                    seen.append(try change.model(Bookmark.self)?.title ?? "-")
                }
            case .damage(let damage): seen.append("[\(damage.cause.rawValue)]")
            case .replaced: seen.append("[replaced]")
            }
        }
        return seen
    }
}
