import GroupLogFormat
import Synchronization

/// A type whose values are the records of a collection.
///
/// ```swift
/// struct Bookmark: Model {
///     static let collection = "items"
///     var id = UUID()
///     var title: String
///     var createdAt = Date()
///
///     struct Fields: FieldSet {
///         let title = Field(CodingKeys.title, \Bookmark.title)
///         let createdAt = Field(CodingKeys.createdAt, \Bookmark.createdAt)
///     }
/// }
/// ```
///
/// Lists are newest first: by a field `createdAt` that holds a `Date`, where there is one, then by
/// the order in which the records were made.
public protocol Model: Codable, Identifiable, Sendable where ID: RecordIdentifier {
    /// The name of the collection, at most 255 bytes; names that begin with `$` are reserved.
    static var collection: String { get }
    /// The fields that queries may name, each once.
    associatedtype Fields: FieldSet = NoFields
}

/// The fields of a model: a struct whose properties are `Field`s.
public protocol FieldSet: Sendable {
    /// Makes the set, which has no state.
    init()
}

/// The field set of a model that declares none.
public struct NoFields: FieldSet {
    /// Makes the set.
    public init() {}
}

/// One field of a model: the name under which it is stored, and the property that holds it.
public struct Field<Root, Value>: Sendable {
    /// The name under which the field is stored.
    public let name: String
    /// The property.
    public let keyPath: any KeyPath<Root, Value> & Sendable

    /// Declares a field by its coding key, which gives the name, and its property, which gives
    /// the type. Debug builds check once that the two belong together.
    public init(_ key: some CodingKey, _ keyPath: any KeyPath<Root, Value> & Sendable) {
        name = key.stringValue
        self.keyPath = keyPath
    }
}

/// A field of any type, for what concerns all fields of a model.
private protocol AnyField {
    var name: String { get }
    /// The CBOR of the property's value; nil where the root is of another type or the value is not
    /// Codable.
    func encodedValue(in root: Any) throws -> [UInt8]?
}

extension Field: AnyField {
    fileprivate func encodedValue(in root: Any) throws -> [UInt8]? {
        guard let root = root as? Root, let value = root[keyPath: keyPath] as? any Encodable
        else { return nil }
        return try RecordEncoder().encodeValue(value)
    }
}

/// What is known of a model's type: worked out once.
struct ModelShape: Sendable {
    var collection: String
    /// The declared names, in the order of declaration.
    var fieldNames: [String]

    private static let known = Mutex<[ObjectIdentifier: ModelShape]>([:])

    static func of<M: Model>(_ type: M.Type) -> ModelShape {
        known.withLock { known in
            if let shape = known[ObjectIdentifier(type)] { return shape }
            precondition(
                !M.collection.hasPrefix("$") && !M.collection.isEmpty
                    && M.collection.utf8.count <= LogLayout.maximumNameLength,
                "a collection's name has 1 to 255 bytes and does not begin with '$'")
            let fields = Mirror(reflecting: M.Fields()).children.compactMap {
                $0.value as? any AnyField
            }
            let shape = ModelShape(collection: M.collection, fieldNames: fields.map(\.name))
            known[ObjectIdentifier(type)] = shape
            return shape
        }
    }

    /// Checks, in debug builds, that each declared name is the name of its property: a mistake
    /// there would make queries look at another field.
    static func check<M: Model>(_ model: M) {
        #if DEBUG
            let isNew = checked.withLock { $0.insert(ObjectIdentifier(M.self)).inserted }
            guard isNew, let bytes = try? RecordEncoder().encodeValue(model),
                case .map(let pairs)? = try? CBORValue.decode(bytes)
            else { return }
            for child in Mirror(reflecting: M.Fields()).children {
                guard let field = child.value as? any AnyField,
                    let value = try? field.encodedValue(in: model),
                    let pair = pairs.first(where: { $0.key == .text(field.name) }),
                    let stored = try? pair.value.encoded()
                else { continue }
                precondition(
                    stored == value,
                    "the field '\(field.name)' of \(M.self) is declared with another property")
            }
        #endif
    }

    #if DEBUG
        private static let checked = Mutex<Set<ObjectIdentifier>>([])
    #endif
}
