import GroupLogFormat

/// The entries of a map, by name.
///
/// A class, since copies of a container look on from where the last one was found: fields are
/// nearly always asked for in the order in which they stand.
final class DecodingFields {
    struct Entry {
        let name: String
        /// Whether the key was an integer, whose digits are the name.
        let isInteger: Bool
        /// Where the value begins.
        let value: Int
    }

    private(set) var entries: [Entry] = []
    private var byName: [FieldName: Int] = [:]
    private var next = 0

    /// Beyond this many entries, a hash table takes the place of looking through them.
    private static let scanLimit = 16

    /// Makes room for a number of entries.
    func reserve(_ count: Int) { entries.reserveCapacity(count) }

    /// Adds an entry; false where there is one of its name.
    func add(_ name: String, isInteger: Bool, value: Int) -> Bool {
        let place = entries.count
        if place < Self.scanLimit {
            guard !entries.contains(where: { $0.name.hasSameBytes(as: name) }) else { return false }
        } else {
            if place == Self.scanLimit {
                for (place, entry) in entries.enumerated() {
                    byName[FieldName(text: entry.name)] = place
                }
            }
            guard byName.updateValue(place, forKey: FieldName(text: name)) == nil else {
                return false
            }
        }
        entries.append(Entry(name: name, isInteger: isInteger, value: value))
        return true
    }

    /// Where the value of a field begins; nil where the map has no such field.
    func value(of name: String) -> Int? {
        if next < entries.count, entries[next].name.hasSameBytes(as: name) {
            return found(next)
        }
        if next > 0, entries[next - 1].name.hasSameBytes(as: name) {
            return entries[next - 1].value
        }
        guard entries.count <= Self.scanLimit else {
            return byName[FieldName(text: name)].map { found($0) }
        }
        return entries.firstIndex { $0.name.hasSameBytes(as: name) }.map { found($0) }
    }

    private func found(_ place: Int) -> Int {
        next = place + 1
        return entries[place].value
    }
}
