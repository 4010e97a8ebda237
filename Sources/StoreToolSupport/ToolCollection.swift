package import GroupLog
import GroupLogFormat
package import ToolSupport

/// A collection as the tools see it: `items`, whose fields have a meaning, or any other.
package struct ToolCollection: Sendable {
    package let name: String
    package let isItems: Bool

    /// The collection that is meant where none is named.
    package static let items = ToolCollection("items")

    /// `--collection`, the same for every command that has it.
    package static let option = Option<ToolCollection>(
        "collection", "name", "The collection.", as: .collection, default: .items)

    fileprivate init(_ name: String) {
        self.name = name
        isItems = ByteString(name) == ByteString("items")
    }

    /// What import and natural keys have to know of it.
    package var kind: ImportCollection { isItems ? .items : .any }

    /// Its records in a store.
    package func records(in store: Store) -> RecordCollection {
        RecordCollection(store, name: name, declaring: isItems ? ItemField.declared : [])
    }
}

extension ValueReader where Value == ToolCollection {
    /// A name that the store does not use for itself.
    package static var collection: ValueReader {
        ValueReader(show: { $0.name }) { text throws(ValueProblem) in
            let limit = LogLayout.maximumNameLength
            guard (1...limit).contains(text.utf8.count) else {
                throw ValueProblem("expected a name of 1 to \(limit) bytes")
            }
            guard text.utf8.first != UInt8(ascii: "$") else {
                throw ValueProblem("names that begin with '$' are the store's own")
            }
            return ToolCollection(text)
        }
    }
}
