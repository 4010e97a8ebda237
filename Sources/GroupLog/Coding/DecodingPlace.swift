import GroupLogFormat

/// An item that is being decoded: where it is, and how the decoding came there.
struct DecodingPlace {
    let state: DecodingState
    let offset: Int
    private let path: Step?

    /// The last key of a path, and the path to it; made into an array for errors alone.
    private final class Step {
        let key: any CodingKey
        let outer: Step?

        init(_ key: any CodingKey, outer: Step?) {
            self.key = key
            self.outer = outer
        }
    }

    /// The whole value.
    init(state: DecodingState) {
        self.init(state: state, offset: 0, path: nil)
    }

    private init(state: DecodingState, offset: Int, path: Step?) {
        self.state = state
        self.offset = offset
        self.path = path
    }

    /// An item inside this one.
    func inner(_ key: any CodingKey, at offset: Int) -> DecodingPlace {
        DecodingPlace(state: state, offset: offset, path: Step(key, outer: path))
    }

    var codingPath: [any CodingKey] {
        var keys: [any CodingKey] = []
        var step = path
        while let current = step {
            keys.append(current.key)
            step = current.outer
        }
        return keys.reversed()
    }

    /// Whether the item at an offset, this one or one inside it, is null.
    func isNull(at offset: Int) throws -> Bool {
        let reader = CBORReader(at: offset)
        let bytes = state.bytes
        do {
            return try reader.isNull(in: unsafe bytes.span.bytes)
        } catch {
            throw damaged(error)
        }
    }

    /// Decodes the value of an item inside this one.
    ///
    /// - Parameter reader: stands at the item; afterwards behind it, where a leaf was read, else
    ///   still there.
    @inline(__always)
    func decode<T: Decodable, K: CodingKey>(
        _ type: T.Type, _ key: K, _ reader: inout CBORReader
    ) throws -> T {
        let start = reader.offset
        if let leaf = try leaf(type, &reader, { inner(key, at: start) }) { return leaf }
        let place = inner(key, at: start)
        return try state.nested(at: place) { try T(from: ItemDecoder(place: place)) }
    }

    /// Decodes the item itself as another type.
    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        var reader = CBORReader(at: offset)
        if let leaf = try leaf(type, &reader, { self }) { return leaf }
        return try state.nested(at: self) { try T(from: ItemDecoder(place: self)) }
    }

    /// Reads a leaf; nil where the type is none, or has its own Codable read this item.
    @inline(__always)
    private func leaf<T>(
        _ type: T.Type, _ reader: inout CBORReader, _ place: () -> DecodingPlace
    ) throws -> T? {
        guard let leaf = type as? any CodedLeaf.Type else { return nil }
        let bytes = state.bytes
        do {
            return try leaf.read(&reader, in: unsafe bytes.span.bytes) as? T
        } catch let error as CBORError {
            throw place().refusal(type, error)
        } catch let fault as LeafFault {
            throw place().corrupted(fault.reason)
        }
    }
}

extension DecodingPlace {
    func corrupted(_ reason: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: codingPath, debugDescription: reason))
    }

    func damaged(_ error: CBORError) -> DecodingError {
        .dataCorrupted(
            .init(
                codingPath: codingPath, debugDescription: error.description,
                underlyingError: error))
    }

    /// The error for an item that was not of the type that was asked for.
    func refusal(_ type: any Any.Type, _ error: CBORError) -> any Error {
        guard error.reason == .unexpectedType else { return damaged(error) }
        if (try? isNull(at: offset)) == true {
            return DecodingError.valueNotFound(
                type,
                .init(
                    codingPath: codingPath, debugDescription: "found null instead of \(type)"))
        }
        return DecodingError.typeMismatch(
            type,
            .init(
                codingPath: codingPath, debugDescription: "the CBOR item is not a \(type)",
                underlyingError: error))
    }
}
