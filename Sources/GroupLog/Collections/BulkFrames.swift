package import GroupLogFormat

/// Splits many records into independent frames of at most 64 KiB; a record that is larger stands in
/// a frame of its own.
package struct BulkFrames {
    /// Frames that are full.
    private var full: [FrameBuilder] = []
    private var current: FrameBuilder
    private let author: String?
    /// About how many bytes the frames have.
    package private(set) var size = 0

    /// How many bytes are appended under one lock, so that nobody waits long for a bulk load.
    package static let appendSize = 4 << 20

    package init(author: String?) {
        self.author = author
        current = FrameBuilder(author: author, flags: .independent)
    }

    /// Adds a record. `encode` makes its value, with indexes of the names of the frame that it is
    /// given; it is called again when the record has to go to another frame.
    package mutating func add(
        _ key: RecordKey, in collection: String, kind: RecordKind = .put,
        origin: FrameBuilder.Origin = .new,
        encode: (inout FrameBuilder) throws -> FrameBuilder.Content
    ) throws {
        var content = try encode(&current)
        if !current.isEmpty && !fits(content, key) {
            close()
            content = try encode(&current)
        }
        if !fits(content, key) {
            var single = FrameBuilder(author: author)
            content = try encode(&single)
            try single.append(
                kind: kind, collection: collection, key: key, content: content, origin: origin)
            size += content.bytes.count
            full.append(single)
            current = FrameBuilder(author: author, flags: .independent)
            return
        }
        try current.append(
            kind: kind, collection: collection, key: key, content: content, origin: origin)
        size += content.bytes.count + key.bytes.count + 32
    }

    private func fits(_ content: FrameBuilder.Content, _ key: RecordKey) -> Bool {
        current.lengthBound + content.bytes.count + key.bytes.count + 80
            <= LogLayout.maximumIndependentFrameLength
    }

    /// Ends the frame that is being filled; what is added next is a later commit.
    package mutating func close() {
        guard !current.isEmpty else { return }
        full.append(current)
        current = FrameBuilder(author: author, flags: .independent)
    }

    /// All frames, and an empty start.
    package mutating func take() -> [FrameBuilder] {
        close()
        defer {
            full = []
            size = 0
        }
        return full
    }
}
