#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
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
        return try decode(type, &reader) { inner(key, at: start) }
    }

    /// Decodes the item itself as another type.
    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        var reader = CBORReader(at: offset)
        return try decode(type, &reader) { self }
    }

    /// - Parameter place: gives the item's place; a function, since a leaf without a fault needs
    ///   none.
    @inline(__always)
    private func decode<T: Decodable>(
        _ type: T.Type, _ reader: inout CBORReader, _ place: () -> DecodingPlace
    ) throws -> T {
        if let leaf = Self.leaf(type) {
            let bytes = state.bytes
            let span = unsafe bytes.span.bytes
            do {
                if try leaf.isLeaf(reader, in: span) {
                    return try Self.read(leaf, &reader, in: span)
                }
            } catch let error as CBORError {
                throw place().refusal(type, error)
            } catch let fault as LeafFault {
                throw place().corrupted(fault.reason)
            }
        }
        let place = place()
        return try state.nested(at: place) { try T(from: ItemDecoder(place: place)) }
    }

    /// The type as a leaf, if it is one. To look for a conformance costs more than to read most
    /// leaves, and these two are in nearly every record.
    @inline(__always)
    private static func leaf<T>(_ type: T.Type) -> (any CodedLeaf.Type)? {
        if type == UUID.self { return UUID.self }
        if type == Date.self { return Date.self }
        return type as? any CodedLeaf.Type
    }

    /// Reads a leaf as the type that it is.
    @inline(__always)
    private static func read<L: CodedLeaf, T>(
        _ leaf: L.Type, _ reader: inout CBORReader, in bytes: RawSpan
    ) throws -> T {
        precondition(L.self == T.self, "a leaf is read as its own type")
        return unsafe unsafeBitCast(try L.read(&reader, in: bytes), to: T.self)
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
