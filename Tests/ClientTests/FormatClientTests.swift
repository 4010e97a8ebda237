import Foundation
import GroupLog
import GroupLogFormat
import Testing

/// What somebody can do who writes a tool of his own and has nothing but the format's module.
@Suite struct FormatClientTests {
    @Test("a stranger walks a log that a store wrote")
    func walk() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("grouplog-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // What is left in the temporary directory harms nothing.
        defer { _ = try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("s.grouplog").path
        let store = try Store(path: path, options: StoreOptions(author: "somebody"))
        try store.keyValues.set("value", forKey: "key")

        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path + "/log")))
        let header = try unsafe HeaderCopies.decode(bytes.span.bytes).header
        var walker = LogWalker(LogBytesInMemory(bytes), salt: header.salt)
        guard case .frame(let frame) = try walker.next() else {
            Issue.record("the log begins with no frame")
            return
        }
        let record = try #require(frame.records.first)
        try walker.source.withBytes(frame.offset..<frame.end) { bytes in
            #expect(record.recordKey(bytes)?.textValue == "key")
            #expect(frame.author(bytes, of: record) == "somebody")
            let value = try CBORValue.decode(bytes.extracting(record.value))
            #expect(value == .text("value"))
        }
        guard case .end = try walker.next() else {
            Issue.record("the log goes on behind its only frame")
            return
        }
    }
}
