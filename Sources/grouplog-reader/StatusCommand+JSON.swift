import GroupLog
import GroupLogFile
import GroupLogFormat
import ToolSupport

extension JSONWriter {
    mutating func status(_ status: StoreStatus) {
        beginObject()
        member("path", status.path)
        member("store", "\(status.header.storeID)")
        member("generation", status.header.generation)
        member("format", status.header.version)
        member("sequence", status.sequence)
        member("token", status.token.description)
        key("counts")
        counts(status.counts)
        key("collections")
        beginArray()
        for (name, count) in status.collections { self.count(count, of: name) }
        endArray()
        member("values", status.valueCount)
        member("frames", status.frameCount)
        member("liveRecords", status.liveCount)
        member("deadRecords", status.deadCount)
        member("deadBytes", status.deadBytes)
        key("cursors")
        beginArray()
        for cursor in status.cursors { self.cursor(cursor) }
        endArray()
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
        key("quarantined")
        if let count = status.quarantineCount { integer(count) } else { null() }
        key("lastHolder")
        if let holder = status.holder { self.holder(holder) } else { null() }
        endObject()
    }

    private mutating func counts(_ counts: StoreCounts) {
        beginObject()
        let layers = [("disk", counts.disk), ("cache", counts.cache), ("results", counts.results)]
        for (name, layer) in layers {
            guard let layer else { continue }
            key(name)
            beginObject()
            member("count", layer.count)
            member("sequence", layer.sequence)
            member("offset", layer.offset)
            member("generation", layer.generation)
            endObject()
        }
        member("lagging", counts.lagging?.rawValue)
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
