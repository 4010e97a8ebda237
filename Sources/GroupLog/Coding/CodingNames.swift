import GroupLogFormat

extension String {
    /// Whether the UTF-8 is the same: `==` also holds for two spellings of one character.
    func hasSameBytes(as other: String) -> Bool {
        utf8.count == other.utf8.count && ByteString(self) == ByteString(other)
    }
}

/// A field's name, compared by its bytes.
struct FieldName: Hashable {
    var text: String

    static func == (a: FieldName, b: FieldName) -> Bool { a.text.hasSameBytes(as: b.text) }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

/// The place of an element in an array, or the key of a superclass, in coding paths.
enum PlaceKey: CodingKey {
    case index(Int)
    /// The key under which a superclass is stored when the class gives none.
    case superclass

    init?(stringValue: String) {
        guard stringValue == PlaceKey.superclass.stringValue else { return nil }
        self = .superclass
    }

    init?(intValue: Int) { self = .index(intValue) }

    var stringValue: String {
        switch self {
        case .index(let index): "Index \(index)"
        case .superclass: "super"
        }
    }

    var intValue: Int? {
        switch self {
        case .index(let index): index
        case .superclass: nil
        }
    }
}
