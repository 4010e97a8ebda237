import GroupLogFormat
import TestSupport

/// A log whose frames are the input.
///
/// The input's first byte says which checksums are made good (`LogSealer.Parts`, the low three
/// bits): a changed byte alone never gets past a CRC-32C.
struct FuzzedLog {
    static let salt: UInt64 = 0x0123_4567_89AB_CDEF
    let bytes: [UInt8]
    /// The bits of the first byte that the log has no use for.
    let choices: UInt8

    init(_ input: [UInt8]) {
        let first = input.first ?? 0
        choices = first >> 3
        let header = LogHeader(
            storeID: StoreID(bytes: Array(0x10..<0x20)), generation: 1, salt: Self.salt)
        var log = header.encodedPreamble() + input.dropFirst()
        LogSealer(salt: Self.salt, LogSealer.Parts(rawValue: first & 7)).seal(&log)
        bytes = log
    }
}

/// Stops where something does not hold, with a sentence that says what should.
func require(_ condition: Bool, _ sentence: @autoclosure () -> String) {
    guard condition else { fatalError(sentence()) }
}
