import Foundation
import GroupLogFormat
import TestSupport
import Testing

@testable import GroupLogFile

/// Logs that are put in the place of others while a reader has them open, with a size and times that
/// give nothing away.
@Suite struct RewriteTests {
    private enum Way: CaseIterable {
        case inPlace
        case renamed
        /// Removed and made anew: mostly with the inode's old number.
        case madeAnew
    }

    /// Logs of the same size whose records differ: of stores of their own, and such as have the header
    /// and all but the last frame in common.
    private struct Variants {
        var logs: [[UInt8]] = []
        var texts: [[String]] = []

        init() throws {
            let shared = try TemporaryStore()
            for index in 0..<8 {
                let prefix = (0..<5).map { "\($0) of the same length" }
                let store = index < 4 ? try TemporaryStore() : shared
                let names = prefix + ["\(index) is the last of \(index)"]
                _ = try store.volume.writer().withLock { log in
                    if log.nextSequence == 1 {
                        for text in prefix { try log.append([frame(text)]) }
                    }
                }
                let before = try store.log()
                _ = try store.volume.writer().withLock { try $0.append([frame(names[5])]) }
                logs.append(try store.log())
                texts.append(names)
                try store.setLog(before)
            }
        }
    }

    @Test(
        "a log of the same size and times is never taken for the one before",
        arguments: [LogReader.Mapping.whenPossible, .never])
    func sameSizeAndTimes(_ mapping: LogReader.Mapping) throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let variants = try Variants()
        #expect(Set(variants.logs.map(\.count)).count == 1)
        let store = try TemporaryStore()
        _ = try store.volume.writer().withLock { _ in }
        let log = URL(fileURLWithPath: store.logPath)
        let time = Date(timeIntervalSince1970: 1_700_000_000)
        func put(_ bytes: [UInt8], _ way: Way, settingTimesBack: Bool) throws {
            let aside = URL(fileURLWithPath: store.path + "/aside")
            switch way {
            case .inPlace:
                let handle = try FileHandle(forWritingTo: log)
                try handle.write(contentsOf: Data(bytes))
                try handle.close()
            case .renamed: try Data(bytes).write(to: aside)
            case .madeAnew:
                try FileManager.default.removeItem(at: log)
                try Data(bytes).write(to: log)
            }
            let place = way == .renamed ? aside : log
            if settingTimesBack {
                try FileManager.default.setAttributes(
                    [.modificationDate: time], ofItemAtPath: place.path)
            }
            if way == .renamed { #expect(unsafe rename(aside.path, log.path) == 0) }
        }
        var current = 0
        try put(variants.logs[0], .renamed, settingTimesBack: true)
        var reader = try LogReader(store.volume, mapping: mapping)
        for round in 0..<(isFull ? 3_000 : 300) {
            let way = try #require(Way.allCases.randomElement(using: &random))
            let next = Int.random(in: 0..<variants.logs.count, using: &random)
            try put(
                variants.logs[next], way, settingTimesBack: Bool.random(using: &random))
            let outcome = try reader.refresh()
            #expect(outcome == .replaced || next == current, "round \(round), seed \(seed)")
            #expect(try reader.texts() == variants.texts[next], "round \(round), seed \(seed)")
            #expect(reader.receipt.entries.isEmpty)
            current = next
        }
    }
}
