import GroupLog
import GroupLogFormat
import StoreToolSupport
import ToolSupport

/// `count`: how many records a collection has.
enum CountCommand {
    static let command = Command(
        "count", abstract: "Counts the records of a collection.",
        discussion: """
            A collection that nobody wrote to has none. With --json it is an object with \
            'collection' and 'count'.
            """,
        examples: [.init("How many there are", "grouplog-reader count")],
        options: [ToolCollection.option]
    ) { invocation in
        let name = invocation[ToolCollection.option].name
        let view = try invocation.readView()
        let count = view.counts.first { ByteString($0.name) == ByteString(name) }?.count ?? 0
        guard invocation[CommonOptions.json] else {
            try invocation.output.line("\(count)")
            return .done
        }
        var writer = JSONWriter()
        writer.count(count, of: name)
        try invocation.output.line(json: &writer)
        return .done
    }
}

/// `collections`: the names of those that have records.
enum CollectionsCommand {
    static let command = Command(
        "collections", abstract: "Lists the collections that have records.",
        discussion: "With --json each is an object with 'collection' and 'count'.",
        examples: [.init("Names and counts", "grouplog-reader collections")]
    ) { invocation in
        let collections = try invocation.readView().userCollections
        if invocation[CommonOptions.json] {
            var writer = JSONWriter()
            for (name, count) in collections {
                writer.count(count, of: name)
                try invocation.output.line(json: &writer)
            }
            return .done
        }
        var table = Table(
            [.init("collection"), .init("records", alignsRight: true)], on: invocation.output)
        for (name, count) in collections { try table.add([.init(name), .init("\(count)")]) }
        try table.finish()
        return .done
    }
}

extension StoreView {
    /// The collections that are not the store's own, with how many records each has.
    var userCollections: [(name: String, count: Int)] {
        counts.filter { $0.name.utf8.first != UInt8(ascii: "$") }
    }
}

extension JSONWriter {
    mutating func count(_ count: Int, of collection: String) {
        beginObject()
        key("collection")
        string(collection)
        key("count")
        integer(count)
        endObject()
    }
}
