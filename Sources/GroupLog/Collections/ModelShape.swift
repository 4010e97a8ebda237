import GroupLogFormat
import GroupLogSystem

/// What is known of a model's type: worked out once.
struct ModelShape: Sendable {
    var collection: String
    /// The declared names, in the order of declaration.
    var fieldNames: [String]

    private static let known = Monitor<[ObjectIdentifier: ModelShape]>([:])

    static func of<M: Model>(_ type: M.Type) -> ModelShape {
        known.withLock { known in
            if let shape = known[ObjectIdentifier(type)] { return shape }
            precondition(
                !M.collection.utf8.starts(with: "$".utf8) && !M.collection.isEmpty
                    && M.collection.utf8.count <= LogLayout.maximumNameLength,
                "a collection's name has 1 to 255 bytes and does not begin with '$'")
            let shape = ModelShape(
                collection: M.collection, fieldNames: fields(of: type).map(\.name))
            known[ObjectIdentifier(type)] = shape
            return shape
        }
    }

    private static func fields<M: Model>(of type: M.Type) -> [any AnyField] {
        Mirror(reflecting: M.Fields()).children.compactMap { $0.value as? any AnyField }
    }
}

#if DEBUG
    extension ModelShape {
        /// How far the check of a model's type has come.
        private struct Progress: Sendable {
            var valueCount = 0
            var uncheckedNames: Set<String>
        }

        private static let checked = Monitor<[ObjectIdentifier: Progress]>([:])

        /// Fields that have no value in this many models stay unchecked.
        private static let checkedValueCount = 100

        /// Traps where a declaration is wrong in a way that would show only later: a field whose
        /// name is another property's makes queries look in the wrong place, and an `id` that is not
        /// coded as its key makes records that cannot be read.
        ///
        /// Throws what the model's own coding throws, as storing the model would.
        static func check<M: Model>(_ model: M) throws {
            let type = ObjectIdentifier(M.self)
            let fields = fields(of: M.self)
            var progress =
                checked.withLock { $0[type] }
                ?? Progress(uncheckedNames: Set(fields.map(\.name)))
            guard progress.valueCount < checkedValueCount else { return }
            if progress.valueCount == 0 { checkIdentifier(model.id) }
            if !progress.uncheckedNames.isEmpty {
                let stored = try CBORValue.decode(try RecordEncoder().encodeValue(model))
                for field in fields where progress.uncheckedNames.contains(field.name) {
                    guard let value = try field.storedValue(in: model) else { continue }
                    precondition(
                        stored.field(field.name) == value,
                        "the field '\(field.name)' of \(M.self) is not stored under this name")
                    progress.uncheckedNames.remove(field.name)
                }
            }
            progress.valueCount += 1
            checked.withLock { $0[type] = progress }
        }

        private static func checkIdentifier<ID: RecordIdentifier>(_ id: ID) {
            guard let key = id.recordKey else { return }
            let decoded = Result {
                try unsafe RecordDecoder().decodeValue(
                    ID.self, from: key.encodedIdentifier.span.bytes)
            }
            if case .success(id) = decoded { return }
            preconditionFailure(
                "\(ID.self) is not coded as its record key, so it cannot be read back")
        }
    }

    extension CBORValue {
        fileprivate func field(_ name: String) -> CBORValue? {
            guard case .map(let pairs) = self else { return nil }
            return pairs.first { $0.key == .text(name) }?.value
        }
    }
#endif
