import CPeers

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import GroupLog

/// The sample record as a user's model.
struct Bookmark: Model {
    static let collection = "items"
    var id: UUID
    var url: String
    var title: String
    var createdAt: Date
    var status: String

    struct Fields: FieldSet {
        let url = Field(CodingKeys.url, \Bookmark.url)
        let title = Field(CodingKeys.title, \Bookmark.title)
        let createdAt = Field(CodingKeys.createdAt, \Bookmark.createdAt)
        let status = Field(CodingKeys.status, \Bookmark.status)
    }

    init(_ sample: sample) {
        var sample = sample
        id = UUID(uuid: sample.id)
        url = Self.text(&sample.url)
        title = Self.text(&sample.title)
        createdAt = Date(timeIntervalSinceReferenceDate: sample.date)
        status = Self.text(&sample.status)
    }

    private static func text<T>(_ characters: inout T) -> String {
        withUnsafeBytes(of: &characters) { String(decoding: $0, as: UTF8.self) }
    }
}

/// The same record as bytes: the cheapest model that the public API takes.
struct Blob: Model {
    static let collection = "blobs"
    var id: UUID
    /// All but the id.
    var bytes: Data

    init(_ sample: sample) {
        id = UUID(uuid: sample.id)
        bytes = withUnsafeBytes(of: sample) { Data($0.dropFirst(16)) }
    }
}

/// The sample records, made once.
struct Records {
    let samples: [sample]
    let bookmarks: [Bookmark]

    /// How many bytes a record has.
    static let size = MemoryLayout<sample>.size

    init(_ count: Int) {
        samples = (0..<UInt64(count)).map { number in
            var sample = sample()
            sample_make(number, &sample)
            return sample
        }
        bookmarks = samples.map(Bookmark.init)
    }

    /// Lends the samples to C.
    func withSamples<R>(_ body: (UnsafePointer<sample>) throws -> R) rethrows -> R {
        try samples.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { preconditionFailure("there are records") }
            return try body(start)
        }
    }

    /// Lends the samples to C, so many at a time.
    func inBatches(
        of size: Int, _ body: (UnsafePointer<sample>, Int) throws -> Void
    ) rethrows {
        try withSamples { start in
            for first in stride(from: 0, to: samples.count, by: size) {
                try body(start + first, min(size, samples.count - first))
            }
        }
    }
}
