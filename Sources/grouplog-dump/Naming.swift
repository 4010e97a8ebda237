import GroupLogFormat
import ToolSupport

/// How what stands in a log is written, in words for people and as JSON for programs.
enum Naming {
    /// Microseconds since 1970 as a date, to the last digit.
    static func date(_ microseconds: Int64) -> String {
        Timestamp.text(microsecondsSince1970: microseconds)
    }

    static func hexadecimal(_ number: some UnsignedInteger & FixedWidthInteger) -> String {
        let digits = String(number, radix: 16)
        let count = type(of: number).bitWidth / 4 - digits.utf8.count
        return "0x" + String(repeating: "0", count: max(0, count)) + digits
    }

    static func keyKind(_ number: UInt8) -> String {
        switch RecordKey.Kind(rawValue: number) {
        case .text: "text"
        case .uuid: "uuid"
        case .integer: "integer"
        case .bytes: "bytes"
        case nil: "type \(number)"
        }
    }

    /// The key as people read it; one of a type that is not known, or that does not fit its type,
    /// by its bytes.
    static func key(kind: UInt8, _ bytes: RawSpan) -> String {
        recordKey(kind: kind, bytes)?.description ?? "0x" + RecordKey.hexadecimal(all(bytes))
    }

    static func recordKey(kind: UInt8, _ bytes: RawSpan) -> RecordKey? {
        RecordKey.Kind(rawValue: kind).flatMap { RecordKey(kind: $0, bytes: all(bytes)) }
    }

    static func all(_ bytes: RawSpan) -> [UInt8] { bytes.copy(0..<bytes.byteCount) }

    static func range(_ range: Range<UInt64>) -> String {
        "\(range.lowerBound)..<\(range.upperBound)"
    }
}

extension JSONWriter {
    /// A key as its JSON type, bytes as base64.
    mutating func member(_ name: String, key recordKey: RecordKey?) {
        key(name)
        switch recordKey?.kind {
        case nil: null()
        case .text, .uuid: string(recordKey?.description ?? "")
        case .integer: integer(recordKey?.integerValue ?? 0)
        case .bytes: value(CBORValue.bytes(recordKey?.bytes ?? []))
        }
    }
}
