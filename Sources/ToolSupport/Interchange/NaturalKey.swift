package import GroupLogFormat

extension ImportEntry {
    /// A key made from the content of an entry that brings none.
    ///
    /// It is a UUID of version 5 (RFC 9562, section 5.5): the same entry has the same key in every import, in every
    /// process, on every machine, so that importing a file twice adds nothing. With an address it is the UUID that anybody
    /// gets for these bytes in the namespace of URLs. Without one, title and text are the name, and where there are fields
    /// of other names, or in another collection, these as JSON, in namespaces of our own.
    package func naturalKey(in collection: ImportCollection) -> RecordKey {
        var content = fields
        // The same entry has another time at the next import; a date that stayed a text is content.
        if hasTimeOfImport {
            content.removeAll {
                $0.name.hasSameBytes(as: ItemField.createdAt) && $0.value.text == nil
            }
        }
        if collection == .items {
            if let url = self[ItemField.url]?.text, !url.isEmpty {
                return .named([url], namespace: Namespace.url)
            }
            // The date may be that of the import, and tags change.
            content.removeAll { ItemField.known.contains($0.name) }
            let title = self[ItemField.title]?.text ?? ""
            let text = self[ItemField.text]?.text ?? ""
            guard !content.isEmpty else {
                // The length keeps "ab" + "c" and "a" + "bc" apart.
                return .named(
                    ["\(title.utf8.count):", title, text], namespace: Namespace.text)
            }
            content += [
                RecordField(ItemField.title, .text(title)),
                RecordField(ItemField.text, .text(text)),
            ]
        }
        var name = NameHash(Namespace.content)
        var writer = JSONWriter { name.add($0) }
        writer.beginObject()
        for field in content { writer.field(field.name, field.value) }
        writer.endObject()
        name.add(writer.bytes)
        return name.key
    }
}

/// The namespaces that names are hashed in.
private enum Namespace {
    /// 6ba7b811-9dad-11d1-80b4-00c04fd430c8 (RFC 9562, section 6.6).
    static let url: [UInt8] = [
        0x6B, 0xA7, 0xB8, 0x11, 0x9D, 0xAD, 0x11, 0xD1, 0x80, 0xB4, 0x00, 0xC0, 0x4F, 0xD4, 0x30,
        0xC8,
    ]
    /// 3b5df0c6-8c1e-4a51-9f0e-6d1c7a52e8b4
    static let text: [UInt8] = [
        0x3B, 0x5D, 0xF0, 0xC6, 0x8C, 0x1E, 0x4A, 0x51, 0x9F, 0x0E, 0x6D, 0x1C, 0x7A, 0x52, 0xE8,
        0xB4,
    ]
    /// c92a4f7e-05d3-4b68-a1f9-27e08b6c93d5
    static let content: [UInt8] = [
        0xC9, 0x2A, 0x4F, 0x7E, 0x05, 0xD3, 0x4B, 0x68, 0xA1, 0xF9, 0x27, 0xE0, 0x8B, 0x6C, 0x93,
        0xD5,
    ]
}

/// A UUID in the making.
private struct NameHash {
    private var hash = SHA1()

    init(_ namespace: [UInt8]) { hash.add(namespace) }

    mutating func add(_ bytes: [UInt8]) { hash.add(bytes) }

    var key: RecordKey {
        var bytes = Array(hash.finished().prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x50
        bytes[8] = bytes[8] & 0x3F | 0x80
        guard let key = RecordKey(kind: .uuid, bytes: bytes) else {
            preconditionFailure("sixteen bytes are a UUID")
        }
        return key
    }
}

extension RecordKey {
    /// The key of a name that is given in parts.
    fileprivate static func named(_ parts: [String], namespace: [UInt8]) -> RecordKey {
        var name = NameHash(namespace)
        var buffer = PieceBuffer { name.add($0) }
        for part in parts { buffer.append(part) }
        name.add(buffer.bytes)
        return name.key
    }
}
