/// A map with small unsigned keys, the shape of every value that a store writes for itself
/// (FORMAT.md, "Content records").
///
/// Keys that are not asked for are passed over, so that a later version can say more.
struct ContentMap {
    private let items: [UInt64: CBORValue]
    private let subject: String

    /// Reads a value; `subject` names it in errors.
    init(_ bytes: RawSpan, of subject: String) throws(FormatError) {
        let value: CBORValue
        do throws(CBORError) {
            value = try CBORValue.decode(bytes)
        } catch {
            throw FormatError(.malformed, "the value of the \(subject) is no CBOR: \(error)")
        }
        guard case .map(let pairs) = value else {
            throw FormatError(.malformed, "the value of the \(subject) is not a map")
        }
        var items: [UInt64: CBORValue] = [:]
        for pair in pairs {
            guard case .unsigned(let key) = pair.key else { continue }
            guard items.updateValue(pair.value, forKey: key) == nil else {
                throw FormatError(.malformed, "the \(subject) has the key \(key) twice")
            }
        }
        self.items = items
        self.subject = subject
    }

    func unsigned<T: FixedWidthInteger & UnsignedInteger>(
        _ key: UInt64, as type: T.Type = T.self
    ) throws(FormatError) -> T {
        guard case .unsigned(let number)? = items[key], let result = T(exactly: number) else {
            throw fault(key)
        }
        return result
    }

    func integer(_ key: UInt64) throws(FormatError) -> Int64 {
        guard let result = items[key].flatMap(Self.integer) else { throw fault(key) }
        return result
    }

    func bool(_ key: UInt64) throws(FormatError) -> Bool {
        switch items[key] {
        case .simple(20)?: return false
        case .simple(21)?: return true
        default: throw fault(key)
        }
    }

    func bytes(_ key: UInt64) throws(FormatError) -> [UInt8] {
        guard case .bytes(let bytes)? = items[key] else { throw fault(key) }
        return bytes
    }

    func map(_ key: UInt64) throws(FormatError) -> [CBORPair] {
        guard case .map(let pairs)? = items[key] else { throw fault(key) }
        return pairs
    }

    /// The text of a key; nil where it is null or missing.
    func optionalText(_ key: UInt64) throws(FormatError) -> String? {
        switch items[key] {
        case nil, .simple(22)?: return nil
        case .text(let text)?: return text
        default: throw fault(key)
        }
    }

    /// The array of a key; nil where it is null or missing.
    func optionalArray(_ key: UInt64) throws(FormatError) -> [CBORValue]? {
        switch items[key] {
        case nil, .simple(22)?: return nil
        case .array(let items)?: return items
        default: throw fault(key)
        }
    }

    func fault(_ key: UInt64) -> FormatError {
        FormatError(.malformed, "the \(subject) has no valid value for the key \(key)")
    }

    static func integer(_ value: CBORValue) -> Int64? {
        switch value {
        case .unsigned(let number): Int64(exactly: number)
        case .negative(let number): Int64(exactly: number).map { ~$0 }
        default: nil
        }
    }
}
