import GroupLog
import Testing

/// What a store must hold, by what its processes said before and after each change.
struct Expectation {
    /// What a note may be: nil where it may be deleted or was never there.
    private(set) var notes: [String: Set<String?>] = [:]
    private(set) var counts: ClosedRange<Int> = 0...0
    /// How many edits and deletions were acknowledged.
    private(set) var changes = 0
    /// The changes that were acknowledged, in the order of each note.
    private(set) var acknowledged: [String: [String?]] = [:]

    /// Takes up the lines of a process; one that was killed may have done what it did not say.
    mutating func takeUp(_ lines: [String], wasKilled: Bool = false) {
        var attempt: [String]?
        for line in lines {
            let words = line.split(separator: " ", maxSplits: 3)
            switch words[0] {
            case "try": attempt = words.dropFirst().map(String.init)
            case "count":
                counts = counts.lowerBound + 1...counts.upperBound + 1
                attempt = nil
            case "edit", "delete":
                let words = line.split(separator: " ", maxSplits: 2)
                changes += 1
                note(words[0] == "edit" ? String(words[2]) : nil, of: String(words[1]))
                attempt = nil
            case "compacted", "superseded": break
            default: note(Self.text(of: line), of: line)
            }
        }
        guard wasKilled, let attempt else { return }
        switch attempt[0] {
        case "count": counts = counts.lowerBound...counts.upperBound + 1
        case let what:
            notes[attempt[1], default: [Self.text(of: attempt[1])]]
                .insert(what == "edit" ? attempt[2] : nil)
        }
    }

    /// Notes that a note may be there of which no one said so.
    mutating func allow(_ id: String) { notes[id, default: [nil]].insert(Self.text(of: id)) }

    private mutating func note(_ text: String?, of id: String) {
        notes[id] = [text]
        acknowledged[id, default: []].append(text)
    }

    static func text(of id: String) -> String {
        let parts = id.split(separator: "/")
        guard parts.count == 2, let number = Int(parts[1]) else { return "" }
        return Note(writer: String(parts[0]), number: number).text
    }

    /// Compares with the store, and reports what is wrong: nothing lost, nothing back that was
    /// deleted, nothing besides.
    func check(
        _ path: String, _ comment: Comment = "", sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let differences = try differences(from: path)
        #expect(differences == [], comment, sourceLocation: sourceLocation)
    }

    private func differences(from path: String) throws -> [String] {
        let store = try Store(path: path, options: StoreOptions(role: .readOnly))
        var result: [String] = []
        if !(try store.receipt().isClean) { result.append("damage: \(try store.receipt())") }
        var found: [String: String] = [:]
        for note in try store[Note.self].newest() { found[note.id] = note.text }
        let count = found.removeValue(forKey: Note.counter).flatMap { Int($0) } ?? 0
        if !counts.contains(count) { result.append("counted to \(count), not \(counts)") }
        for (id, texts) in notes where !texts.contains(found[id]) {
            result.append("\(id) is \(Self.short(found[id])), not \(texts.map(Self.short))")
        }
        for id in found.keys where notes[id] == nil { result.append("\(id) is from nobody") }
        return result
    }

    private static func short(_ text: String?) -> String {
        guard let text else { return "deleted" }
        return text.count > 40 ? "\(text.prefix(20))… (\(text.count))" : "'\(text)'"
    }
}

extension Expectation {
    /// Compacts once more, and reports what is wrong then: nothing may be left beside the log.
    func checkAfterCompaction(
        of path: String, _ comment: Comment = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let store = try Store(path: path, options: StoreOptions(lockTimeout: .seconds(60)))
        try store.compact()
        try check(path, comment, sourceLocation: sourceLocation)
        #expect(!exists(path + "/log.new"), comment, sourceLocation: sourceLocation)
    }
}
