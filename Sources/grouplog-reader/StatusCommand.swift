import GroupLog
import GroupLogFile
import GroupLogFormat
import StoreToolSupport
import ToolSupport

/// `status`: how a store is.
enum StatusCommand {
    static let command = Command(
        "status", abstract: "Tells how the store is: its size, its records, its damage.",
        discussion: """
            A live record is the newest of its key; the others in the log are dead until it is \
            compacted. Slack is room at the end of the log for what comes next. An unfinished \
            write is one that is under way, or broke off: the next writer takes it out of the way, \
            into the quarantine, and nothing that was committed is lost by it.
            With --json it is one object: 'path', 'store', 'generation', 'format', 'sequence', \
            'collections' (objects with 'collection' and 'count'), 'values', 'frames', \
            'liveRecords', 'deadRecords', 'log' ('size', 'slack'), 'damage' (objects with \
            'offset', 'length', 'cause', 'lostRecords', 'collection', 'key', 'framesBehind'), \
            'unfinished' ('offset', 'length', or null), 'quarantined', and 'lastHolder' \
            ('process', 'name', 'purpose', 'since', or null): who took the lock last.
            """,
        examples: [
            .init("For a look", "grouplog-reader status"),
            .init("Whether there is damage", "grouplog-reader status --json | jq '.damage == []'"),
        ]
    ) { invocation in
        let status = try StoreStatus(try invocation.openStore(as: .readOnly))
        guard invocation[CommonOptions.json] else {
            for (name, text) in status.lines { try invocation.output.line(name, text) }
            return .done
        }
        var writer = JSONWriter()
        writer.status(status)
        try invocation.output.line(json: &writer)
        return .done
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
        for (name, count) in collections {
            lines.append((lines.last?.0 == "sequence" ? "collections" : "", "\(name) \(count)"))
        }
        lines.append(("values", "\(valueCount)"))
        let frames = counted(frameCount, "frame")
        lines.append(("records", "\(liveCount) live, \(deadCount) dead, in \(frames)"))
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
        lines.append(("quarantine", counted(quarantineCount, "cut")))
        if let holder {
            let since = Timestamp.text(microsecondsSince1970: holder.since)
            lines.append(("last writer", "\(holder), since \(since)"))
        }
        return lines
    }
}

extension JSONWriter {
    fileprivate mutating func status(_ status: StoreStatus) {
        beginObject()
        member("path", status.path)
        member("store", "\(status.header.storeID)")
        member("generation", status.header.generation)
        member("format", status.header.version)
        member("sequence", status.sequence)
        key("collections")
        beginArray()
        for (name, count) in status.collections { self.count(count, of: name) }
        endArray()
        member("values", status.valueCount)
        member("frames", status.frameCount)
        member("liveRecords", status.liveCount)
        member("deadRecords", status.deadCount)
        key("log")
        beginObject()
        member("size", status.size)
        member("slack", status.slack)
        endObject()
        key("damage")
        beginArray()
        for entry in status.damage { damage(entry) }
        endArray()
        key("unfinished")
        if let unfinished = status.unfinished { place(unfinished) } else { null() }
        member("quarantined", status.quarantineCount)
        key("lastHolder")
        if let holder = status.holder { self.holder(holder) } else { null() }
        endObject()
    }

    private mutating func place(_ range: Range<UInt64>) {
        beginObject()
        members(of: range)
        endObject()
    }

    private mutating func damage(_ entry: StoreReceipt.Entry) {
        let damage = entry.damage
        beginObject()
        members(of: damage.range)
        member("cause", damage.cause.rawValue)
        key("lostRecords")
        if let count = damage.lostRecords { integer(count) } else { null() }
        key("collection")
        if let collection = damage.collection { string(collection) } else { null() }
        key("key")
        if let key = damage.key { recordKey(key) } else { null() }
        member("framesBehind", entry.framesBehind)
        endObject()
    }

    private mutating func holder(_ holder: LockHolder) {
        beginObject()
        member("process", holder.processID)
        member("name", holder.name)
        member("purpose", holder.purpose)
        key("since")
        time(holder.since)
        endObject()
    }
}
