import Foundation
import GroupLog
import TestSupport
import Testing

@Suite(.serialized) struct AcknowledgedTests {
    private let rounds = isFull ? 500 : 15

    @Test(
        "what append has acknowledged is listed by other processes, though its writer closes nothing",
        arguments: ["exit", "stay"])
    func unclosed(end: String) throws {
        let directory = try TemporaryDirectory()
        _ = try Store(path: directory.store)
        let reader = try Store(path: directory.store, options: StoreOptions(role: .readOnly))
        var acknowledged: [String] = []
        for round in 0..<rounds {
            let count = 1 + round % 3
            let writer = try RunningProcess(
                "writer-process", [directory.store, "\(end)\(round)", "\(count)", end])
            if end == "stay" {
                while writer.isRunning, try writer.lines().count < count { usleep(1_000) }
                writer.kill(with: SIGKILL)
            }
            let (status, lines) = try writer.finish()
            #expect(status == (end == "stay" ? -SIGKILL : 0), "round \(round)")
            #expect(lines.count == count, "round \(round)")
            acknowledged += lines

            let another = try Store(
                path: directory.store, options: StoreOptions(role: .readOnly))
            for store in [reader, another] {
                let listed = try store[Note.self].newest(limit: count)
                #expect(listed.map(\.id) == lines.reversed(), "round \(round)")
                #expect(listed.allSatisfy { $0.isWhole }, "round \(round)")
            }
        }
        #expect(try reader[Note.self].newest().map(\.id) == acknowledged.reversed())
        #expect(try reader.receipt().isClean)
    }
}
