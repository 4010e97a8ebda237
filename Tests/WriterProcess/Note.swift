import GroupLog

/// A record whose text follows from its id, so that whoever reads it can tell that it is whole.
struct Note: Model {
    static let collection = "notes"
    var id: String
    var text: String

    struct Fields: FieldSet {
        let text = Field(CodingKeys.text, \Note.text)
    }

    /// Lengths at which something could change: none, one byte, about a page, about the longest
    /// independent frame, many pages.
    static let lengths = [0, 1, 4095, 4096, 4097, 65_535, 65_536, 65_537, 1_000_000]

    init(writer: String, number: Int) {
        id = "\(writer)/\(number)"
        let length = Self.lengths[number % Self.lengths.count]
        var state = UInt64(number &+ 1) &* 0x9E37_79B9_7F4A_7C15
        for byte in writer.utf8 { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(length)
        for _ in 0..<length {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            bytes.append(UInt8(ascii: "a") + UInt8(state >> 59) % 26)
        }
        text = String(decoding: bytes, as: UTF8.self)
    }

    /// The numbers of notes that have at most about a page.
    static func shortNumber(_ number: Int) -> Int { number / 5 * lengths.count + number % 5 }

    /// The id of the note in which processes count.
    static let counter = "counter/0"

    static let editedPrefix = "edited "

    /// Whether somebody has changed the text.
    var isEdited: Bool { text.hasPrefix(Self.editedPrefix) }

    /// Whether the text is the one that belongs to the id.
    var isWhole: Bool {
        let parts = id.split(separator: "/")
        guard parts.count == 2, let number = Int(parts[1]) else { return false }
        return Note(writer: String(parts[0]), number: number).text == text
    }
}
