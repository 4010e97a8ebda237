import GroupLogFormat

/// One field of a log with what it says.
struct Annotation {
    /// What a checksum turned out to be.
    enum Verdict: String { case good, bad }

    var range: Range<UInt64>
    /// The kind of structure that the field belongs to.
    var structure: String
    /// Tells one structure from the next of its kind.
    var ordinal: Int
    var name: String
    /// What the bytes mean; empty where they speak for themselves.
    var meaning = ""
    var verdict: Verdict?
}

/// Names the fields of a log's structures, as far as their bytes exist.
///
/// It names what stands there, verified or not: an annotation of damaged bytes is a reading of
/// them, and the verdicts on the checksums say how far to trust it.
struct Annotator {
    /// Fields that touch these offsets are taken.
    let wanted: Range<UInt64>
    let salt: UInt64
    private(set) var annotations: [Annotation] = []
    private var structure = ""
    private var ordinal = 0

    init(wanted: Range<UInt64>, salt: UInt64) {
        self.wanted = wanted
        self.salt = salt
    }

    /// From here on fields belong to a structure of this kind.
    mutating func begin(_ structure: String) {
        self.structure = structure
        ordinal += 1
    }

    // MARK: Taking fields

    /// Takes a range of the bytes, of which the first stands at `base` of the log.
    mutating func take(
        _ range: Range<Int>, base: UInt64, _ name: String, verdict: Annotation.Verdict? = nil,
        _ meaning: @autoclosure () -> String = ""
    ) {
        let place = base + UInt64(range.lowerBound)..<base + UInt64(range.upperBound)
        guard place.overlaps(wanted) else { return }
        annotations.append(
            Annotation(
                range: place, structure: structure, ordinal: ordinal, name: name,
                meaning: meaning(), verdict: verdict))
    }

    /// Takes the fields of a structure; `checksums` gives what each checksum should be. Gives false
    /// where the bytes end before the structure does, and takes what there is.
    mutating func take(
        _ fields: [Field], _ bytes: RawSpan, at start: Int, base: UInt64, names: [String] = [],
        checksums: [String: UInt32] = [:]
    ) -> Bool {
        var offset = start
        for field in fields {
            let range = offset..<offset + field.size
            guard range.upperBound <= bytes.byteCount else {
                if offset < bytes.byteCount {
                    take(offset..<bytes.byteCount, base: base, field.name, "cut short")
                }
                return false
            }
            let expected = checksums[field.name]
            let isGood = expected.map { UInt64($0) == bytes.number(range) }
            take(
                range, base: base, field.name, verdict: isGood.map { $0 ? .good : .bad },
                Self.meaning(of: field, bytes, range, names: names, expected: expected))
            offset = range.upperBound
        }
        return true
    }

    private static func meaning(
        of field: Field, _ bytes: RawSpan, _ range: Range<Int>, names: [String], expected: UInt32?
    ) -> String {
        let number = bytes.number(range)
        switch field.meaning {
        case .number: return "\(number)"
        case .pattern: return ""
        case .checksum:
            let value = Naming.hexadecimal(UInt32(truncatingIfNeeded: number))
            guard let expected, UInt64(expected) != number else { return value }
            return "\(value), expected \(Naming.hexadecimal(expected))"
        case .time:
            let time = Int64(bitPattern: number)
            return "\(time) = \(Naming.date(time))"
        case .identifier: return RecordKey.uuidText(bytes.copy(range))
        case .name:
            if number == LogLayout.noName { return "none" }
            if number < names.count { return "\(number) = \(names[Int(number)])" }
            return names.isEmpty ? "\(number)" : "\(number), behind the last name"
        case .frameFlags:
            let names = FrameFlags(rawValue: UInt16(truncatingIfNeeded: number)).names
            return names.isEmpty ? "none" : names.joined(separator: ", ")
        case .recordKind: return RecordKind(rawValue: UInt8(truncatingIfNeeded: number)).description
        case .recordFlags:
            let flags = RecordFlags(rawValue: UInt8(truncatingIfNeeded: number))
            if flags.isEmpty { return "none" }
            return flags == .indexed ? "indexed" : "\(number)"
        case .keyKind: return Naming.keyKind(UInt8(truncatingIfNeeded: number))
        case .words: return "\(number * UInt64(LogLayout.alignment))"
        case .reserved: return number == 0 ? "" : "not zero"
        }
    }
}
