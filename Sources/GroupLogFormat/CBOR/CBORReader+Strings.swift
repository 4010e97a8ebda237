extension CBORReader {
    /// Reads the text whose head was read, its chunks joined.
    package mutating func text(
        _ head: CBORHead, in bytes: RawSpan
    ) throws(CBORError) -> String {
        guard head.isIndefinite else {
            let content = try content(of: head, in: bytes)
            guard let text = bytes.text(content) else {
                throw CBORError(.invalidText, at: content.lowerBound)
            }
            return text
        }
        var text = ""
        while let content = try chunk(of: head, in: bytes) {
            guard let part = bytes.text(content) else {
                throw CBORError(.invalidText, at: content.lowerBound)
            }
            text += part
        }
        return text
    }

    /// Reads the byte string whose head was read, its chunks joined.
    package mutating func byteString(
        _ head: CBORHead, in bytes: RawSpan
    ) throws(CBORError) -> [UInt8] {
        guard head.isIndefinite else { return bytes.copy(try content(of: head, in: bytes)) }
        var joined: [UInt8] = []
        while let content = try chunk(of: head, in: bytes) { joined.append(bytes, content) }
        return joined
    }
}
