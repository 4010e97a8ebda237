import GroupLogFormat
import ToolSupport

/// A record's value as it is shown.
struct RecordValue {
    /// The value with the names of its fields; nil where there are no bytes or they are not CBOR.
    let value: CBORValue?
    /// What is wrong with it.
    let fault: String?
    /// The value as it stands, where it is no CBOR, or is short; empty where it is long.
    private let bytes: [UInt8]
    private let isIndexed: Bool

    /// Values up to this are shown as they were written, with indefinite lengths.
    private static let mostBytesKept = 64 << 10

    /// The value of a record of a frame whose bytes these are.
    init(_ record: RecordHeader, _ bytes: RawSpan, names: [String]) {
        let content = bytes.extracting(record.value)
        isIndexed = record.flags.contains(.indexed)
        let isShort = content.byteCount <= Self.mostBytesKept
        guard content.byteCount > 0 else {
            self.bytes = []
            value = nil
            fault = record.kind == .put ? "the value is empty" : nil
            return
        }
        do throws(CBORError) {
            let decoded = try CBORValue.decode(content)
            self.bytes = isShort ? Naming.all(content) : []
            if isIndexed {
                (value, fault) = Self.naming(decoded, names)
            } else {
                (value, fault) = (decoded, Self.fault(record, content))
            }
        } catch {
            self.bytes = Naming.all(content)
            value = nil
            fault =
                record.kind == .put
                ? "the value is not CBOR: \(error)" : Self.fault(record, content)
        }
    }

    /// What is wrong with a value that the store writes for itself.
    private static func fault(_ record: RecordHeader, _ bytes: RawSpan) -> String? {
        do throws(FormatError) {
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

    /// In diagnostic notation (RFC 8949, section 8); bytes that are not CBOR as they are. Of what is
    /// long, at least as much as a cell shows.
    var notation: String {
        let most = Table.Cell.mostBytes
        guard let value else {
            return bytes.isEmpty ? "" : "h'\(RecordKey.hexadecimal(bytes.prefix(most)))'"
        }
        if bytes.isEmpty {
            var left = most
            return value.beginning(&left).diagnostic
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

extension CBORValue {
    /// The value with no more in it than `left` bytes of texts and the items before them.
    fileprivate func beginning(_ left: inout Int) -> CBORValue {
        left -= 1
        switch self {
        case .text(let text):
            defer { left -= text.utf8.count }
            return .text(text.beginning(ofAtMost: max(0, left)))
        case .bytes(let bytes):
            defer { left -= bytes.count }
            return .bytes(Array(bytes.prefix(max(0, left))))
        case .array(let items):
            var kept: [CBORValue] = []
            for item in items where left > 0 { kept.append(item.beginning(&left)) }
            return .array(kept)
        case .map(let pairs):
            var kept: [CBORPair] = []
            for pair in pairs where left > 0 {
                kept.append(CBORPair(pair.key.beginning(&left), pair.value.beginning(&left)))
            }
            return .map(kept)
        case .tagged(let tag, let content): return .tagged(tag, content.beginning(&left))
        case .unsigned, .negative, .simple, .float: return self
        }
    }
}
