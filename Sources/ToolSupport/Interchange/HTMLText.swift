import GroupLogFormat

/// A text of an HTML file that comes in pieces: its character references are decoded as it comes, and the blanks around
/// it are dropped. Of one that is longer than a record can be nothing is kept.
struct HTMLText {
    private var decoded: [UInt8] = []
    /// How much of it there is without the blanks at the end.
    private var count = 0
    /// The beginning of a reference whose end has not come.
    private var waiting: [UInt8] = []
    private(set) var isExcess = false

    mutating func add(_ piece: [UInt8]) {
        var raw = (waiting + piece)[...]
        waiting = []
        if let start = raw.lastIndex(of: UInt8(ascii: "&")),
            raw.count - start <= HTMLEntities.longestReference,
            !raw[start...].contains(UInt8(ascii: ";"))
        {
            waiting = Array(raw[start...])
            raw = raw[..<start]
        }
        decode(raw)
    }

    private mutating func decode(_ raw: ArraySlice<UInt8>) {
        guard !isExcess else { return }
        let text = count == 0 ? raw.drop(while: \.isBlank) : raw
        guard let last = text.lastIndex(where: { !$0.isBlank }) else {
            decoded += text
            return
        }
        decoded += HTMLEntities.decode(text[...last])
        count = decoded.count
        decoded += text[(last + 1)...]
        isExcess = decoded.count > LogLayout.maximumRecordLength
        if isExcess { decoded = [] }
    }

    /// The whole text; what is not UTF-8 in it is repaired. Nothing of a text that is too long.
    mutating func finish(wasRepaired: inout Bool) -> String {
        let rest = waiting
        decode(rest[...])
        guard !isExcess else { return "" }
        return String(repairing: decoded[..<count], wasRepaired: &wasRepaired)
    }
}
