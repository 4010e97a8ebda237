extension String {
    /// Whether the UTF-8 is the same: `==` also holds for two spellings of one character.
    func hasSameBytes(as other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
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
struct PlaceKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(index: Int) {
        stringValue = "Index \(index)"
        intValue = index
    }

    init?(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init?(intValue: Int) { self.init(index: intValue) }

    private init(name: String) {
        stringValue = name
        intValue = nil
    }

    /// The key under which a superclass is stored when the class gives none.
    static let superclass = PlaceKey(name: "super")
}
