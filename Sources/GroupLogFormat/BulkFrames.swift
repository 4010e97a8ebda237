/// Splits many records into independent frames of at most 64 KiB; a record that is larger stands in
/// a frame of its own.
package struct BulkFrames {
    /// Frames that are full.
    private var full: [FrameBuilder] = []
    private var current: FrameBuilder
    private let author: String?
    private let flags: FrameFlags
    /// About how many bytes the frames have.
    package private(set) var size = 0
    /// How many frames were filled before the one that records go to now: as long as it stays, that
    /// frame's names keep their indexes.
    package private(set) var frameNumber = 0

    /// How many bytes are appended under one lock, so that nobody waits long for a bulk load.
    package static let appendSize = 4 << 20

    /// - Parameter flags: those that all frames have, beside `independent`.
    package init(author: String?, flags: FrameFlags = []) {
        self.author = author
        self.flags = flags
        current = FrameBuilder(author: author, flags: flags.union(.independent))
    }

    /// Adds a new record. `encode` makes its value, with indexes of the names of the frame that it
    /// is given; it is called again when the record has to go to another frame.
    package mutating func add(
        _ key: RecordKey, in collection: String,
        encode: (inout FrameBuilder) throws -> FrameBuilder.Content
    ) throws {
        try add(key, in: collection, kind: .put) { (try encode(&$0), .new) }
    }

    /// Adds a record of any origin. `make` must take from the frame that it is given every name
    /// that the record needs; it is called again when the record has to go to another frame.
    package mutating func add(
        _ key: RecordKey, in collection: String?, kind: RecordKind,
        make: (inout FrameBuilder) throws -> (FrameBuilder.Content, FrameBuilder.Origin)
    ) throws {
        let nameCount = current.names.names.count
        var (content, origin) = try make(&current)
        if !current.isEmpty && !fits(content, key) {
            current.removeNames(behind: nameCount)
            close()
            // What is long takes its room only once.
            content = .none
            (content, origin) = try make(&current)
        }
        size += content.bytes.count + key.bytes.count + 32
        if fits(content, key) {
            return try current.append(
                kind: kind, collection: collection, key: key, content: content, origin: origin)
        }
        content = .none
        var single = FrameBuilder(author: author, flags: flags)
        frameNumber += 1
        (content, origin) = try make(&single)
        try single.append(
            kind: kind, collection: collection, key: key, content: content, origin: origin)
        full.append(single)
        startFrame()
    }

    private func fits(_ content: FrameBuilder.Content, _ key: RecordKey) -> Bool {
        current.lengthBound + content.bytes.count + key.bytes.count + 80
            <= LogLayout.maximumIndependentFrameLength
    }

    /// Ends the frame that is being filled; what is added next is a later commit.
    package mutating func close() {
        guard !current.isEmpty else { return }
        full.append(current)
        startFrame()
    }

    private mutating func startFrame() {
        current = FrameBuilder(author: author, flags: flags.union(.independent))
        frameNumber += 1
    }

    /// All frames, and an empty start.
    package mutating func take() -> [FrameBuilder] {
        close()
        var frames: [FrameBuilder] = []
        swap(&frames, &full)
        size = 0
        return frames
    }
}
