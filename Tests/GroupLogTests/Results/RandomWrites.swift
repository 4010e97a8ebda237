import Foundation
import TestSupport

@testable import GroupLog

/// Writes of all kinds to one store, in an order that a seed brings back.
struct RandomWrites {
    private let directory: TemporaryDirectory
    /// Two on one directory, as two processes have them.
    private let stores: [Store]
    /// Whether the log may be written over where it stands, which ends who has it mapped.
    private let overwrites: Bool
    private var random: SeededGenerator
    private var ids: [UUID] = []
    private var backup: Data?
    private(set) var replacementCount = 0
    private(set) var compactionCount = 0

    init(_ directory: TemporaryDirectory, stores: [Store], overwrites: Bool, seed: UInt64) {
        self.directory = directory
        self.stores = stores
        self.overwrites = overwrites
        random = SeededGenerator(seed: seed)
    }

    /// Some steps, of which each is a commit or a few.
    mutating func batch() throws -> Int {
        let count = Int.random(in: 1...6, using: &random)
        for _ in 0..<count { try step() }
        return count
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &random)
    }

    private mutating func bookmark() -> Bookmark {
        var bytes = random.next()
        let id = UUID(
            uuid: unsafe withUnsafeBytes(of: &bytes) { bytes in
                let b = unsafe Array(bytes)
                return (
                    b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7],
                    b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]
                )
            })
        return Bookmark(id: id, title: title(), createdAt: date())
    }

    private mutating func title() -> String { ["a", "b", "c"][number(0...2)] + "\(number(0...9))" }

    // Often the same.
    private mutating func date() -> Date {
        Date(timeIntervalSinceReferenceDate: Double(number(0...40)))
    }

    private mutating func step() throws {
        let items = stores[number(0...1)][Bookmark.self]
        let kind = number(0...99)
        if kind < 30 { return try insert(items) }
        guard let id = ids.randomElement(using: &random) else { return try insert(items) }
        let (title, date) = (title(), date())
        switch kind {
        case ..<45: try items.update(id) { $0.title = title }
        case ..<60: try items.update(id) { $0.createdAt = date }
        case ..<65:
            try items.update(id) {
                $0.title = title
                $0.createdAt = date
            }
        case ..<75: try delete([id], items)
        case ..<78: try rewrite(id, items)
        case ..<89: try transaction(id)
        case ..<91: try other()
        case ..<94: try insertMany(items)
        case ..<96: try delete(Array(try items.newest(limit: number(20...150)).map(\.id)), items)
        case ..<97: backup = try Data(contentsOf: log)
        case ..<98: try replace()
        default:
            try stores[number(0...1)].compact()
            compactionCount += 1
        }
    }

    private mutating func insert(_ items: ModelCollection<Bookmark>) throws {
        let bookmark = bookmark()
        try items.append(bookmark)
        ids.append(bookmark.id)
    }

    private mutating func insertMany(_ items: ModelCollection<Bookmark>) throws {
        let bookmarks = (0..<number(20...300)).map { _ in bookmark() }
        try items.append(contentsOf: bookmarks)
        ids += bookmarks.map(\.id)
    }

    private mutating func delete(_ gone: [UUID], _ items: ModelCollection<Bookmark>) throws {
        try stores[0].transaction { transaction in
            for id in gone { try transaction[Bookmark.self].delete(id) }
        }
        let gone = Set(gone)
        ids.removeAll { gone.contains($0) }
    }

    /// Writes what is there already; an append makes the record anew, and so moves it.
    private mutating func rewrite(_ id: UUID, _ items: ModelCollection<Bookmark>) throws {
        guard let bookmark = try items.get(id) else { return }
        try items.append(bookmark)
    }

    /// Several changes of one record in one commit, and of others.
    private mutating func transaction(_ id: UUID) throws {
        let (new, title, date, kind) = (bookmark(), title(), date(), number(0...4))
        try stores[number(0...1)].transaction { transaction in
            let items = transaction[Bookmark.self]
            switch kind {
            case 0:
                try items.update(id) { $0.title = title }
                try items.delete(id)
            case 1:
                try items.insert(new)
                try items.update(new.id) { $0.title = title }
                try items.delete(new.id)
            case 2:
                guard var old = try items.get(id) else { return }
                try items.delete(id)
                old.createdAt = date
                try items.insert(old)
            case 3:
                try items.update(id) { $0.createdAt = date }
                try items.update(id) { $0.title = title }
                try items.insert(new)
            default:
                try items.delete(id)
                try items.insert(new)
                try items.update(new.id) { $0.createdAt = date }
            }
        }
        if kind == 0 || kind == 4 { ids.removeAll { $0 == id } }
        if kind >= 3 { ids.append(new.id) }
    }

    /// What concerns no list.
    private func other() throws {
        try stores[0].keyValues.set(1, forKey: "count")
        try stores[1].transaction { try $0.keyValues.set("x", forKey: "text") }
    }

    private var log: URL { URL(fileURLWithPath: directory.store + "/log") }

    /// Puts an earlier state of the log in its place, or a copy of the log as it is.
    private mutating func replace() throws {
        let bytes = try backup ?? Data(contentsOf: log)
        if overwrites, Bool.random(using: &random) {
            let handle = try FileHandle(forWritingTo: log)
            try handle.truncate(atOffset: 0)
            try handle.write(contentsOf: bytes)
            try handle.close()
        } else {
            try bytes.write(to: log, options: .atomic)
        }
        replacementCount += 1
        ids = try stores[0][Bookmark.self].newest().map(\.id)
    }
}
