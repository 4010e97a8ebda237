import Foundation
import GroupLogFormat
import GroupLogSystem
import TestSupport
import Testing

@testable import GroupLogFile

/// A disk that is full for a long time, and readers who notice nothing of it.
@Suite struct FullDiskTests {
    /// What readers have to see, and what they saw that was wrong.
    private struct Notes: Sendable {
        var isDone = false
        /// What was appended, or is being.
        var texts: [String] = []
        /// How much of it is in the log for certain.
        var count = 0
        var faults: [String] = []
    }

    private let volume = FaultyVolume()
    private let notes = Monitor(Notes())

    private func read(_ mapping: LogReader.Mapping) throws {
        var reader = try LogReader(volume, mapping: mapping)
        var size: UInt64 = 0
        while !notes.withLock(\.isDone) {
            let count = notes.withLock(\.count)
            _ = try reader.refresh()
            let texts = try reader.texts()
            let sizeNow = try volume.status(of: .log).size
            let receipt = reader.receipt
            let before = size
            notes.withLock { notes in
                if sizeNow < before { notes.faults.append("\(sizeNow) bytes behind \(before)") }
                if !receipt.entries.isEmpty { notes.faults.append("\(receipt.entries)") }
                if texts.count < count || !notes.texts.starts(with: texts) {
                    notes.faults.append("\(texts.count) of \(count) records")
                }
            }
            size = sizeNow
            Thread.sleep(forTimeInterval: 0.001)
        }
    }

    private func append(_ text: String, to writer: LogWriter) throws {
        notes.withLock { $0.texts.append(text) }
        _ = try writer.withLock { try $0.append([frame(text)]) }
        notes.withLock { $0.count += 1 }
    }

    @Test(
        "appends that fail for want of room, again and again, beside four readers: the log never gets shorter, and nobody reads anything wrong"
    )
    func full() throws {
        let writer = volume.writer()
        for index in 0..<10 { try append("\(index)", to: writer) }
        let group = DispatchGroup()
        for index in 0..<4 {
            group.enter()
            Thread.detachNewThread {
                defer { group.leave() }
                do {
                    try read(index % 2 == 0 ? .never : .whenPossible)
                } catch {
                    notes.withLock { $0.faults.append("\(error)") }
                }
            }
        }
        volume.room = try #require(volume.bytes(of: .log)).count + 400_000
        let long = String(repeating: "x", count: 1_000_000)
        let file = try volume.open(.log, .readWrite, .never)
        for round in 0..<(isFull ? 10_000 : 100) {
            do {
                _ = try writer.withLock { try $0.append([frame(long)]) }
                Issue.record("there was room")
            } catch LogError.system(let error) {
                #expect(error.errno == .noSpace)
            }
            if round % 10 == 0 { try append("behind \(round)", to: writer) }
            // What was written and taken back is not to be kept until the power fails.
            if round % 20 == 0 { try file.synchronize(.full) }
        }
        volume.room = nil
        try append("there is room again", to: writer)
        notes.withLock { $0.isDone = true }
        group.wait()
        #expect(notes.withLock(\.faults) == [])
        #expect(try volume.texts() == notes.withLock(\.texts))
        #expect(try LogReader(volume, mapping: .never).receipt.entries.isEmpty)
        #expect(try Quarantine(volume).entries().isEmpty)
    }
}
