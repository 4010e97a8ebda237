import ToolSupport

/// The readers of foreign files: each comes to the end of any file, and gives no more entries than
/// there are bytes. The first byte chooses the format and the collection.
enum ImportTarget {
    static func run(_ input: [UInt8]) throws {
        let formats: [InterchangeFormat?] = [nil] + InterchangeFormat.allCases
        let choice = Int(input.first ?? 0)
        let text = Array(input.dropFirst())
        do throws(InterchangeError) {
            var reader = try ImportReader(
                ByteSource(text), format: formats[choice / 2 % formats.count],
                collection: choice % 2 == 0 ? .items : .any,
                importTime: Timestamp(secondsSinceReferenceDate: 0))
            var count = 0
            while try reader.next() != nil {
                count += 1
                require(count <= text.count, "an entry takes a byte")
            }
        } catch {
            require(!error.description.isEmpty, "an error says something")
        }
    }
}
