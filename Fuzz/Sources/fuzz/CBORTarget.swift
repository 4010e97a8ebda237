import GroupLogFormat
import ToolSupport

/// The CBOR reader: bytes that it takes come back, by way of CBOR and of JSON; all its ways to read
/// agree; and what it refuses it refuses without a trap.
enum CBORTarget {
    static func run(_ input: [UInt8]) throws {
        let bytes = unsafe input.span.bytes
        let value: CBORValue
        do throws(CBORError) {
            value = try CBORValue.decode(input)
        } catch {
            require(!isItem(bytes), "what is passed over as an item can be decoded")
            return
        }
        require(isItem(bytes), "what can be decoded can be passed over")
        require(try CBORValue.decode(value.encoded()) == value, "CBOR keeps every value")
        _ = try CBORValue.diagnostic(of: bytes)
        _ = value.diagnostic

        var writer = JSONWriter()
        writer.value(value)
        let back = try ExtendedJSON.value(of: writer.text).value
        require(back == value, "JSON keeps every value: \(writer.text)")
    }

    /// Whether the bytes are one item, by the way that makes no values.
    private static func isItem(_ bytes: RawSpan) -> Bool {
        var reader = CBORReader()
        do throws(CBORError) {
            try reader.skip(in: bytes, checkingText: true)
            return reader.offset == bytes.byteCount
        } catch {
            return false
        }
    }
}
