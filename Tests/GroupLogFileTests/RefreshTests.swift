import Dispatch
import GroupLogFormat
import Synchronization
import Testing

@testable import GroupLogFile

/// Readers that look again and again while large frames are being written.
@Suite struct RefreshTests {
    @Test(
        "a reader beside an appender of large frames sees whole commits, in order, and no damage",
        arguments: [LogReader.Mapping.whenPossible, .never], [FrameFlags(), .independent])
    func largeFrames(_ mapping: LogReader.Mapping, _ flags: FrameFlags) throws {
        let store = try TemporaryStore()
        let volume = store.volume
        _ = try volume.writer().withLock { _ in }
        let size = flags.isEmpty ? 1_000_000 : 60_000
        let total = flags.isEmpty ? 40 : 300
        let isDone = Atomic<Bool>(false)
        DispatchQueue.concurrentPerform(iterations: 3) { thread in
            do {
                if thread == 0 {
                    defer { isDone.store(true, ordering: .releasing) }
                    let writer = volume.writer()
                    for index in 0..<total {
                        let text = "\(index) " + String(repeating: "\(index % 10)", count: size)
                        _ = try writer.withLock { try $0.append([frame(text, flags: flags)]) }
                    }
                } else {
                    try watch(volume, mapping, until: total, isDone)
                }
            } catch {
                Issue.record(error)
            }
        }
    }

    private func watch(
        _ volume: DiskVolume, _ mapping: LogReader.Mapping, until total: Int,
        _ isDone: borrowing Atomic<Bool>
    ) throws {
        var reader = try LogReader(volume, mapping: mapping)
        var outcomes: Set<LogReader.Outcome> = []
        var last = false
        while true {
            outcomes.insert(try reader.refresh())
            let seen = Int(reader.sequence)
            #expect(reader.index.collections[ByteString("items")]?.values.liveCount ?? 0 == seen)
            #expect(reader.receipt.entries.isEmpty)
            if !reader.receipt.entries.isEmpty || last { break }
            last = isDone.load(ordering: .acquiring)
        }
        #expect(Int(reader.sequence) == total)
        #expect(!outcomes.contains(.replaced))
        #expect(reader.receipt.unfinished == nil)
        #expect(
            try reader.texts().map { $0.prefix(while: { $0 != " " }) }
                == (0..<total).map { "\($0)" })
    }

    @Test("an end that was unfinished is no longer told of when the next writer has mended it")
    func unfinishedMended() throws {
        let volume = FaultyVolume()
        _ = try volume.writer().withLock { try $0.append([frame("one")]) }
        try volume.tear(try #require(volume.bytes(of: .log)))
        var reader = try LogReader(volume, mapping: .never)
        #expect(reader.receipt.unfinished != nil)
        #expect(try reader.refresh() == .unchanged)
        #expect(reader.receipt.unfinished != nil)
        _ = try volume.writer().withLock { _ in }
        #expect(try reader.refresh() == .unchanged)
        #expect(reader.receipt.unfinished == nil)
    }
}
