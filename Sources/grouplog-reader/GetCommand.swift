import GroupLog
import GroupLogFormat
import StoreToolSupport
import ToolSupport

/// `get`: records by their ids, whole.
enum GetCommand {
    static let ids = Argument<[RecordKey]>(
        repeating: "id", "The record's id.", required: true, as: .key)

    static let command = Command(
        "get", abstract: "Prints records whole.",
        discussion: """
            An id that no record has is told on standard error, the other records are printed, and \
            the exit status is 1.
            """,
        examples: [
            .init("A record", "grouplog-reader get 01234567-89ab-cdef-0123-456789abcdef"),
            .init("Its text alone", "grouplog-reader get --json ID | jq -r .text"),
        ],
        arguments: [ids], options: [ToolCollection.option]
    ) { invocation in
        let collection = invocation[ToolCollection.option]
        let view = try invocation.readView()
        var status = ExitStatus.done
        var isFirst = true
        var contexts = view.contexts()
        for key in invocation[ids] {
            let fields = try StoreError.translating(view.path) {
                try view.record(key, in: collection.name).map {
                    try view.printedFields(of: $0, in: collection, &contexts)
                }
            }
            guard let fields else {
                try invocation.noteMissing(key, in: collection, of: view)
                status = .notFound
                continue
            }
            if invocation[CommonOptions.json] {
                var writer = invocation.output.jsonWriter()
                writer.record(key, fields)
                try invocation.output.line(json: &writer)
            } else {
                if !isFirst { try invocation.output.write("\n") }
                try invocation.output.lines(of: key, fields)
            }
            isFirst = false
        }
        return status
    }
}

extension Output {
    /// A record for people: a line for each field, further lines of a text below it and indented.
    fileprivate func lines(of key: RecordKey, _ fields: [RecordField]) throws {
        let cells =
            [(ItemField.id, KeyText.text(key))] + fields.map { ($0.name, $0.value.cellText) }
        let indent = cells.reduce(0) { max($0, min($1.0.count, 20)) } + 2
        for (name, text) in cells {
            let name = visible(name)
            let padding = String(repeating: " ", count: max(1, indent - name.count - 1))
            try write(style(name + ":", .bold) + padding)
            try lines(of: text, indent: String(repeating: " ", count: indent))
        }
    }

    /// The lines of a text, those behind the first indented. A long line is written in pieces.
    private func lines(of text: String, indent: String) throws {
        let most = 1 << 16
        let utf8 = text.utf8
        var start = utf8.startIndex
        while true {
            var end = utf8.index(start, offsetBy: most, limitedBy: utf8.endIndex) ?? utf8.endIndex
            // A character stays whole.
            while end < utf8.endIndex, utf8[end] & 0xC0 == 0x80 { end = utf8.index(after: end) }
            let newline = utf8[start..<end].firstIndex(of: UInt8(ascii: "\n"))
            try write(visible(String(text[start..<(newline ?? end)])))
            if let newline {
                try write("\n" + indent)
                start = utf8.index(after: newline)
            } else if end < utf8.endIndex {
                start = end
            } else {
                return try write("\n")
            }
        }
    }
}
