import GroupLogFormat

/// The bytes of a value that is being decoded, and how deep in it the decoding is.
final class DecodingState {
    /// One item, which has been checked to be well-formed, and behind it the fields' that are
    /// given back.
    let bytes: [UInt8]
    let userInfo: [CodingUserInfoKey: Any]
    private var nameAt: ((Int) throws -> String?)?
    private let injected: [(name: String, offset: Int)]
    private var depth = 0

    init(
        _ bytes: RawSpan, nameAt: ((Int) throws -> String?)?,
        injecting fields: [(name: String, value: [UInt8])], userInfo: [CodingUserInfoKey: Any]
    ) throws {
        var own: [UInt8] = []
        own.reserveCapacity(fields.reduce(bytes.byteCount) { $0 + $1.value.count })
        own.append(bytes, 0..<bytes.byteCount)
        var injected: [(String, Int)] = []
        injected.reserveCapacity(fields.count)
        for field in fields {
            injected.append((field.name, own.count))
            own += field.value
        }
        self.bytes = own
        self.injected = injected
        self.nameAt = nameAt
        self.userInfo = userInfo
        var reader = CBORReader()
        do throws(CBORError) {
            try reader.skip(in: bytes)
            guard reader.offset == bytes.byteCount else {
                throw CBORError(.trailingBytes, at: reader.offset)
            }
        } catch {
            throw DecodingPlace(state: self).damaged(error)
        }
    }

    /// Lets go of what was lent for the decoding.
    func end() { nameAt = nil }

    /// Calls a function that reads a value inside the one that is being read.
    @inline(__always)
    func nested<R>(at place: DecodingPlace, _ body: () throws -> R) throws -> R {
        guard depth < CBORValue.maximumDepth else {
            throw place.corrupted("values are nested more than \(CBORValue.maximumDepth) deep")
        }
        depth += 1
        defer { depth -= 1 }
        return try body()
    }

    /// The fields of the map at a place.
    func fields(at place: DecodingPlace) throws -> DecodingFields {
        let bytes = bytes
        let span = unsafe bytes.span.bytes
        var reader = CBORReader(at: place.offset)
        let fields = DecodingFields()
        do {
            let head = try reader.head(.map, in: span)
            let isWhole = place.offset == 0
            if isWhole {
                for (name, offset) in injected {
                    _ = fields.add(name, isInteger: false, value: offset)
                }
            }
            var left = head.argument
            fields.reserve(injected.count + Int(clamping: min(left, 64)))
            while head.isIndefinite || left > 0 {
                guard let (name, isInteger) = try key(&reader, in: span, isWhole, place) else {
                    break
                }
                if !fields.add(name, isInteger: isInteger, value: reader.offset),
                    !(isWhole && injected.contains { $0.name.hasSameBytes(as: name) })
                {
                    throw place.corrupted("the key '\(name)' stands there twice")
                }
                try reader.skip(in: span)
                left &-= 1
            }
        } catch let error as CBORError {
            throw place.refusal([String: Any].self, error)
        }
        return fields
    }

    /// Reads a map's next key; nil at the break of an indefinite one.
    private func key(
        _ reader: inout CBORReader, in span: RawSpan, _ isWhole: Bool, _ place: DecodingPlace
    ) throws -> (name: String, isInteger: Bool)? {
        let head = try reader.head(in: span)
        if head.isBreak { return nil }
        if isWhole, let nameAt {
            guard head.major == .unsigned, let index = Int(exactly: head.argument),
                let name = try nameAt(index)
            else { throw place.corrupted("a field's key is no index into the table of names") }
            return (name, false)
        }
        switch head.major {
        case .text: return (try reader.text(head, in: span), false)
        case .unsigned: return (String(head.argument), true)
        case .negative: return (String(-1 - Int128(head.argument)), true)
        default: throw place.corrupted("a key of the map is neither text nor an integer")
        }
    }
}
