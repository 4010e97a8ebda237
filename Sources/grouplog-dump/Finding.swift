import GroupLogFormat
import ToolSupport

/// Something about a log that is not as it should be.
struct Finding {
    enum Weight: String {
        /// Bytes are not what was written.
        case damage
        /// Worth knowing; nothing that was committed is lost by it.
        case note
    }

    var range: Range<UInt64>
    var weight = Weight.damage
    var cause: String
    /// More about it, as a sentence without a full stop.
    var detail: String?
    var lostRecords: Int?
    var collection: String?
    var key: RecordKey?

    init(
        _ range: Range<UInt64>, _ cause: String, weight: Weight = .damage, detail: String? = nil
    ) {
        self.range = range
        self.cause = cause
        self.weight = weight
        self.detail = detail
    }

    init(_ damage: Damage) {
        self.init(damage.range, damage.cause.rawValue)
        lostRecords = damage.lostRecords
        collection = damage.collection
        key = damage.key
    }

    init(_ fault: FormatError, _ range: Range<UInt64>) {
        self.init(range, Damage.Cause.badLogHeader.rawValue, detail: fault.reason)
    }

    /// An unfinished write at the end. It was never acknowledged, so it is no damage.
    init(unfinished range: Range<UInt64>) {
        self.init(
            range, "unfinished", weight: .note,
            detail: "a write that did not end, or has not ended yet")
    }

    /// On one line, without its offsets.
    var text: String {
        var parts = [cause]
        if let key { parts.append("key \(key)") }
        if let collection { parts.append("collection \(collection)") }
        switch lostRecords {
        case nil: break
        case 0: parts.append("no record lost")
        case let count?: parts.append("\(counted(count, "record")) lost")
        }
        if let detail { parts.append(detail) }
        return parts.joined(separator: ", ")
    }

}

extension Finding: Row {
    static var columns: [Table.Column] {
        [
            .init("offset", alignsRight: true), .init("length", alignsRight: true),
            .init("weight"), .init("finding", shrinks: true),
        ]
    }

    var cells: [Table.Cell] {
        [
            .init("\(range.lowerBound)"), .init("\(range.upperBound - range.lowerBound)"),
            .init(weight.rawValue, weight == .damage ? .red : .yellow), .init(text),
        ]
    }

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.members(of: range)
        writer.member("weight", weight.rawValue)
        writer.member("cause", cause)
        writer.member("detail", detail)
        writer.member("lostRecords", lostRecords)
        writer.member("collection", collection)
        writer.member("key", key: key)
        writer.endObject()
    }
}
