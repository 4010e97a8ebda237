import GroupLogFormat
import GroupLogSystem
import ToolSupport

/// A text from standard input.
enum StandardText {
    /// Reads to the end. What no record can hold is refused as soon as that is seen, and what is
    /// not UTF-8 with the place where it ceases to be.
    static func read() throws -> String {
        let input = ByteInput.standard()
        var bytes: [UInt8] = []
        while true {
            let chunk = try input.next()
            if chunk.isEmpty { break }
            guard chunk.count <= LogLayout.maximumRecordLength - bytes.count else {
                throw ToolError(
                    .badData,
                    "the text has more than \(LogLayout.maximumRecordLength >> 20) MiB, which is "
                        + "the limit of a record")
            }
            bytes += chunk
        }
        let fault = unsafe bytes.span.bytes.firstFaultOfUTF8(0..<bytes.count)
        if let fault {
            throw ToolError(.badData, "the text is not valid UTF-8 at offset \(fault)")
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
