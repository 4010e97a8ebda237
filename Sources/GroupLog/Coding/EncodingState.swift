import GroupLogFormat

/// What all parts of one encoding share.
final class EncodingSession {
    /// Gives a top-level field's index; nil where fields keep their names.
    var indexOf: ((String) throws -> Int?)?
    let omitted: [String]
    let userInfo: [CodingUserInfoKey: Any]
    /// Whether the value is a map whose keys are indexes.
    var isIndexed = false
    /// What went wrong where nothing could be thrown.
    private(set) var failure: (any Error)?
    private var serial: UInt32 = 0

    init(omitting omitted: [String], userInfo: [CodingUserInfoKey: Any]) {
        self.omitted = omitted
        self.userInfo = userInfo
    }

    func fail(_ error: any Error) { failure = failure ?? error }

    func nextSerial() -> UInt32 {
        serial &+= 1
        return serial
    }
}

/// Thrown where a field's name cannot have an index, so that all fields have to keep theirs.
struct NoIndexForName: Error {}

/// The bytes of a value, and the values inside it that are being encoded.
///
/// Values are encoded inside one another and into one array: the innermost level alone may write.
/// A container that Codable hands out for later (`nestedContainer`, `superEncoder`) has a state of
/// its own, whose bytes take their place when the level that asked for it ends. An entry that
/// fails leaves nothing behind, so a type may catch the error and go on.
final class EncodingState {
    let session: EncodingSession
    private var writer = CBORWriter()
    private var levels: [EncodingLevel] = []
    private var path: [any CodingKey]
    private let outerDepth: Int

    /// One less than a reader takes: a leaf may have a tag.
    private static let maximumDepth = CBORValue.maximumDepth - 1

    init(_ session: EncodingSession) {
        self.session = session
        path = []
        outerDepth = 0
    }

    private init(_ session: EncodingSession, path: [any CodingKey], depth: Int) {
        self.session = session
        self.path = path
        outerDepth = depth
        push(isTop: false)
    }

    /// Encodes a whole value.
    func root<T: Encodable>(_ value: T) throws -> [UInt8] {
        writer.bytes.reserveCapacity(256)
        do {
            try item(value, isTop: true, key: { nil })
        } catch {
            session.fail(error)
        }
        if let failure = session.failure { throw failure }
        return writer.bytes
    }

    // MARK: Places

    /// A level as containers hold on to it.
    struct Place {
        let state: EncodingState
        let level: Int
        let serial: UInt32
    }

    private func push(isTop: Bool) {
        levels.append(
            EncodingLevel(
                start: writer.bytes.count, serial: session.nextSerial(), pathCount: path.count,
                isTop: isTop))
    }

    private var innermost: Place {
        let level = levels.count - 1
        return Place(state: self, level: level, serial: levels[level].serial)
    }

    private func exists(_ place: Place) -> Bool {
        place.level < levels.count && levels[place.level].serial == place.serial
    }

    func count(at place: Place) -> Int { exists(place) ? levels[place.level].count : 0 }

    func path(to place: Place) -> [any CodingKey] {
        exists(place) ? Array(path.prefix(levels[place.level].pathCount)) : []
    }

    /// Makes the value of a level a map, an array or a single value, if it can still be that.
    private func require(_ kind: EncodingLevel.Kind, at place: Place) throws {
        func refuse(_ reason: String) -> EncodingError {
            .invalidValue(
                Any?.none as Any,
                .init(codingPath: path(to: place), debugDescription: reason))
        }
        guard exists(place), place.level == levels.count - 1 else {
            throw refuse("a container was used outside of the encode(to:) call it belongs to")
        }
        switch (levels[place.level].kind, kind) {
        case (.undecided, _):
            levels[place.level].kind = kind
            if kind != .single { writer.bytes.append(0) }
        case (.map, .map), (.array, .array): break
        default: throw refuse("a value asked for containers of two kinds, or has two values")
        }
    }

    func open(_ kind: EncodingLevel.Kind, at place: Place) {
        do { try require(kind, at: place) } catch { session.fail(error) }
    }

    // MARK: Items

    func field<T: Encodable, K: CodingKey>(_ value: T, key: K, at place: Place) throws {
        try entry(at: place, kind: .map, key: { try write(key: key, at: place) }) {
            try item(value, key: { key })
        }
    }

    /// A field of a type that is always a leaf, and whose every value can be written.
    func leafField<T: CodedLeaf, K: CodingKey>(_ value: T, key: K, at place: Place) throws {
        try entry(at: place, kind: .map, key: { try write(key: key, at: place) }) {
            try value.write(to: &writer)
        }
    }

    func element<T: Encodable>(_ value: T, at place: Place) throws {
        try entry(at: place, kind: .array) {
            try item(value, key: { PlaceKey.index(levels[place.level].count) })
        }
    }

    func single<T: Encodable>(_ value: T, at place: Place) throws {
        try entry(at: place, kind: .single) {
            try item(value, isTop: levels[place.level].isTop, key: { nil })
        }
    }

    func nilField<K: CodingKey>(key: K, at place: Place) throws {
        try entry(at: place, kind: .map, key: { try write(key: key, at: place) }) {
            writer.null()
        }
    }

    func nilElement(at place: Place) throws {
        try entry(at: place, kind: .array) { writer.null() }
    }

    func nilSingle(at place: Place) throws {
        try entry(at: place, kind: .single) { writer.null() }
    }

    /// Begins a container or an encoder that is filled later.
    func child<K: CodingKey>(
        _ kind: EncodingLevel.Kind, key: K, in outer: EncodingLevel.Kind, at place: Place
    ) -> Place {
        let depth = outerDepth + levels.count
        guard depth < Self.maximumDepth else {
            // It leads nowhere, and neither do those that are asked of it.
            session.fail(tooDeep(key: key))
            return EncodingState(session, path: [], depth: Self.maximumDepth).innermost
        }
        let child = EncodingState(session, path: path(to: place) + [key], depth: depth)
        do {
            try entry(
                at: place, kind: outer,
                key: { outer == .map ? try write(key: key, at: place) : true }
            ) {
                levels[place.level].children.append((writer.bytes.count, child))
                writer.null()
            }
        } catch {
            session.fail(error)
        }
        let inner = child.innermost
        if kind != .undecided { child.open(kind, at: inner) }
        return inner
    }

    /// Writes an entry, by its key where it has one, and its content; all of it or nothing.
    ///
    /// - Parameter key: writes the key; false where the entry is one to leave out.
    @inline(__always)
    private func entry(
        at place: Place, kind: EncodingLevel.Kind, key: () throws -> Bool = { true },
        _ content: () throws -> Void
    ) throws {
        try require(kind, at: place)
        let start = writer.bytes.count
        var keyEnd = start
        do {
            guard try key() else { return }
            keyEnd = writer.bytes.count
            try content()
            levels[place.level].count += 1
        } catch {
            undo(from: start, keyEnd: keyEnd, at: place)
            throw error
        }
    }

    /// Takes back an entry that was not completed.
    private func undo(from start: Int, keyEnd: Int, at place: Place) {
        levels.removeSubrange((place.level + 1)...)
        path.removeSubrange(levels[place.level].pathCount...)
        if keyEnd > start { levels[place.level].forget(keyAt: start..<keyEnd, in: writer.bytes) }
        writer.bytes.removeSubrange(start...)
        if levels[place.level].kind == .single { levels[place.level].kind = .undecided }
    }

    /// False where the field is one to leave out.
    private func write<K: CodingKey>(key: K, at place: Place) throws -> Bool {
        let start = writer.bytes.count
        let name = key.stringValue
        let isTop = levels[place.level].isTop
        if isTop, session.omitted.contains(where: { $0.hasSameBytes(as: name) }) { return false }
        if isTop, let indexOf = session.indexOf {
            do {
                guard let index = try indexOf(name) else { throw NoIndexForName() }
                precondition(index >= 0, "an index of a name is not negative")
                writer.unsigned(UInt64(index))
            } catch {
                // A type that catches this and goes on must not have the field left out.
                session.fail(error)
                throw error
            }
        } else if let number = key.intValue, name == String(number) {
            writer.integer(Int64(number))
        } else {
            writer.text(name)
        }
        guard try levels[place.level].isNew(keyAt: start, in: writer.bytes) else {
            writer.bytes.removeSubrange(start...)
            throw EncodingError.invalidValue(
                name,
                .init(
                    codingPath: path(to: place),
                    debugDescription: "the key '\(name)' was encoded twice"))
        }
        return true
    }

    /// Writes a value.
    ///
    /// - Parameter key: gives the step that leads here from the innermost level, where there is
    ///   one; a function, since a leaf without a fault needs none.
    private func item<T: Encodable>(
        _ value: T, isTop: Bool = false, key: () -> (any CodingKey)?
    ) throws {
        if let leaf = value as? any CodedLeaf, leaf.isLeaf {
            do {
                return try leaf.write(to: &writer)
            } catch let fault as LeafFault {
                throw refusal(of: value, key: key(), fault.reason)
            }
        }
        let key = key()
        guard outerDepth + levels.count < Self.maximumDepth else { throw tooDeep(key: key) }
        if let key { path.append(key) }
        push(isTop: isTop)
        try value.encode(to: ItemEncoder(place: innermost))
        try finishLevel()
        if key != nil { path.removeLast() }
    }

    private func refusal(
        of value: Any, key: (any CodingKey)?, _ reason: String
    ) -> EncodingError {
        .invalidValue(
            value,
            .init(codingPath: key.map { path + [$0] } ?? path, debugDescription: reason))
    }

    private func tooDeep(key: (any CodingKey)?) -> EncodingError {
        refusal(
            of: Any?.none as Any, key: key,
            "values are nested more than \(Self.maximumDepth) deep")
    }

    // MARK: The end of a level

    private func finishLevel() throws {
        let level = levels[levels.count - 1]
        if !level.children.isEmpty { try take(level.children) }
        switch level.kind {
        case .undecided: writer.mapHead(0)
        case .single: break
        case .map, .array: setHead(of: level)
        }
        if level.isTop && level.kind == .map { session.isIndexed = session.indexOf != nil }
        levels.removeLast()
    }

    private func setHead(of level: EncodingLevel) {
        var head = CBORWriter()
        if level.kind == .map { head.mapHead(level.count) } else { head.arrayHead(level.count) }
        if head.bytes.count == 1 {
            writer.bytes[level.start] = head.bytes[0]
        } else {
            writer.bytes.replaceSubrange(level.start...level.start, with: head.bytes)
        }
    }

    /// Puts the bytes of children in the place of their nulls.
    private func take(_ children: [(offset: Int, state: EncodingState)]) throws {
        let rest = Array(writer.bytes[children[0].offset...])
        var taken = 0
        writer.bytes.removeSubrange(children[0].offset...)
        for child in children {
            let before = child.offset - children[0].offset
            writer.bytes += rest[taken..<before]
            try child.state.finishLevel()
            writer.bytes += child.state.writer.bytes
            taken = before + 1
        }
        writer.bytes += rest[taken...]
    }
}
