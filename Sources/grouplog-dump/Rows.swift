import ToolSupport

/// What a command prints a line each of: columns for people, or an object for programs.
protocol Row {
    static var columns: [Table.Column] { get }
    var cells: [Table.Cell] { get }
    /// Writes one object.
    func write(to writer: inout JSONWriter)
}

/// Prints rows in the form that was asked for, up to a limit.
struct Rows<Item: Row>: ~Copyable {
    private let output: Output
    private let isJSON: Bool
    private var left: Int
    private var table: Table
    private var writer: JSONWriter

    init(_ invocation: Invocation, limit: Int? = nil) {
        output = invocation.output
        writer = output.jsonWriter()
        isJSON = invocation[CommonOptions.json]
        left = limit ?? .max
        table = Table(Item.columns, on: output)
    }

    /// Prints a row; gives whether another one is wanted.
    mutating func add(_ row: Item) throws -> Bool {
        guard left > 0 else { return false }
        left -= 1
        if isJSON {
            row.write(to: &writer)
            try output.line(json: &writer)
        } else {
            try table.add(row.cells)
        }
        return left > 0
    }

    mutating func finish() throws { try table.finish() }
}
