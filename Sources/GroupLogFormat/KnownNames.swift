/// The name tables that were read before, by their bytes.
///
/// Nearly all frames of a log have one of a few tables, and making the texts of one costs more than
/// the rest of reading a small frame. Only tables that were found good are known, so that nothing
/// has to be looked at again in bytes that are the same.
package struct KnownNames: Sendable {
    private struct Table: Sendable {
        var bytes: [UInt8]
        var names: [String]
    }

    private var tables: [Table] = []
    /// Which one gives way to the next new one.
    private var oldest = 0

    private static let limit = 8
    /// Longer tables are not worth their room.
    private static let longestTable = 4096

    package init() {}

    /// The names of a table of so many, if it is known.
    func names(_ bytes: RawSpan, count: Int) -> [String]? {
        for table in tables where table.names.count == count {
            if bytes.equals(0..<bytes.byteCount, table.bytes) { return table.names }
        }
        return nil
    }

    /// Takes up a table that is good.
    mutating func add(_ bytes: RawSpan, _ names: [String]) {
        guard bytes.byteCount <= Self.longestTable else { return }
        let table = Table(bytes: bytes.copy(0..<bytes.byteCount), names: names)
        if tables.count < Self.limit {
            tables.append(table)
        } else {
            tables[oldest] = table
            oldest = (oldest + 1) % Self.limit
        }
    }
}
