import GroupLogFormat
import ToolSupport

/// A record's value as it is shown.
struct RecordValue {
    /// The value with the names of its fields; nil where there are no bytes or they are not CBOR.
    let value: CBORValue?
    /// What is wrong with it.
    let fault: String?
    private let bytes: [UInt8]
    private let isIndexed: Bool

    /// The value of a record of a frame whose bytes these are.
    init(_ record: RecordHeader, _ bytes: RawSpan, names: [String]) {
        let content = bytes.copy(record.value)
        self.bytes = content
        isIndexed = record.flags.contains(.indexed)
        guard !content.isEmpty else {
            value = nil
            fault = record.kind == .put ? "the value is empty" : nil
            return
        }
        do throws(CBORError) {
            let decoded = try CBORValue.decode(content)
            if isIndexed {
                (value, fault) = Self.naming(decoded, names)
            } else {
                (value, fault) = (decoded, Self.fault(record, content))
            }
        } catch {
            value = nil
            fault =
                record.kind == .put
                ? "the value is not CBOR: \(error)" : Self.fault(record, content)
        }
    }

    /// What is wrong with a value that the store writes for itself.
    private static func fault(_ record: RecordHeader, _ bytes: [UInt8]) -> String? {
        do throws(FormatError) {
            let bytes = unsafe bytes.span.bytes
            switch record.kind {
            case .syncState: _ = try SyncStateContent.decode(bytes)
            case .cursor: _ = try CursorContent.decode(bytes)
            default: break
            }
            return nil
        } catch {
            return error.reason
        }
    }

    /// Puts names in the place of their indexes.
    private static func naming(
        _ value: CBORValue, _ names: [String]
    ) -> (value: CBORValue, fault: String?) {
        guard case .map(var pairs) = value else {
            return (value, "the value is flagged as indexed and is no map")
        }
        var fault: String?
        for place in pairs.indices {
            if case .unsigned(let index) = pairs[place].key, index < UInt64(names.count) {
                pairs[place].key = .text(names[Int(index)])
            } else {
                fault = "a key of the value is no index into the \(names.count) names of its frame"
            }
        }
        return (.map(pairs), fault)
    }

    /// In diagnostic notation (RFC 8949, section 8); bytes that are not CBOR as they are.
    var notation: String {
        guard let value else {
            return bytes.isEmpty ? "" : "h'\(RecordKey.hexadecimal(bytes))'"
        }
        if !isIndexed, let exact = try? CBORValue.diagnostic(of: unsafe bytes.span.bytes) {
            return exact
        }
        return value.diagnostic
    }

    /// As the members `value` and, where it is not CBOR, `valueBytes`.
    func write(to writer: inout JSONWriter) {
        writer.key("value")
        if let value { writer.value(value) } else { writer.null() }
        if value == nil, !bytes.isEmpty {
            writer.key("valueBytes")
            writer.value(CBORValue.bytes(bytes))
        }
        if let fault { writer.member("valueFault", fault) }
    }
}
