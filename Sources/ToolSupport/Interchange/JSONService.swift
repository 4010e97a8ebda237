/// How a service names the fields of an entry in its JSON.
struct JSONService {
    /// An object that has all of these is the service's.
    let signature: [String]
    /// Their names for ours; the first that is there counts. Our own names count as well.
    let names: [String: [String]]
    /// Their fields that mean nothing outside of the service; nil where only what we know by name is kept.
    let dropped: Set<String>?
    var tagSeparator = UInt8(ascii: ",")
    /// Its `id` is a UUID and becomes the record's.
    var hasKey = false
    /// Our fields whose text is HTML there.
    var html: Set<String> = []

    func isOrigin(of object: JSONObject) -> Bool {
        signature.allSatisfy { object[$0] != nil }
    }

    func names(for field: String) -> [String] {
        names[field] ?? [field]
    }

    func isHTML(_ field: String) -> Bool { html.contains(field) }

    /// Whether a field is carried over under its own name.
    func keeps(_ name: String) -> Bool {
        guard let dropped, !dropped.contains(name), name != ItemField.id else { return false }
        let isMapped = ItemField.known.contains { names(for: $0).contains(name) }
        return !isMapped
    }

    /// In the order in which they are tried.
    static let all = [pinboard, omnivore, readability, firefox, chrome, delicious, elCurator]

    static let pinboard = JSONService(
        signature: ["href", "description", "time"],
        names: [
            "url": ["href"], "title": ["description"], "text": ["extended"], "createdAt": ["time"],
        ],
        dropped: ["hash", "meta"], tagSeparator: UInt8(ascii: " "))

    static let omnivore = JSONService(
        signature: ["slug", "savedAt", "labels"],
        names: ["text": ["description"], "tags": ["labels"], "createdAt": ["savedAt"]],
        dropped: [], hasKey: true)

    static let readability = JSONService(
        signature: ["article__url", "date_added"],
        names: [
            "url": ["article__url"], "title": ["article__title"], "text": ["article__excerpt"],
            "createdAt": ["date_added"],
        ],
        dropped: [], html: ["text"])

    static let firefox = JSONService(
        signature: ["uri", "dateAdded", "type"],
        names: ["url": ["uri"], "createdAt": ["dateAdded"]], dropped: nil)

    static let chrome = JSONService(
        signature: ["url", "name", "date_added"],
        names: ["title": ["name"], "createdAt": ["date_added"]], dropped: nil)

    static let delicious = JSONService(
        signature: ["url", "created", "tags"],
        names: ["text": ["description"], "createdAt": ["created"]], dropped: [])

    static let elCurator = JSONService(
        signature: ["url", "created_at", "title"],
        names: ["text": ["description"], "createdAt": ["created_at"]], dropped: [])
}
