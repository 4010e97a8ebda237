import GroupLogFormat
import ToolSupport

/// A log as a grid of cells, each of which stands for a block of the same size.
struct LogMap {
    /// What a block is mostly used for, or that something is wrong in it.
    enum Use: Int, CaseIterable {
        case damage, unfinished, header, live, dead, overhead, slack

        /// How it is drawn; letters, so that nothing depends on colours.
        var letter: Character {
            switch self {
            case .damage: "X"
            case .unfinished: "?"
            case .header: "H"
            case .live: "#"
            case .dead: "-"
            case .overhead: "f"
            case .slack: "."
            }
        }

        var meaning: String {
            switch self {
            case .damage: "damaged, if only in part"
            case .unfinished: "an unfinished write"
            case .header: "log header"
            case .live: "live records"
            case .dead: "dead records and deletions"
            case .overhead: "nothing but frame headers and names"
            case .slack: "slack"
            }
        }

        var colour: Style.Colour? {
            switch self {
            case .damage: .red
            case .unfinished: .yellow
            case .header: .blue
            case .live: .green
            case .dead: .cyan
            case .overhead: nil
            case .slack: .dim
            }
        }
    }

    /// A power of two.
    let blockSize: UInt64
    /// The bytes of each use in each block.
    private var cells: [[UInt64]]

    init(_ scan: LogScan, cellLimit: Int) throws {
        let size = scan.source.bytes.size
        var blockSize: UInt64 = 64
        while size / blockSize >= UInt64(cellLimit), blockSize < 1 << 62 { blockSize *= 2 }
        self.blockSize = blockSize
        let count = Int(size / blockSize) + (size % blockSize == 0 ? 0 : 1)
        cells = Array(repeating: Array(repeating: 0, count: Use.allCases.count), count: count)
        var replay = Replay()
        try scan.forEach { part in
            switch part {
            case .header: add(part.range, .header)
            case .gap: add(part.range, .slack)
            case .frame(let content):
                try scan.source.bytes.withBytes(part.range) { add(content, $0, &replay) }
            case .damage: add(part.range, .damage)
            case .unfinished: add(part.range, .unfinished)
            case .slack: add(part.range, .slack)
            }
            return true
        }
        for copy in scan.source.headers.copies where copy.fault != nil { add(copy.range, .damage) }
    }

    private mutating func add(_ content: FrameContent, _ bytes: RawSpan, _ replay: inout Replay) {
        add(content.offset..<content.end, .overhead)
        for record in content.records {
            let start = content.offset + UInt64(record.range.lowerBound)
            let old = replay.apply(record, of: content, bytes)
            if let old, !old.isDeletion { move(old.range, from: .live, to: .dead) }
            move(
                start..<start + UInt64(record.range.count), from: .overhead,
                to: record.kind == .delete ? .dead : .live)
        }
        for damage in content.damage { add(damage.range, .damage) }
    }

    private mutating func add(_ range: Range<UInt64>, _ use: Use) {
        forEachCell(range) { $0[use.rawValue] += $1 }
    }

    private mutating func move(_ range: Range<UInt64>, from: Use, to: Use) {
        forEachCell(range) {
            $0[from.rawValue] -= min($1, $0[from.rawValue])
            $0[to.rawValue] += $1
        }
    }

    /// Visits the cells that a range touches, each with the bytes of the range that are in it.
    private mutating func forEachCell(
        _ range: Range<UInt64>, _ body: (inout [UInt64], UInt64) -> Void
    ) {
        var start = range.lowerBound
        while start < range.upperBound, start / blockSize < UInt64(cells.count) {
            let index = Int(start / blockSize)
            let end = min(range.upperBound, (UInt64(index) + 1) * blockSize)
            body(&cells[index], end - start)
            start = end
        }
    }

    /// What each block is drawn as.
    var uses: [Use] {
        cells.map { cell in
            for wrong in [Use.damage, .unfinished] where cell[wrong.rawValue] > 0 { return wrong }
            let rest = [Use.header, .live, .dead, .slack]
            let most = rest.max { cell[$0.rawValue] < cell[$1.rawValue] } ?? .slack
            return cell[most.rawValue] > 0 ? most : .overhead
        }
    }
}
