import Testing

@testable import GroupLogFormat

/// What there is to read in a log, as lines of text: the form in which the fixtures say what a
/// reader must find (Fixtures/README.md).
enum LogReading {
    static func lines(_ bytes: [UInt8]) throws -> [String] {
        let copies: HeaderCopies
        do throws(FormatError) {
            copies = try HeaderCopies.decode(unsafe bytes.span.bytes)
        } catch {
            return ["refused \(error.kind)"]
        }
        let header = copies.header
        let state =
            switch (copies.firstFault, copies.secondFault) {
            case (nil, nil): "both"
            case (nil, _?): "first"
            case (_?, nil): "second"
            case (_?, _?): "none"
            }
        var lines = [
            "header version=\(header.majorVersion).\(header.minorVersion) store=\(header.storeID) "
                + "generation=\(header.generation) salt=\(header.salt) copies=\(state)"
        ]
        let source = LogBytesInMemory(bytes)
        var walker = LogWalker(source, salt: header.salt)
        walk: while true {
            switch try walker.next() {
            case .frame(let content):
                let frame = Array(bytes[Int(content.offset)..<Int(content.end)])
                lines.append(line(content))
                lines += content.records.map { unsafe line($0, of: content, frame.span.bytes) }
                lines += content.damage.map(line)
            case .damage(let damage): lines.append(line(damage))
            case .unfinished(let range):
                lines.append("unfinished \(range.lowerBound) \(range.upperBound)")
                break walk
            case .end: break walk
            }
        }
        let tail = try LogTail.find(in: source, salt: header.salt)
        lines.append("next \(tail.end) sequence=\(tail.nextSequence)")
        return lines
    }

    private static func line(_ content: FrameContent) -> String {
        let header = content.header
        let flags = header.flags.names.joined(separator: ",")
        return "frame \(content.offset) length=\(header.length) sequence=\(header.sequence) "
            + "time=\(header.time) flags=\(flags.isEmpty ? "-" : flags) "
            + "author=\(content.head.author ?? "-") names=\(content.head.names.joined(separator: ","))"
    }

    private static func line(
        _ record: RecordHeader, of content: FrameContent, _ bytes: RawSpan
    ) -> String {
        let offset = content.offset + UInt64(record.range.lowerBound)
        let key = RecordKey.hexadecimal(bytes.copy(record.key))
        let value = RecordKey.hexadecimal(bytes.copy(record.value))
        var line = "record \(offset) kind=\(record.kind.rawValue) "
        line += "collection=\(content.collection(of: record) ?? "-") key=\(record.keyKind):\(key) "
        if let provenance = content.provenance(bytes, of: record) {
            line += "sequence=\(provenance.sequence) time=\(provenance.time) "
            line += "creation=\(provenance.creation) "
        }
        line += "author=\(content.author(bytes, of: record) ?? "-") "
        line += "indexed=\(record.flags.contains(.indexed) ? 1 : 0) value=\(value)"
        return line
    }

    private static func line(_ damage: Damage) -> String {
        "damage \(damage.range.lowerBound) \(damage.range.upperBound) \(damage.cause.rawValue)"
    }
}
