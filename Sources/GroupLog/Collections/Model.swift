import GroupLogFormat

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
///
/// The `id` is stored as the record's key, all other coded properties as its fields. A property that
/// is added later has to be optional, or have a decoding of its own, for older records to be read.
/// Debug builds check with the first values of a model that its declarations fit together, and trap
/// where they do not.
public protocol Model: Codable, Identifiable, Sendable where ID: RecordIdentifier {
    /// The name of the collection: 1 to 255 bytes, the first not `$`, which marks reserved names.
    /// Writing to a collection with another name traps.
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
    /// the type. That both mean one property is checked in debug builds, when the model is written.
    public init(_ key: some CodingKey, _ keyPath: any KeyPath<Root, Value> & Sendable) {
        name = key.stringValue
        self.keyPath = keyPath
    }
}

/// A field of any type, for what concerns all fields of a model.
protocol AnyField {
    var name: String { get }
    /// What the property's value is stored as; nil where it has no value or is not Codable. Traps
    /// where the field is one of another type, since then it is declared in the wrong place.
    func storedValue(in root: Any) throws -> CBORValue?
}

extension Field: AnyField {
    func storedValue(in root: Any) throws -> CBORValue? {
        guard let root = root as? Root else {
            preconditionFailure("the field '\(name)' of \(type(of: root)) is one of \(Root.self)")
        }
        guard let value = root[keyPath: keyPath] as? any Encodable else { return nil }
        let stored = try CBORValue.decode(try RecordEncoder().encodeValue(value))
        return stored == .null ? nil : stored
    }
}
