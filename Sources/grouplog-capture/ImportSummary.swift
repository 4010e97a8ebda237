import GroupLog
import ToolSupport

/// What became of the entries of an import.
struct ImportSummary {
    private(set) var added = 0
    private(set) var alreadyThere = 0
    private(set) var deletedHere = 0
    private(set) var withoutDate = 0
    /// Entries that cannot be used.
    var refused = 0

    mutating func count(_ entry: ImportEntry, _ outcome: RecordCollection.ImportOutcome) {
        switch outcome {
        case .added:
            added += 1
            if entry.hasTimeOfImport { withoutDate += 1 }
        case .present: alreadyThere += 1
        case .deleted: deletedHere += 1
        case .refused: refused += 1
        }
    }

    /// All numbers, by the names that they have in JSON and with the words for people.
    private func numbers(
        isRehearsal: Bool
    ) -> [(name: String, words: String, count: Int)] {
        [
            ("added", isRehearsal ? "would be added" : "added", added),
            ("alreadyThere", "already there", alreadyThere),
            ("deletedHere", "deleted here", deletedHere), ("refused", "refused", refused),
            ("withoutDate", "without a date", withoutDate),
        ]
    }

    /// Prints the numbers on one line.
    func print(on output: Output, asJSON: Bool, isRehearsal: Bool) throws {
        let numbers = numbers(isRehearsal: isRehearsal)
        let line = numbers.map { "\($0.words) \($0.count)" }.joined(separator: ", ")
        try output.tell("the import has ended (\(line))") {
            try asJSON ? printJSON(numbers, isRehearsal, on: output) : output.line(line)
        }
    }

    private func printJSON(
        _ numbers: [(name: String, words: String, count: Int)], _ isRehearsal: Bool,
        on output: Output
    ) throws {
        var writer = JSONWriter()
        writer.beginObject()
        for number in numbers {
            writer.member(number.name, number.count)
        }
        writer.member("dryRun", isRehearsal)
        writer.endObject()
        try output.line(json: &writer)
    }
}
