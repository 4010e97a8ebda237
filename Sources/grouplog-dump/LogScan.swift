import GroupLogFormat
import GroupLogSystem
import ToolSupport

/// What a log consists of, from its first byte to its last, each byte in just one part.
enum LogPart {
    /// A copy of the log's header; `copy` is 0 or 1.
    case header(Range<UInt64>, copy: Int)
    /// The bytes between the two copies.
    case gap(Range<UInt64>)
    /// A frame whose records are served, with whatever is wrong with it.
    case frame(FrameContent)
    /// Bytes that are not served, with frames behind them, or a frame that is not.
    case damage(Damage)
    /// Bytes behind the last frame that are not a whole frame, or not yet.
    case unfinished(Range<UInt64>)
    /// The zeros at the end.
    case slack(Range<UInt64>)

    var range: Range<UInt64> {
        switch self {
        case .header(let range, _), .gap(let range), .unfinished(let range), .slack(let range):
            range
        case .frame(let content): content.offset..<content.end
        case .damage(let damage): damage.range
        }
    }
}

/// One pass over the parts of a log.
struct LogScan {
    let source: LogSource
    /// Only parts that touch these offsets are visited.
    var range: Range<UInt64> = 0..<UInt64.max
    /// Where a frame is known to begin, if the walk is not to begin at the first one.
    var start: UInt64?
    /// Where progress is shown.
    private let messages: Output?

    /// A pass over the whole log, which shows its progress if it is given where. Progress is for
    /// passes during which nothing is printed.
    init(_ source: LogSource, progress invocation: Invocation? = nil) {
        self.source = source
        messages = invocation.flatMap { $0[CommonOptions.quiet] ? nil : $0.messages }
    }

    /// Visits the parts in their order, until one is answered with false.
    ///
    /// Also when only a range is wanted the log is walked from its first frame on: where a damaged
    /// frame begins can be told only from the frames before it.
    func forEach(_ visit: (LogPart) throws -> Bool) throws {
        let salt = try source.salt()
        let size = source.bytes.size
        for part in Self.preamble(size: size) where part.range.overlaps(range) {
            guard try visit(part) else { return }
        }
        var walker = LogWalker(
            source.bytes, salt: salt, from: start ?? LogLayout.firstFrameOffset)
        var progress = progress(size: size)
        while walker.position < range.upperBound {
            if Interrupt.isRequested { throw ToolError.interrupted }
            progress?.update(Int(clamping: walker.position >> 20))
            let step = try walker.next()
            for part in Self.parts(step, end: walker.position, size: size)
            where part.range.overlaps(range) {
                guard try visit(part) else { return }
            }
            switch step {
            case .frame, .damage: continue
            case .unfinished, .end: return
            }
        }
    }

    private func progress(size: UInt64) -> Progress? {
        messages.map {
            Progress("reading", total: Int(clamping: size >> 20), unit: "MiB", on: $0)
        }
    }

    private static func parts(
        _ step: LogWalker<FileBytes>.Step, end: UInt64, size: UInt64
    ) -> [LogPart] {
        switch step {
        case .frame(let content): [.frame(content)]
        case .damage(let damage): [.damage(damage)]
        case .unfinished(let range): [.unfinished(range)] + slack(from: range.upperBound, size)
        case .end: slack(from: end, size)
        }
    }

    private static func slack(from end: UInt64, _ size: UInt64) -> [LogPart] {
        end < size ? [.slack(end..<size)] : []
    }

    /// What stands before the first frame, as far as the log reaches.
    static func preamble(size: UInt64) -> [LogPart] {
        let header = UInt64(LogLayout.headerSize)
        let second = LogLayout.secondHeaderOffset
        let parts: [LogPart] = [
            .header(0..<min(header, size), copy: 0),
            .gap(min(header, size)..<min(second, size)),
            .header(min(second, size)..<min(LogLayout.firstFrameOffset, size), copy: 1),
        ]
        return parts.filter { !$0.range.isEmpty }
    }
}
