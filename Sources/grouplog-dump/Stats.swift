import GroupLogFormat

/// What the bytes of a log are used for.
struct Stats {
    /// The uses. Each byte of the log has just one.
    enum Use: String, CaseIterable {
        case logHeaders = "log headers"
        case frameHeaders = "frame headers and trailers"
        case payloadHeads = "payload heads and names"
        case recordHeaders = "record headers"
        case keys = "keys"
        case liveValues = "live values"
        case deadValues = "dead values"
        case spares = "spares"
        case padding = "padding"
        case damage = "damage"
        case unfinished = "unfinished"
        case slack = "slack"
    }

    private(set) var bytes: [Use: UInt64] = [:]
    private(set) var replay = Replay()
    /// How many records have a length of up to 16, 32, 64, ... bytes.
    private(set) var lengths: [Int: Int] = [:]
    private(set) var records = 0

    init(_ scan: LogScan) throws {
        let salt = try scan.source.salt()
        try scan.forEach { part in
            let count = part.range.upperBound - part.range.lowerBound
            switch part {
            case .header, .gap: add(count, .logHeaders)
            case .frame(let content):
                try scan.source.bytes.withBytes(part.range) { self.count(content, $0, salt: salt) }
            case .damage: add(count, .damage)
            case .unfinished: add(count, .unfinished)
            case .slack: add(count, .slack)
            }
            return true
        }
        for tally in replay.tallies {
            add(tally.liveValueBytes, .liveValues)
            add(tally.deadValueBytes, .deadValues)
        }
    }

    private mutating func add(_ count: UInt64, _ use: Use) { bytes[use, default: 0] += count }

    private mutating func count(_ content: FrameContent, _ bytes: RawSpan, salt: UInt64) {
        var left = UInt64(content.header.length)
        // Parts that overlap, which only a forged frame has, are counted once.
        func take(_ count: Int) -> UInt64 {
            let taken = min(left, UInt64(count))
            left -= taken
            return taken
        }
        add(take(LogLayout.frameHeaderSize + LogLayout.frameTrailerSize), .frameHeaders)
        add(take(content.head.size), .payloadHeads)
        for record in content.records {
            add(take(record.key.lowerBound - record.range.lowerBound), .recordHeaders)
            add(take(record.key.count), .keys)
            _ = take(record.value.count)
            records += 1
            lengths[Self.bound(record.range.count), default: 0] += 1
            _ = replay.apply(record, of: content, bytes)
        }
        if content.header.flags.contains(.independent),
            let spare = Spare.decode(
                bytes, at: 0, length: bytes.byteCount, frameOffset: content.offset, salt: salt)
        {
            add(take(content.header.payload.upperBound - spare.start), .spares)
        }
        // What is left of a frame that is whole fills it up to a multiple of eight.
        add(left, content.damage.allSatisfy { $0.cause == .sequenceGap } ? .padding : .damage)
    }

    /// The smallest power of two, 16 at least, that is not below a length.
    private static func bound(_ length: Int) -> Int {
        var bound = 16
        while bound < length { bound *= 2 }
        return bound
    }
}
