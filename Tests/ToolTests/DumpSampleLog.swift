import Foundation
import GroupLogFormat
import TestSupport
import Testing

/// A log built as a writer would have left it, in parts whose offsets the tests know.
struct DumpSampleLog {
    static let salt: UInt64 = 0x0123_4567_89AB_CDEF
    var bytes: [UInt8]
    private(set) var frames: [Range<Int>] = []
    private var sequence: UInt64 = 0

    init() {
        bytes = LogHeader(
            storeID: StoreID(bytes: Array(0x10..<0x20)), generation: 1, salt: Self.salt
        ).encodedPreamble()
    }

    /// Adds a frame to which the body adds records.
    mutating func append(
        author: String? = "app", flags: FrameFlags = [],
        _ body: (inout FrameBuilder) throws -> Void
    ) throws {
        var builder = FrameBuilder(author: author, flags: flags, leadingNames: ["items", "title"])
        try body(&builder)
        sequence += 1
        let frame = try builder.sealed(
            sequence: sequence, time: 1_767_323_045_000_000 + Int64(sequence),
            offset: UInt64(bytes.count), salt: Self.salt)
        frames.append(bytes.count..<bytes.count + frame.count)
        bytes += frame
    }

    mutating func addSlack(_ count: Int = 64) {
        bytes.append(contentsOf: repeatElement(0, count: count))
    }

    /// A transaction of a put and a delete, an independent frame of three puts, one put more that
    /// takes the place of an older one, and slack.
    static func small() throws -> DumpSampleLog {
        var log = DumpSampleLog()
        try log.append {
            try $0.put("a", title: "one")
            try $0.append(kind: .delete, collection: "items", key: RecordKey(integer: -7))
        }
        try log.append(author: nil, flags: .independent) {
            for name in ["b", "c", "d"] { try $0.put(name, title: name) }
        }
        try log.append(author: "share") { try $0.put("a", title: "two") }
        log.addSlack()
        return log
    }
}

extension FrameBuilder {
    /// A record of the collection `items` with one field.
    mutating func put(_ key: String, title: String) throws {
        try append(
            kind: .put, collection: "items", key: try #require(RecordKey(text: key)),
            content: .init(
                bytes: [0xA1, 0x01, 0x60 + UInt8(title.utf8.count)] + Array(title.utf8),
                isIndexed: true))
    }
}

/// Runs grouplog-dump on bytes, which are put into a file.
struct DumpRunner {
    private let directory: TemporaryDirectory
    var log: String { directory.url("log").path() }

    init(_ bytes: [UInt8]) throws {
        directory = try TemporaryDirectory()
        try Data(bytes).write(to: directory.url("log"))
    }

    var storePath: String { directory.url.path() }

    /// A place beside the log.
    func beside(_ name: String) -> String { directory.url(name).path() }

    func write(_ bytes: [UInt8], as name: String) throws {
        try Data(bytes).write(to: directory.url(name))
    }

    func callAsFunction(_ arguments: String...) throws -> ToolRun {
        try ToolRunner.run("grouplog-dump", arguments)
    }
}
