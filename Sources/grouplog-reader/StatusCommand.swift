import GroupLog
import GroupLogFile
import GroupLogFormat
import GroupLogSystem
import StoreToolSupport
import ToolSupport

/// `status`: how a store is.
enum StatusCommand {
    private static let isWatching = Flag(
        "watch", "Go on, and tell it anew whenever it has changed.")
    private static let isPinned = Flag(
        "pinned", "With --watch: never refresh the cache, to see how a list goes stale.")

    static let command = Command(
        "status", abstract: "Tells how the store is: its size, its records, its damage.",
        discussion: """
            The counts are those of the collection 'items' in three layers: what a fresh scan of \
            the disk finds, what the table of offsets in memory has, and how long the list is that \
            is made of it, each with the last commit that it knows and its place in the log. Where \
            one lags behind, it is named; a process that refreshes before it reads has none that \
            does.
            A live record is the newest of its key; the others in the log are dead until it is \
            compacted. Slack is room at the end of the log for what comes next. An unfinished \
            write is one that is under way, or broke off: the next writer takes it out of the way, \
            into the quarantine, and nothing that was committed is lost by it.
            With --json it is one object: 'path', 'store', 'generation', 'format', 'sequence', \
            'token' (the place in the history, for 'history --since'), 'counts' (objects 'disk', \
            'cache' and 'results' with 'count', 'sequence', 'offset' and 'generation', and \
            'lagging': cache, results or null), 'collections' (objects with 'collection' and 'count'), 'values', 'frames', \
            'liveRecords', 'deadRecords', 'deadBytes', 'cursors' (as 'cursor list' prints them), \
            'log' ('size', 'slack'), 'damage' (objects with \
            'offset', 'length', 'cause', 'lostRecords', 'collection', 'key', 'framesBehind'), \
            'unfinished' ('offset', 'length', or null), 'quarantined' (how many cuts, or null \
            where that cannot be read), and 'lastHolder' \
            ('process', 'name', 'purpose', 'since', or null): who took the lock last.
            """,
        examples: [
            .init("For a look", "grouplog-reader status"),
            .init("Whether there is damage", "grouplog-reader status --json | jq '.damage == []'"),
            .init("A panel that stays up to date", "grouplog-reader status --watch"),
        ],
        options: [isWatching, isPinned]
    ) { invocation in
        let store = try invocation.openStore(as: .readOnly)
        guard invocation[isWatching] else {
            guard !invocation[isPinned] else {
                throw ToolError(.usage, "--pinned goes with --watch")
            }
            try print(try StoreStatus(store), invocation)
            return .done
        }
        return try watch(store, invocation)
    }

    private static func print(_ status: StoreStatus, _ invocation: Invocation) throws {
        guard invocation[CommonOptions.json] else {
            for (name, text) in status.lines { try invocation.output.line(name, text) }
            return
        }
        var writer = JSONWriter()
        writer.status(status)
        try invocation.output.line(json: &writer)
    }

    /// Prints the status again and again, each time that something is new: on a terminal in the same
    /// place.
    private static func watch(_ store: Store, _ invocation: Invocation) throws -> ExitStatus {
        let pinned = invocation[isPinned] ? try store.view() : nil
        let isPanel = invocation.output.isTerminal && !invocation[CommonOptions.json]
        var last: StoreCounts.Layer?
        return try invocation.keepLooking(at: store, milliseconds: 1_000) {
            let now = try store.view().layer(of: ToolCollection.items.name)
            if now == last { return true }
            last = now
            let status = try StoreStatus(store, cache: pinned)
            // Back to the first place, and nothing below (ECMA-48, CUP and ED).
            if isPanel { try invocation.output.write("\u{1B}[H\u{1B}[J") }
            try print(status, invocation)
            if !isPanel && !invocation[CommonOptions.json] { try invocation.output.write("\n") }
            return true
        }
    }
}

extension Output {
    fileprivate func line(_ name: String, _ text: String) throws {
        let width = 14
        let padding = String(repeating: " ", count: max(1, width - name.utf8.count))
        let label = name.isEmpty ? padding : style(name + ":", .bold) + padding.dropFirst()
        try write(label + visible(text) + "\n")
    }
}

extension StoreStatus {
    /// For people: names and texts; a text without a name belongs to the one above.
    fileprivate var lines: [(String, String)] {
        var lines = [
            ("store", path), ("id", "\(header.storeID)"),
            ("generation", "\(header.generation), format \(header.version)"),
            ("sequence", "\(sequence)"),
        ]
        lines.append(("token", token.shortText))
        let layers = [("disk", counts.disk), ("cache", counts.cache), ("results", counts.results)]
        for (name, layer) in layers {
            guard let layer else { continue }
            let text =
                "\(name) \(layer.count), at commit \(layer.sequence), offset \(layer.offset)"
                + (layer.generation == header.generation
                    ? "" : " of generation \(layer.generation)")
                + (counts.lagging?.rawValue == name ? ": lags behind the disk" : "")
            lines.append((name == "disk" ? "counts" : "", text))
        }
        for (name, count) in collections {
            let isFirst = name == collections.first?.name
            lines.append((isFirst ? "collections" : "", "\(name) \(count)"))
        }
        lines.append(("values", "\(valueCount)"))
        let frames = counted(frameCount, "frame")
        lines.append(("records", "\(liveCount) live, \(deadCount) dead, in \(frames)"))
        lines.append(("dead bytes", "\(deadBytes)"))
        for (index, cursor) in cursors.enumerated() {
            let state =
                cursor.isRetired
                ? "retired" : "behind by \(counted(Int(clamping: cursor.lag), "commit"))"
            lines.append((index == 0 ? "cursors" : "", "\(cursor.name) \(state)"))
        }
        lines.append(("log", "\(counted(size, "byte")), \(slack) of them slack"))
        if let unfinished {
            let place = "at offset \(unfinished.lowerBound)"
            lines.append(("unfinished", "a write of \(counted(unfinished.count, "byte")) \(place)"))
        }
        if damage.isEmpty { lines.append(("damage", "none")) }
        for (index, entry) in damage.enumerated() {
            let text =
                entry.damage.sentence + "; \(counted(entry.framesBehind, "whole frame")) behind it"
            lines.append((index == 0 ? "damage" : "", text))
        }
        let cuts = quarantineCount.map { counted($0, "cut") }
        lines.append(("quarantine", cuts ?? "cannot be read: see 'quarantine list'"))
        if let holder {
            let since = Timestamp.text(microsecondsSince1970: holder.since)
            lines.append(("last writer", "\(holder), since \(since)"))
        }
        return lines
    }
}
