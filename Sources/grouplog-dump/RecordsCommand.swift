import GroupLogFormat
import ToolSupport

/// `grouplog-dump records`.
enum RecordsCommand {
    static let command = Command(
        "records", abstract: "Lists the records of a log, a line each, in the order of the log.",
        discussion: """
            Every version of every record that is still in the log, deletions too. Records that are \
            damaged, or that belong to a transaction that is, are listed with a state that says so: \
            nobody else is served them. Bytes of which not even that is known have a line as well, \
            unless the lines are chosen by collection or key.
            Values are printed in diagnostic notation (RFC 8949), with --json as JSON.
            JSON: offset and length of the record, or of the bytes that nothing can be read of; state \
            (good; bad record; not served: whole, of a frame that is lost; or the cause of damage, \
            unreadable or unfinished); frame (its offset), kind, flags (a number), collection, keyType \
            (text, uuid, integer, bytes), key (an integer as a number), sequence, creation (the \
            sequence since which the key has a value), time (microseconds since 1970), date (the \
            same), author, value. What is not there, or cannot be read, is null. A value that is no \
            CBOR is null too, and valueBytes has its bytes; valueFault says in words what is wrong \
            with a value. What JSON cannot express stands under a key that begins with $, as in an \
            export: see FORMAT.md, "Values as JSON".
            """,
        examples: [
            .init(
                "All versions of one record",
                "grouplog-dump records --key 0b5e2c1a-6d0f-4a1e-9d2b-3f1f5e0c7a11 notes.grouplog"),
            .init("The first ten, for a program", "grouplog-dump records --json -n 10 notes.log"),
        ],
        arguments: [DumpOptions.log],
        options: [
            DumpOptions.from, DumpOptions.to, DumpOptions.collection, DumpOptions.key,
            DumpOptions.limit,
        ]
    ) { invocation in
        let source = try LogSource(path: invocation[DumpOptions.log])
        var scan = LogScan(source)
        scan.range = DumpOptions.range(invocation)
        let filter = Filter(invocation)
        var rows = Rows<Line>(invocation, limit: invocation[DumpOptions.limit])
        var unreadable = 0
        try scan.forEach { part in
            try forEachLine(of: part, source) { line in
                guard line.range.overlaps(scan.range) else { return true }
                guard line.key != nil || !filter.isActive else {
                    unreadable += 1
                    return true
                }
                return filter.takes(line) ? try rows.add(line) : true
            }
        }
        try rows.finish()
        if unreadable > 0, !invocation[CommonOptions.quiet] {
            invocation.note(
                "\(counted(unreadable, "place")) that cannot be read may hold more; "
                    + "see 'grouplog-dump verify'")
        }
        return .done
    }

    private struct Filter {
        private let collection: ByteString?
        private let key: KeyPattern?

        init(_ invocation: Invocation) {
            collection = invocation[DumpOptions.collection].map { ByteString($0) }
            key = invocation[DumpOptions.key]
        }

        var isActive: Bool { collection != nil || key != nil }

        func takes(_ line: Line) -> Bool {
            if let collection, line.collection.map({ ByteString($0) }) != collection {
                return false
            }
            guard let key else { return true }
            return key.matches(kind: line.keyKind ?? 0, line.keyBytes)
        }
    }

    /// Visits what is to be said of one part of the log, until that is answered with false.
    private static func forEachLine(
        of part: LogPart, _ source: LogSource, _ visit: (Line) throws -> Bool
    ) throws -> Bool {
        switch part {
        case .header, .gap, .slack: return true
        case .frame(let content):
            return try source.bytes.withBytes(part.range) {
                try forEachLine(of: content, $0, visit)
            }
        case .damage(let damage) where damage.cause == .badPayload:
            let frame = try FrameInspection(damage.range, of: source)
            return try source.bytes.withBytes(part.range) {
                try forEachLine(of: frame, $0, visit)
            }
        case .damage(let damage): return try visit(Line(damage.range, state: damage.cause.rawValue))
        case .unfinished(let range): return try visit(Line(range, state: "unfinished"))
        }
    }

    private static func forEachLine(
        of content: FrameContent, _ bytes: RawSpan, _ visit: (Line) throws -> Bool
    ) throws -> Bool {
        // Damaged records stand among the good ones, in the order of the log.
        var damage = content.damage.filter { $0.cause != .sequenceGap && $0.lostRecords != 0 }[...]
        for record in content.records {
            let start = content.offset + UInt64(record.range.lowerBound)
            while let next = damage.first, next.range.lowerBound < start {
                damage.removeFirst()
                guard try visit(Line(next, of: content, bytes)) else { return false }
            }
            guard try visit(Line(record, of: content, bytes)) else { return false }
        }
        for rest in damage {
            guard try visit(Line(rest, of: content, bytes)) else { return false }
        }
        return true
    }

    /// The records of a frame that is not served.
    private static func forEachLine(
        of frame: FrameInspection, _ bytes: RawSpan, _ visit: (Line) throws -> Bool
    ) throws -> Bool {
        var gaps = frame.unreadable[...]
        for record in frame.records {
            while let gap = gaps.first, gap.lowerBound < record.header.range.lowerBound {
                gaps.removeFirst()
                guard try visit(Line(frame.logRange(gap), state: "unreadable")) else {
                    return false
                }
            }
            guard try visit(Line(record, of: frame, bytes)) else { return false }
        }
        for gap in gaps {
            guard try visit(Line(frame.logRange(gap), state: "unreadable")) else { return false }
        }
        return true
    }
}
