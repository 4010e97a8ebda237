import GroupLogFormat
import ToolSupport

extension SummaryCommand {
    /// The log and its headers. The salt is text, since it needs all of its 64 bits.
    static func write(_ source: LogSource, to writer: inout JSONWriter) {
        let header = source.headers.header
        writer.member("path", source.path)
        writer.member("size", source.bytes.size)
        writer.member("version", header.map { "\($0.majorVersion).\($0.minorVersion)" })
        writer.member("storeID", header?.storeID.description)
        writer.member("generation", header?.generation)
        writer.member("salt", source.headers.salt.map { Naming.hexadecimal($0) })
        writer.member("saltFrom", source.headers.origin?.rawValue)
        writer.member("optionalFeatures", header?.optionalFeatures)
        writer.member("requiredFeatures", header?.requiredFeatures)
        writer.key("headers")
        writer.beginArray()
        for copy in source.headers.copies {
            writer.beginObject()
            writer.members(of: copy.range)
            writer.member("fault", copy.fault?.reason)
            writer.endObject()
        }
        writer.endArray()
        writer.key("lockFile")
        guard let lock = source.lock else { return writer.null() }
        writer.beginObject()
        writer.member("path", lock.path)
        writer.member("salt", lock.page.map { Naming.hexadecimal($0.salt) })
        writer.member("end", lock.page?.end)
        writer.member("durableGeneration", lock.page?.durableGeneration)
        writer.member("hasHeader", lock.header != nil)
        writer.key("holder")
        if let holder = lock.holder {
            writer.beginObject()
            writer.member("processID", holder.processID)
            writer.member("name", holder.name)
            writer.member("purpose", holder.purpose)
            writer.member("since", holder.since)
            writer.member("sinceDate", Naming.date(holder.since))
            writer.endObject()
        } else {
            writer.null()
        }
        writer.endObject()
    }

    /// What is in the log.
    static func write(_ summary: Summary, to writer: inout JSONWriter) {
        writer.member("frames", summary.frames)
        writer.member("records", summary.records)
        writer.key("kinds")
        writer.beginObject()
        for (kind, count) in summary.sortedKinds { writer.member(kind.description, count) }
        writer.endObject()
        list("collections", summary.replay.tallies.filter { $0.name != nil }, &writer) {
            $1.member("name", $0.name)
            $1.member("records", $0.records)
            $1.member("live", $0.live)
        }
        list("authors", summary.sortedAuthors, &writer) {
            $1.member("name", $0.name)
            $1.member("records", $0.records)
        }
        writer.member("firstSequence", summary.sequences?.lowerBound)
        writer.member("lastSequence", summary.sequences?.upperBound)
        writer.member("firstTime", summary.times?.lowerBound)
        writer.member("firstDate", summary.times.map { Naming.date($0.lowerBound) })
        writer.member("lastTime", summary.times?.upperBound)
        writer.member("lastDate", summary.times.map { Naming.date($0.upperBound) })
        writer.key("slack")
        if let slack = summary.slack {
            writer.beginObject()
            writer.members(of: slack)
            writer.endObject()
        } else {
            writer.null()
        }
        writer.member("damageCount", summary.damageCount)
        writer.member("damagedBytes", summary.damagedBytes)
        writer.key("findings")
        writer.beginArray()
        for finding in summary.findings { finding.write(to: &writer) }
        writer.endArray()
    }

    private static func list<Item>(
        _ name: String, _ items: [Item], _ writer: inout JSONWriter,
        _ members: (Item, inout JSONWriter) -> Void
    ) {
        writer.key(name)
        writer.beginArray()
        for item in items {
            writer.beginObject()
            members(item, &writer)
            writer.endObject()
        }
        writer.endArray()
    }
}
