/// The checksums of the last commits of a log, by which tokens are checked when the commits
/// themselves have been copied away (FORMAT.md, "Mark").
struct CommitChecksums {
    /// Of the commits up to `last`, one a sequence; 0 where it is not known.
    private var checksums: [UInt32] = []
    private(set) var last: UInt64 = 0

    /// Notes a commit; nil where its checksum cannot be read any more.
    mutating func note(_ checksum: UInt32?, ofCommit sequence: UInt64) {
        // Sequences only rise, whatever a log with damage or of a foreign writer looks like.
        guard sequence > last else { return }
        let missing = checksums.isEmpty ? 0 : sequence - last - 1
        if missing >= UInt64(MarkContent.maximumCommits) {
            checksums = []
        } else {
            checksums += repeatElement(0, count: Int(missing))
        }
        checksums.append(checksum ?? 0)
        last = sequence
        // Not with each commit, since it moves all of them.
        if checksums.count >= 2 * MarkContent.maximumCommits { trim() }
    }

    /// Takes over what the mark of the log knows of commits before.
    mutating func takeUp(_ mark: MarkContent) {
        checksums = mark.checksums
        last =
            checksums.isEmpty ? mark.lastSequence : mark.firstCommit + UInt64(checksums.count) - 1
        if last < mark.lastSequence { note(nil, ofCommit: mark.lastSequence) }
    }

    private mutating func trim() {
        checksums.removeFirst(max(0, checksums.count - MarkContent.maximumCommits))
    }

    /// The last 4,096, and the sequence of the first of them.
    mutating func newest() -> (firstCommit: UInt64, checksums: [UInt32]) {
        trim()
        return (last + 1 - UInt64(checksums.count), checksums)
    }
}
