package import GroupLogFormat

extension ImportEntry {
    /// A key made from the content of an entry that brings none.
    ///
    /// It is a UUID of version 5 (RFC 9562, section 5.5): the same entry has the same key in every import, in every
    /// process, on every machine, so that importing a file twice adds nothing. With an address it is the UUID that anybody
    /// gets for these bytes in the namespace of URLs. Without one, title and text are the name, and without these the
    /// fields as JSON, in namespaces of our own.
    package func naturalKey(in collection: ImportCollection) -> RecordKey {
        if collection == .items {
            if let url = self[ItemField.url]?.text, !url.isEmpty {
                return .named(Array(url.utf8), namespace: .url)
            }
            let title = self[ItemField.title]?.text ?? ""
            let text = self[ItemField.text]?.text ?? ""
            // The length keeps "ab" + "c" and "a" + "bc" apart.
            return .named(Array("\(title.utf8.count):\(title)\(text)".utf8), namespace: .text)
        }
        var writer = JSONWriter()
        writer.beginObject()
        for field in fields { writer.field(field.name, field.value) }
        writer.endObject()
        return .named(writer.bytes, namespace: .content)
    }
}

/// The namespaces that names are hashed in.
private enum Namespace: String {
    /// RFC 9562, section 6.6.
    case url = "6ba7b811-9dad-11d1-80b4-00c04fd430c8"
    case text = "3b5df0c6-8c1e-4a51-9f0e-6d1c7a52e8b4"
    case content = "c92a4f7e-05d3-4b68-a1f9-27e08b6c93d5"
}

extension RecordKey {
    fileprivate static func named(_ name: [UInt8], namespace: Namespace) -> RecordKey {
        let space = UUIDText.bytes(namespace.rawValue) ?? []
        var bytes = Array(SHA1.hash(space + name).prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x50
        bytes[8] = bytes[8] & 0x3F | 0x80
        guard let key = RecordKey(kind: .uuid, bytes: bytes) else {
            preconditionFailure("sixteen bytes are a UUID")
        }
        return key
    }
}
