import GroupLogFormat
import GroupLogSystem
import ToolSupport

/// `grouplog-dump summary`.
enum SummaryCommand {
    static let command = Command(
        "summary", abstract: "Shows what a log is and what is in it.",
        discussion: """
            The headers, how many frames and records there are and of which kinds, the collections \
            with the number of their live records, sequences, times and authors, damage, and how \
            the log ends. Of a store's directory also what the lock file says.
            Counts of live records come from applying all records that can be read, in their order.
            JSON: path, size, version, storeID, generation, salt, saltFrom, optionalFeatures, \
            requiredFeatures, headers (offset, length, fault), lockFile (path, salt, end, \
            durableGeneration, hasHeader, holder: processID, name, purpose, since, sinceDate), \
            frames, records, kinds, collections (name, records, live), authors (name, records), \
            firstSequence, lastSequence, firstTime, firstDate, lastTime, lastDate, slack, \
            damageCount, damagedBytes, findings (the first of them, as 'verify' prints them). Times \
            are microseconds since 1970.
            """,
        examples: [
            .init("What is in a store", "grouplog-dump ~/notes.grouplog"),
            .init(
                "What recovery took out of the way",
                "grouplog-dump notes.grouplog/quarantine/t0001780000000000000-g1-o4160-n96.log"),
        ],
        arguments: [DumpOptions.log]
    ) { invocation in
        let path = invocation[DumpOptions.log]
        let source = try invocation.suggestingSubcommands(for: path) { try LogSource(path: path) }
        let isReadable = source.headers.salt != nil
        let summary =
            isReadable
            ? try Summary(LogScan(source, progress: invocation)) : nil
        if invocation[CommonOptions.json] {
            var writer = JSONWriter()
            writer.beginObject()
            write(source, to: &writer)
            if let summary { write(summary, to: &writer) }
            writer.endObject()
            try invocation.output.line(json: &writer)
        } else {
            var sheet = Table(
                [.init("", alignsRight: false), .init("")], on: invocation.output,
                showsTitles: false)
            for row in rows(source) + (summary.map(rows) ?? []) {
                try sheet.add([.init(row.label, .bold), .init(row.text, row.colour)])
            }
            try sheet.finish()
        }
        // What could be shown was shown; what is wrong is told by the error.
        if !isReadable { _ = try source.salt() }
        return .done
    }

    private struct Row {
        var label: String
        var text: String
        var colour: Style.Colour?
        init(_ label: String, _ text: String, _ colour: Style.Colour? = nil) {
            self.label = label
            self.text = text
            self.colour = colour
        }
    }

    // MARK: For people

    private static func rows(_ source: LogSource) -> [Row] {
        var rows = [
            Row("log", source.path), Row("size", counted(source.bytes.size, "byte")),
        ]
        if let header = source.headers.header {
            rows += [
                Row("version", "\(header.majorVersion).\(header.minorVersion)"),
                Row("store id", header.storeID.description),
                Row("generation", "\(header.generation)"),
            ]
            let features = [
                ("optional features", header.optionalFeatures),
                ("required features", header.requiredFeatures),
            ]
            for (label, bits) in features where bits != 0 {
                rows.append(Row(label, Naming.hexadecimal(bits)))
            }
        }
        if let salt = source.headers.salt, let origin = source.headers.origin {
            let note = origin == .copies ? "" : " (from the \(origin.rawValue))"
            rows.append(Row("salt", Naming.hexadecimal(salt) + note, note.isEmpty ? nil : .yellow))
        }
        for copy in source.headers.copies {
            let state = copy.fault?.reason ?? "good"
            rows.append(
                Row("header at \(copy.offset)", state, copy.fault == nil ? .green : .red))
        }
        return rows + Self.rows(source.lock, source.headers)
    }

    private static func rows(_ lock: LogSource.LockFile?, _ headers: LogHeaders) -> [Row] {
        guard let lock else { return [] }
        var rows: [Row] = []
        if let holder = lock.holder {
            rows.append(
                Row("last lock", "\(holder), since \(Naming.date(holder.since))"))
        }
        if let page = lock.page {
            let isOfThisLog = page.salt == headers.salt
            let note = isOfThisLog ? "" : " (of another log)"
            rows += [
                Row("end hint", "\(page.end)\(note)"),
                Row("durable generation", "\(page.durableGeneration)"),
            ]
        }
        rows.append(
            Row("header in lock file", lock.header == nil ? "none" : "good"))
        return rows
    }

    private static func rows(_ summary: Summary) -> [Row] {
        var rows: [Row] = []
        let place = summary.frameRange.map { ", offsets \(Naming.range($0))" } ?? ""
        rows.append(Row("frames", "\(summary.frames)\(place)"))
        let kinds = summary.sortedKinds.map { "\($0.count) \($0.kind)" }.joined(separator: ", ")
        rows.append(Row("records", "\(summary.records)" + (kinds.isEmpty ? "" : ": " + kinds)))
        for tally in summary.replay.tallies {
            guard let name = tally.name else { continue }
            rows.append(
                Row(
                    "collection",
                    "\(name): \(tally.live) live, "
                        + counted(tally.records, "record")))
        }
        if let sequences = summary.sequences {
            rows.append(Row("sequences", "\(sequences.lowerBound)...\(sequences.upperBound)"))
        }
        if let times = summary.times {
            rows.append(
                Row(
                    "times",
                    "\(Naming.date(times.lowerBound)) ... \(Naming.date(times.upperBound))"))
        }
        for author in summary.sortedAuthors {
            rows.append(
                Row(
                    "author",
                    "\(author.name ?? "(none)"): \(counted(author.records, "record"))"))
        }
        if let slack = summary.slack {
            rows.append(
                Row("slack at \(slack.lowerBound)", counted(slack.count, "byte")))
        }
        for finding in summary.findings {
            let isDamage = finding.weight == .damage
            rows.append(
                Row(
                    "\(isDamage ? "damage" : "note") at \(finding.range.lowerBound)",
                    "\(counted(finding.range.count, "byte")): \(finding.text)",
                    isDamage ? .red : .yellow))
        }
        rows.append(damageRow(summary))
        return rows
    }

    private static func damageRow(_ summary: Summary) -> Row {
        guard summary.damageCount > 0 else { return Row("damage", "none seen", .green) }
        return Row(
            "damage",
            "\(counted(summary.damageCount, "place")), "
                + "\(counted(summary.damagedBytes, "byte")); 'verify' lists all", .red)
    }
}
