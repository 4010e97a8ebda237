import GroupLogFormat
import Testing

@testable import GroupLogFile

/// Logs that a writer must leave as they are.
@Suite struct RefusalTests {
    @Test("a log of a newer program is read and not written")
    func newer() throws {
        for change in [
            { (header: inout LogHeader) in header.minorVersion = LogLayout.minorVersion + 1 },
            { (header: inout LogHeader) in header.optionalFeatures = 1 },
        ] {
            let store = try TemporaryStore()
            _ = try store.volume.writer().withLock { try $0.append([frame("one")]) }
            var bytes = try store.log()
            var header = try LogHeader.decode(unsafe bytes.span.bytes)
            change(&header)
            bytes.replaceSubrange(0..<LogLayout.headerSize, with: header.encoded())
            let second = Int(LogLayout.secondHeaderOffset)
            bytes.replaceSubrange(second..<second + LogLayout.headerSize, with: header.encoded())
            try store.setLog(bytes)
            #expect(refusal(of: store) == .unsupportedVersion)
            #expect(try store.log() == bytes)
            #expect(try store.volume.texts() == ["one"])
        }
    }

    @Test("a log that ends before its first frame was cut, and is not written")
    func cut() throws {
        let store = try TemporaryStore()
        _ = try store.volume.writer().withLock { try $0.append([frame("one")]) }
        let bytes = try store.log()
        for length in [0, 63, 64, 4159] {
            try store.setLog(Array(bytes[..<length]))
            #expect(refusal(of: store) != nil, "\(length) bytes")
            #expect(try store.log().count == length)
        }
    }

    private func refusal(of store: TemporaryStore) -> FormatError.Kind? {
        do {
            _ = try store.volume.writer().withLock { try $0.append([frame("two")]) }
            return nil
        } catch LogError.format(let error, _) {
            return error.kind
        } catch {
            Issue.record(error)
            return nil
        }
    }
}
