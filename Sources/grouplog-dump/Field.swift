import GroupLogFormat

/// A field of one of the format's fixed structures: its name and size, as FORMAT.md has them.
struct Field {
    /// What its bytes mean.
    enum Meaning {
        case number
        /// A number that people compare rather than count with.
        case pattern
        case checksum
        case time
        case identifier
        case name
        case frameFlags
        case recordKind
        case recordFlags
        case keyKind
        /// A length that counts words of eight bytes.
        case words
        /// Zeros.
        case reserved
    }

    let name: String
    let size: Int
    let meaning: Meaning

    init(_ name: String, _ size: Int, _ meaning: Meaning = .number) {
        self.name = name
        self.size = size
        self.meaning = meaning
    }

    /// The fields of a structure in the order in which they stand, without gaps.
    struct List {
        let fields: [Field]

        /// The bytes of the structure.
        var size: Int { fields.reduce(0) { $0 + $1.size } }

        /// The number in a field of a structure that these bytes are.
        func value(_ name: String, in bytes: [UInt8]) -> UInt64? {
            var offset = 0
            for field in fields {
                let end = offset + field.size
                if field.name == name, end <= bytes.count {
                    return unsafe bytes.span.bytes.number(offset..<end)
                }
                offset = end
            }
            return nil
        }
    }

    static let logHeader = List(
        fields: [
            Field("magic", 8, .pattern), Field("major version", 2), Field("minor version", 2),
            Field("header length", 4), Field("store id", 16, .identifier), Field("generation", 8),
            Field("salt", 8, .pattern), Field("optional features", 4, .pattern),
            Field("required features", 4, .pattern), Field("reserved", 4, .reserved),
            Field("checksum", 4, .checksum),
        ])

    /// What the spare of an independent frame repeats of the frame's header.
    static let frameHeaderStart = [
        Field("marker", 2, .pattern), Field("flags", 2, .frameFlags), Field("length", 4),
        Field("sequence", 8), Field("time", 8, .time),
    ]

    static let frameHeader = List(
        fields: frameHeaderStart + [
            Field("payload checksum", 4, .checksum), Field("checksum", 4, .checksum),
        ])

    static let frameTrailer = List(
        fields: [
            Field("checksum", 4, .checksum), Field("length", 3, .words),
            Field("end marker", 1, .pattern),
        ])

    /// The payload head before its names.
    static let payloadHead = List(
        fields: [
            Field("record count", 4), Field("name count", 2), Field("author", 2, .name),
            Field("size", 4),
        ])

    /// A record before its provenance, key and value.
    static let record = List(
        fields: [
            Field("kind", 1, .recordKind), Field("flags", 1, .recordFlags),
            Field("collection", 2, .name), Field("key type", 1, .keyKind),
            Field("provenance length", 1), Field("key length", 2), Field("frame distance", 4),
            Field("value length", 4), Field("checksum", 4, .checksum),
        ])

    /// The spare's copy of the frame's header, and its end.
    static let spareEnd = List(
        fields: frameHeaderStart + [Field("size", 4), Field("checksum", 4, .checksum)])
}

extension RawSpan {
    /// The little-endian number in a range of at most eight bytes, which the caller has checked.
    func number(_ range: Range<Int>) -> UInt64 {
        range.reversed().prefix(8).reduce(0) { $0 << 8 | UInt64(integer(at: $1, as: UInt8.self)) }
    }
}
