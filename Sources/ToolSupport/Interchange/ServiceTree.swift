/// A JSON value that is to become an entry.
struct JSONEntry {
    let value: JSONValue
    let line: Int
    var folder: String?
    var warnings: [InterchangeWarning] = []
}

/// Exports that are one JSON object with the entries somewhere inside: Firefox, Chrome, Readability.
enum ServiceTree {
    /// The members by which such an object is known.
    static let names = ["roots", "bookmarks", "children"]

    static func isTree(_ value: JSONValue) -> Bool {
        guard let object = value.object else { return false }
        return object["roots"]?.object != nil || object["bookmarks"]?.array != nil
            || object["children"]?.array != nil
    }

    /// Under what name an object holds further objects, as the folders and files of programs do; nil
    /// for an object that is an entry itself. Taken for one, a folder would come in as a single
    /// record, and nobody would find what it held.
    static func containerName(of object: JSONObject) -> String? {
        object.members.first { member in
            containers.contains { $0.hasSameBytes(as: member.name) }
                && member.value.array?.contains { $0.object != nil } == true
        }?.name
    }

    private static let containers = [
        "bookmarks", "children", "entries", "folders", "items", "links",
    ]

    /// The entries of a document in their order; a document of no known service is an entry itself.
    static func entries(
        _ document: JSONValue, collection: ImportCollection, _ warnings: [InterchangeWarning]
    ) -> [JSONEntry] {
        let line = document.object?.line ?? 1
        guard collection == .items, isTree(document), let object = document.object else {
            return [JSONEntry(value: document, line: line, warnings: warnings)]
        }
        var found: [JSONEntry]
        if let elements = object["bookmarks"]?.array {
            found = elements.map { JSONEntry(value: $0, line: $0.object?.line ?? line) }
        } else if let roots = object["roots"]?.object {
            found = links(below: roots.members.map(\.value))
        } else {
            found = links(below: [document])
        }
        // What was repaired is told with its own line; the first entry carries it.
        if !found.isEmpty { found[0].warnings = warnings }
        return found
    }

    /// Walks folders in their order, with a stack of its own. What is neither a folder nor has an address is a separator.
    private static func links(below nodes: [JSONValue]) -> [JSONEntry] {
        var found: [JSONEntry] = []
        var stack = nodes.reversed().map { (node: $0, folder: String?.none) }
        while let (node, folder) = stack.popLast() {
            guard let object = node.object else { continue }
            if let children = object["children"]?.array {
                let name = (object["title"] ?? object["name"])?.string ?? ""
                // The root of Firefox has no name and is not counted as a folder.
                let path = name.isEmpty ? folder : folder.map { "\($0)/\(name)" } ?? name
                stack.append(contentsOf: children.reversed().map { ($0, path) })
            } else if object["uri"] != nil || object["url"] != nil {
                found.append(JSONEntry(value: node, line: object.line, folder: folder))
            }
        }
        return found
    }
}
