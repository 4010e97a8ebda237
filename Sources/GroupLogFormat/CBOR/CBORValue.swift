/// One CBOR data item as a value (RFC 8949).
///
/// It keeps what the data model distinguishes: the order of a map's entries, the width and every
/// bit of a float. It does not keep how heads were written: an indefinite length or a head longer
/// than needed is read, and written back in the shortest form.
///
/// Two values are equal when they are the same item: text is compared by its UTF-8 bytes (so two
/// spellings of one accented letter differ), maps with their order, floats by width and bits (so
/// a NaN equals itself, and 0.0 differs from -0.0).
public enum CBORValue: Sendable {
    /// 0 to 2^64 - 1.
    case unsigned(UInt64)
    /// -1 - n, that is -1 down to -2^64.
    case negative(UInt64)
    /// A byte string.
    case bytes([UInt8])
    /// A text string.
    case text(String)
    /// An array.
    case array([CBORValue])
    /// A map, its entries in the order in which they stand; keys may repeat.
    case map([CBORPair])
    /// An item with a tag number that says what it means.
    indirect case tagged(UInt64, CBORValue)
    /// A simple value; 24 to 31 do not exist and are refused when written.
    case simple(UInt8)
    /// A float of one of three widths.
    case float(CBORFloat)

    /// False.
    public static let `false` = CBORValue.simple(20)
    /// True.
    public static let `true` = CBORValue.simple(21)
    /// Null.
    public static let null = CBORValue.simple(22)
    /// Undefined.
    public static let undefined = CBORValue.simple(23)

    /// How many arrays, maps and tags may stand inside one another; more is refused, when read
    /// and when written, so that no program exhausts its stack on what a file contains.
    public static let maximumDepth = 512

    /// True or false.
    public static func bool(_ value: Bool) -> CBORValue { value ? .true : .false }

    /// An integer as the item that it is.
    public static func integer(_ value: Int64) -> CBORValue {
        value < 0 ? .negative(UInt64(bitPattern: ~value)) : .unsigned(UInt64(value))
    }

    /// A float of eight bytes.
    public static func double(_ value: Double) -> CBORValue { .float(.double(value.bitPattern)) }
}

/// One entry of a map.
public struct CBORPair: Hashable, Sendable {
    /// The entry's key, an item of any type.
    public var key: CBORValue
    /// The entry's value.
    public var value: CBORValue

    /// Makes an entry.
    public init(_ key: CBORValue, _ value: CBORValue) {
        self.key = key
        self.value = value
    }
}

extension CBORValue: Hashable {
    /// Whether two values are the same item.
    public static func == (a: CBORValue, b: CBORValue) -> Bool {
        guard a.startsLike(b) else { return false }
        guard a.childCount > 0 else { return true }
        // What starts alike holds as many values, so that the two stay side by side.
        var (left, right) = (CBORPreorder(a), CBORPreorder(b))
        while let a = left.next(), let b = right.next() {
            guard a.startsLike(b) else { return false }
        }
        return true
    }

    /// Whether two values are the same, but for those that stand in them.
    private func startsLike(_ other: CBORValue) -> Bool {
        switch (self, other) {
        case (.unsigned(let a), .unsigned(let b)), (.negative(let a), .negative(let b)): a == b
        case (.bytes(let a), .bytes(let b)): a == b
        case (.text(let a), .text(let b)): a.utf8.elementsEqual(b.utf8)
        case (.array(let a), .array(let b)): a.count == b.count
        case (.map(let a), .map(let b)): a.count == b.count
        case (.tagged(let a, _), .tagged(let b, _)): a == b
        case (.simple(let a), .simple(let b)): a == b
        case (.float(let a), .float(let b)): a == b
        default: false
        }
    }

    /// Feeds the item to a hasher.
    public func hash(into hasher: inout Hasher) {
        var rest = CBORPreorder(self)
        while let value = rest.next() { value.hashStart(into: &hasher) }
    }

    /// Feeds it to a hasher, but for the values that stand in it.
    private func hashStart(into hasher: inout Hasher) {
        switch self {
        case .unsigned(let value): Self.combine(0, value, into: &hasher)
        case .negative(let value): Self.combine(1, value, into: &hasher)
        case .bytes(let bytes): Self.combine(2, bytes, into: &hasher)
        case .text(let text):
            Self.combine(3, text.utf8.count, into: &hasher)
            for byte in text.utf8 { hasher.combine(byte) }
        case .array(let items): Self.combine(4, items.count, into: &hasher)
        case .map(let pairs): Self.combine(5, pairs.count, into: &hasher)
        case .tagged(let tag, _): Self.combine(6, tag, into: &hasher)
        case .simple(let value): Self.combine(7, value, into: &hasher)
        case .float(let value): Self.combine(8, value, into: &hasher)
        }
    }

    private static func combine(_ kind: UInt8, _ value: some Hashable, into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(value)
    }
}
