/// The encoder that a value is given, and its container for a single value.
struct ItemEncoder: Encoder, SingleValueEncodingContainer {
    let place: EncodingState.Place

    var codingPath: [any CodingKey] { place.state.path(to: place) }
    var userInfo: [CodingUserInfoKey: Any] { place.state.session.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        place.state.open(.map, at: place)
        return KeyedEncodingContainer(MapEncoder<Key>(place: place))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        place.state.open(.array, at: place)
        return ArrayEncoder(place: place)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func encodeNil() throws { try place.state.nilSingle(at: place) }
    func encode(_ value: Int128) throws { try place.state.single(value, at: place) }
    func encode(_ value: UInt128) throws { try place.state.single(value, at: place) }
    func encode<T: Encodable>(_ value: T) throws { try place.state.single(value, at: place) }
}

/// A map that is being written.
///
/// One generic method serves the methods that Codable has for each basic type; those for the
/// widest integers must be spelled out, since Codable has defaults for them that fail. What models
/// mostly consist of is spelled out as well: the generic method has to find out that it is a leaf.
struct MapEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let place: EncodingState.Place

    var codingPath: [any CodingKey] { place.state.path(to: place) }

    func encodeNil(forKey key: Key) throws {
        try place.state.nilField(key: key, at: place)
    }

    func encode(_ value: Int128, forKey key: Key) throws {
        try place.state.field(value, key: key, at: place)
    }

    func encode(_ value: UInt128, forKey key: Key) throws {
        try place.state.field(value, key: key, at: place)
    }

    func encode(_ value: Bool, forKey key: Key) throws {
        try place.state.leafField(value, key: key, at: place)
    }

    func encode(_ value: Int, forKey key: Key) throws {
        try place.state.leafField(value, key: key, at: place)
    }

    func encode(_ value: Double, forKey key: Key) throws {
        try place.state.leafField(value, key: key, at: place)
    }

    func encode(_ value: String, forKey key: Key) throws {
        try place.state.leafField(value, key: key, at: place)
    }

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        try place.state.field(value, key: key, at: place)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        KeyedEncodingContainer(
            MapEncoder<NestedKey>(place: place.state.child(.map, key: key, in: .map, at: place)))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        ArrayEncoder(place: place.state.child(.array, key: key, in: .map, at: place))
    }

    func superEncoder() -> any Encoder {
        let key = PlaceKey.superclass
        return ItemEncoder(place: place.state.child(.undecided, key: key, in: .map, at: place))
    }

    func superEncoder(forKey key: Key) -> any Encoder {
        ItemEncoder(place: place.state.child(.undecided, key: key, in: .map, at: place))
    }
}

/// An array that is being written.
struct ArrayEncoder: UnkeyedEncodingContainer {
    let place: EncodingState.Place

    var codingPath: [any CodingKey] { place.state.path(to: place) }
    var count: Int { place.state.count(at: place) }

    func encodeNil() throws { try place.state.nilElement(at: place) }
    func encode(_ value: Int128) throws { try place.state.element(value, at: place) }
    func encode(_ value: UInt128) throws { try place.state.element(value, at: place) }
    func encode<T: Encodable>(_ value: T) throws { try place.state.element(value, at: place) }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        KeyedEncodingContainer(MapEncoder<NestedKey>(place: child(.map)))
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        ArrayEncoder(place: child(.array))
    }

    func superEncoder() -> any Encoder { ItemEncoder(place: child(.undecided)) }

    private func child(_ kind: EncodingLevel.Kind) -> EncodingState.Place {
        place.state.child(kind, key: PlaceKey.index(count), in: .array, at: place)
    }
}
