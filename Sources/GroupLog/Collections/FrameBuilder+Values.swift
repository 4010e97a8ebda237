package import GroupLogFile
package import GroupLogFormat

extension FrameBuilder {
    /// The value of a model's record, with this frame's indexes for its fields.
    ///
    /// The declared names get their indexes first and in order, so that all records of one program
    /// share a table, and their bytes can be compared and copied.
    mutating func content<M: Model>(of model: M) throws -> Content {
        #if DEBUG
            try ModelShape.check(model)
        #endif
        let shape = ModelShape.of(M.self)
        return try declaring(shape.fieldNames, in: shape.collection) { builder in
            try RecordEncoder().encode(model, omitting: ["id"]) {
                builder.index(ofName: $0).map(Int.init)
            }
        }
    }

    /// The value of a record that is given by its fields.
    package mutating func content(
        of fields: [(name: String, value: CBORValue)], declaring names: [String],
        in collection: String
    ) throws -> Content {
        try declaring(names, in: collection) { builder in
            var indexes: [UInt64] = []
            for field in fields {
                guard let index = builder.index(ofName: field.name) else { break }
                indexes.append(UInt64(index))
            }
            let isIndexed = indexes.count == fields.count
            var writer = CBORWriter()
            writer.mapHead(fields.count)
            for (position, field) in fields.enumerated() {
                if isIndexed { writer.unsigned(indexes[position]) } else { writer.text(field.name) }
                do {
                    try writer.value(field.value, inside: 1)
                } catch {
                    throw StoreError(
                        .invalidValue, "the field '\(field.name)' cannot be stored: \(error)",
                        cause: error)
                }
            }
            return Content(bytes: writer.bytes, isIndexed: isIndexed)
        }
    }

    private mutating func declaring(
        _ names: [String], in collection: String,
        _ encode: (inout FrameBuilder) throws -> Content
    ) rethrows -> Content {
        _ = index(ofName: collection)
        for name in names { _ = index(ofName: name) }
        return try encode(&self)
    }
}

extension StoreView {
    /// The record at an offset as a model, decoded from where it stands.
    func model<M: Model>(
        _ type: M.Type, at offset: UInt64, _ contexts: inout FrameContexts
    ) throws -> M {
        try image.withRecord(at: offset, salt: header.salt, &contexts) { bytes, record, frame in
            guard let key = record.recordKey(bytes),
                Provenance.of(record, bytes, frame: frame.header) != nil
            else {
                throw FormatError(
                    .malformed, "the record's key or provenance is malformed", offset: offset)
            }
            let names = frame.head.names
            return try RecordDecoder().decode(
                type, from: bytes.extracting(record.value),
                isIndexed: record.flags.contains(.indexed),
                injecting: [("id", key.encodedIdentifier)],
                nameAt: { names.indices.contains($0) ? names[$0] : nil })
        }
    }
}

extension StoredRecord {
    /// The record as a model.
    func model<M: Model>(_ type: M.Type) throws -> M {
        try unsafe RecordDecoder().decode(
            type, from: value.span.bytes, isIndexed: isIndexed,
            injecting: [("id", key.encodedIdentifier)],
            nameAt: { names.indices.contains($0) ? names[$0] : nil })
    }

    /// The record's fields; a value that is no map counts as one field named `value`.
    package func fields() throws -> [(name: String, value: CBORValue)] {
        let value = try CBORValue.decode(value)
        guard case .map(let pairs) = value else { return [("value", value)] }
        return pairs.map { pair in
            switch pair.key {
            case .unsigned(let index) where isIndexed && index < UInt64(names.count):
                (names[Int(index)], pair.value)
            case .text(let name): (name, pair.value)
            default: (pair.key.diagnostic, pair.value)
            }
        }
    }
}
