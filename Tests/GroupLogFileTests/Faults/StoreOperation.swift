import GroupLogFormat
import Testing

@testable import GroupLogFile

/// What a sequence does to a store, a step at a time.
enum StoreOperation: CaseIterable, Sendable {
    case append, update, delete, batch, compact

    /// All sequences of a length that begin with this operation.
    func sequences(ofLength length: Int) -> [[StoreOperation]] {
        (1..<length).reduce([[self]]) { known, _ in
            known.flatMap { sequence in Self.allCases.map { sequence + [$0] } }
        }
    }

    /// What it changes as the `step`th of a sequence. Some is longer than a page of a disk, and the
    /// keys are few, so that what one has deleted or changed another one meets.
    func changes(step: Int) -> [StoreChange] {
        func text(_ length: Int) -> String {
            "\(self) \(step) " + String(repeating: "\(step)", count: length)
        }
        switch self {
        case .append: return [.init("n\(step)", text([20, 5_000, 700][step % 3]))]
        case .update: return [.init("a", text([700, 20, 5_000][step % 3]))]
        case .delete: return [.init("a", nil)]
        case .batch:
            return [
                .init("b", text(4_500)), .init("m\(step)", text(30)), .init("d", nil),
                .init("a", text(600)),
            ]
        case .compact: return []
        }
    }

    /// How the batch is written: as one transaction, or as two frames of which each record stands
    /// for itself, as those of an import.
    func frames(step: Int, isIndependent: Bool) throws -> [FrameBuilder] {
        let changes = changes(step: step)
        guard self == .batch, isIndependent else { return [try StoreChange.frame(changes[...])] }
        let half = changes.count / 2
        return try [changes[..<half], changes[half...]].map {
            try StoreChange.frame($0, .independent)
        }
    }
}

/// A record of a model of the store.
struct StoreChange {
    var key: String
    /// Nil where it is deleted.
    var text: String?

    init(_ key: String, _ text: String?) { (self.key, self.text) = (key, text) }

    static func frame(
        _ changes: ArraySlice<StoreChange>, _ flags: FrameFlags = []
    ) throws -> FrameBuilder {
        var builder = FrameBuilder(author: "test", flags: flags, leadingNames: ["items"])
        for change in changes {
            let key = try #require(RecordKey(text: change.key))
            guard let text = change.text else {
                try builder.append(kind: .delete, collection: "items", key: key)
                continue
            }
            try builder.append(
                kind: .put, collection: "items", key: key,
                content: .init(bytes: Array(text.utf8), isIndexed: false))
        }
        return builder
    }
}

/// What a store may hold: the text of each key, nil for one that was deleted.
struct StoreModel: Hashable {
    var items: [String: String?] = [:]

    mutating func apply(_ changes: some Sequence<StoreChange>) {
        for change in changes { items[change.key] = .some(change.text) }
    }

    func applying(_ changes: some Sequence<StoreChange>) -> StoreModel {
        var model = self
        model.apply(changes)
        return model
    }
}

extension StoreModel: CustomStringConvertible {
    var description: String {
        items.sorted { $0.key < $1.key }
            .map { "\($0.key): \($0.value.map { "\($0.prefix(10)) (\($0.utf8.count))" } ?? "-")" }
            .joined(separator: ", ")
    }
}
