import GroupLogFormat

/// The decoder that a type is given, and its container for a single value.
struct ItemDecoder: Decoder, SingleValueDecodingContainer {
    let place: DecodingPlace

    var codingPath: [any CodingKey] { place.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { place.state.userInfo }

    func container<Key: CodingKey>(
        keyedBy type: Key.Type
    ) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(try MapDecoder<Key>(place))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try ArrayDecoder(place) }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { (try? place.isNull(at: place.offset)) ?? false }
    func decode(_ type: Int128.Type) throws -> Int128 { try place.decode(type) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try place.decode(type) }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try place.decode(type) }
}

/// A map that is being read.
///
/// As in the encoder, one generic method serves all basic types but the widest integers.
struct MapDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let place: DecodingPlace
    private let fields: DecodingFields

    init(_ place: DecodingPlace) throws {
        self.place = place
        fields = try place.state.fields(at: place)
    }

    var codingPath: [any CodingKey] { place.codingPath }

    /// A key's type may know numbers alone, and the digits of one may stand in a table of names.
    var allKeys: [Key] {
        fields.entries.compactMap { entry in
            let number = { Int(entry.name).flatMap(Key.init(intValue:)) }
            if entry.isInteger, let key = number() { return key }
            return Key(stringValue: entry.name) ?? number()
        }
    }

    func contains(_ key: Key) -> Bool { fields.value(of: key.stringValue) != nil }

    private func offset<K: CodingKey>(of key: K) throws -> Int {
        guard let offset = fields.value(of: key.stringValue) else {
            throw DecodingError.keyNotFound(
                key,
                .init(
                    codingPath: codingPath,
                    debugDescription: "the map has no key '\(key.stringValue)'"))
        }
        return offset
    }

    private func inner<K: CodingKey>(_ key: K) throws -> DecodingPlace {
        place.inner(key, at: try offset(of: key))
    }

    func decodeNil(forKey key: Key) throws -> Bool { try place.isNull(at: try offset(of: key)) }

    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
        try decodeValue(type, forKey: key)
    }

    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
        try decodeValue(type, forKey: key)
    }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try decodeValue(type, forKey: key)
    }

    @inline(__always)
    private func decodeValue<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        var reader = CBORReader(at: try offset(of: key))
        return try place.decode(type, key, &reader)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        KeyedDecodingContainer(try MapDecoder<NestedKey>(inner(key)))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try ArrayDecoder(inner(key))
    }

    func superDecoder() throws -> any Decoder {
        ItemDecoder(place: try inner(PlaceKey.superclass))
    }

    func superDecoder(forKey key: Key) throws -> any Decoder { ItemDecoder(place: try inner(key)) }
}

/// An array that is being read.
struct ArrayDecoder: UnkeyedDecodingContainer {
    private let place: DecodingPlace
    private var reader: CBORReader
    /// How many elements there are; nil where only a break will tell.
    let count: Int?
    private(set) var currentIndex = 0

    init(_ place: DecodingPlace) throws {
        self.place = place
        reader = CBORReader(at: place.offset)
        let bytes = place.state.bytes
        do {
            let head = try reader.head(.array, in: unsafe bytes.span.bytes)
            count = head.isIndefinite ? nil : Int(clamping: head.argument)
        } catch {
            throw place.refusal([Any].self, error)
        }
    }

    var codingPath: [any CodingKey] { place.codingPath }

    var isAtEnd: Bool {
        if let count { return currentIndex >= count }
        let bytes = place.state.bytes
        var ahead = reader
        return (try? ahead.head(in: unsafe bytes.span.bytes))?.isBreak ?? true
    }

    private func element(_ type: any Any.Type) throws -> PlaceKey {
        let key = PlaceKey.index(currentIndex)
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                type,
                .init(
                    codingPath: codingPath + [key],
                    debugDescription: "the array has no more than \(currentIndex) elements"))
        }
        return key
    }

    private mutating func inner(_ type: any Any.Type) throws -> DecodingPlace {
        place.inner(try element(type), at: reader.offset)
    }

    /// Goes on to the next element, from the beginning of the current one or from its end.
    private mutating func advance(past start: Int) throws {
        if reader.offset == start {
            let bytes = place.state.bytes
            do {
                try reader.skip(in: unsafe bytes.span.bytes)
            } catch {
                throw place.damaged(error)
            }
        }
        currentIndex += 1
    }

    mutating func decodeNil() throws -> Bool {
        _ = try element(Any?.self)
        guard try place.isNull(at: reader.offset) else { return false }
        try advance(past: reader.offset)
        return true
    }

    mutating func decode(_ type: Int128.Type) throws -> Int128 { try decodeValue(type) }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try decodeValue(type) }
    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try decodeValue(type) }

    @inline(__always)
    private mutating func decodeValue<T: Decodable>(_ type: T.Type) throws -> T {
        let start = reader.offset
        let key = try element(type)
        var ahead = reader
        let value = try place.decode(type, key, &ahead)
        reader = ahead
        try advance(past: start)
        return value
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        let container = try MapDecoder<NestedKey>(inner([String: Any].self))
        try advance(past: reader.offset)
        return KeyedDecodingContainer(container)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try ArrayDecoder(inner([Any].self))
        try advance(past: reader.offset)
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = ItemDecoder(place: try inner((any Decoder).self))
        try advance(past: reader.offset)
        return decoder
    }
}
