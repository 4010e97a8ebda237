import Synchronization
import Testing

@testable import ToolSupport

@Suite("Progress")
struct ProgressTests {
    /// A clock that a test moves.
    private final class Hand: Sendable {
        private let milliseconds = Mutex<Int64>(0)
        func move(to value: Int64) { milliseconds.withLock { $0 = value } }
        var nanoseconds: Int64 { milliseconds.withLock { $0 * 1_000_000 } }
    }

    private func shown(
        width: Int?, quiet: Bool = false, total: Int? = 200,
        updates: [(milliseconds: Int64, done: Int)]
    ) -> String {
        let sink = MemorySink(width: width)
        let hand = Hand()
        let output = Output(sink, style: Style(isColoured: false), tolerating: .everything)
        var progress = Progress(
            "copying", total: total, unit: "records", quiet: quiet, on: output,
            nanoseconds: { hand.nanoseconds })
        for (milliseconds, done) in updates {
            hand.move(to: milliseconds)
            progress.update(done)
        }
        progress.clear()
        return sink.text
    }

    private let clear = "\r\u{1B}[K"

    @Test("it is drawn after half a second, ten times a second at most, and cleared")
    func draws() {
        let text = shown(width: 80, updates: [(1, 1), (499, 2), (500, 50), (599, 51), (600, 100)])
        #expect(
            text
                == "\(clear)copying: 25% (50 of 200 records)\(clear)copying: 50% (100 of 200 records)\(clear)"
        )
    }

    @Test("short work shows nothing")
    func short() {
        #expect(shown(width: 80, updates: [(1, 100), (400, 200)]) == "")
    }

    @Test("without a terminal, or when quiet, nothing is shown")
    func silent() {
        #expect(shown(width: nil, updates: [(900, 1)]) == "")
        #expect(shown(width: 80, quiet: true, updates: [(900, 1)]) == "")
    }

    @Test("odd counts are shown as they are")
    func odd() {
        #expect(shown(width: 80, total: nil, updates: [(500, 7)]).contains("copying: 7 records"))
        #expect(shown(width: 80, total: 0, updates: [(500, 7)]).contains("copying: 7 records"))
        #expect(shown(width: 80, total: 5, updates: [(500, 9)]).contains("100% (9 of 5"))
        #expect(shown(width: 80, total: 1, updates: [(500, -1)]).contains("0% (-1 of 1"))
        #expect(shown(width: 10, updates: [(500, 7)]) == "\(clear)copying:…\(clear)")
    }
}
