import Foundation
import Testing

@testable import GroupLogFormat

/// FORMAT.md against the bytes, the tables against themselves, and the code's references to it.
@Suite struct DocumentTests {
    private static func lines() throws -> [String] {
        let file = FixtureFiles.root.appendingPathComponent("FORMAT.md")
        return String(decoding: try Data(contentsOf: file), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// A worked example: bytes that follow one another in a fixture.
    private struct Example {
        var file: String
        var start: Int
        var bytes: [UInt8]
        var range: Range<Int> { start..<start + bytes.count }
    }

    private static func examples() throws -> [Example] {
        var examples: [Example] = []
        var isInside = false
        for line in try lines() {
            if line.hasPrefix("```") {
                isInside = line.hasPrefix("```hex ")
                if isInside {
                    examples.append(Example(file: String(line.dropFirst(7)), start: -1, bytes: []))
                }
            } else if isInside {
                // An offset, two blanks or more, bytes with one blank between, two blanks, words.
                let offset = try #require(Int(line.prefix { $0 != " " }))
                let rest = line.drop { $0 != " " }.drop { $0 == " " }
                let hex = rest.prefix(upTo: rest.range(of: "  ")?.lowerBound ?? rest.endIndex)
                let bytes = try hex.split(separator: " ").map {
                    try #require($0.utf8.count == 2 ? UInt8($0, radix: 16) : nil)
                }
                let last = examples.count - 1
                if examples[last].start < 0 { examples[last].start = offset }
                try #require(offset == examples[last].range.upperBound, "\(line)")
                examples[last].bytes += bytes
            }
        }
        return examples
    }

    @Test("the worked examples are the bytes of the fixtures")
    func workedExamples() throws {
        let examples = try Self.examples()
        #expect(examples.count == 6)
        for example in examples {
            let bytes = try FixtureFiles.bytes(example.file)
            #expect(bytes.count >= example.range.upperBound)
            #expect(Array(bytes[example.range]) == example.bytes, "\(example.file)")
        }
        // What they show is shown whole: a header, and frames from marker to end marker.
        let one = try FixtureFiles.bytes("one-record.log")
        for range in [0..<64, 4160..<one.count - 64] {
            #expect(examples.contains { $0.file == "one-record.log" && $0.range == range })
        }
    }

    @Test("the offsets and sizes of each table follow from one another")
    func tables() throws {
        var expected: Int?
        var checked = 0
        for line in try Self.lines() {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard line.hasPrefix("|"), cells.count >= 3, let offset = Int(cells[0]),
                let size = Int(cells[1])
            else {
                if !line.hasPrefix("|") { expected = nil }
                continue
            }
            if let expected {
                #expect(offset == expected, "\(line)")
                checked += 1
            }
            expected = offset + size
        }
        #expect(checked >= 30)
    }

    @Test("the limits are those of the code")
    func limits() throws {
        let expected: [(String, Int)] = [
            ("frame", LogLayout.maximumFrameLength),
            ("independent frame", LogLayout.maximumIndependentFrameLength),
            ("record", LogLayout.maximumRecordLength), ("key", LogLayout.maximumKeyLength),
            ("name", LogLayout.maximumNameLength),
            ("names in a frame", LogLayout.maximumNameCount),
            ("nesting in a value", CBORValue.maximumDepth),
            ("commits in a mark", MarkContent.maximumCommits),
        ]
        let lines = try Self.lines()
        for (what, limit) in expected {
            let row = try #require(lines.last { $0.hasPrefix("| \(what) | ") })
            let digits = row.dropFirst(what.count + 5).prefix { $0.isNumber || $0 == "," }
            #expect(Int(digits.filter(\.isNumber)) == limit, "\(row)")
        }
    }

    @Test("every section that the code or the document points to is there")
    func references() throws {
        let lines = try Self.lines()
        let headings = lines.filter { $0.hasPrefix("#") }.map {
            String($0.drop { $0 == "#" || $0 == " " })
        }
        #expect(Set(headings).count == headings.count)
        let sources = FixtureFiles.root.appendingPathComponent("Sources")
        let files = try #require(FileManager.default.enumerator(atPath: sources.path))
        var count = 0
        for case let path as String in files where path.hasSuffix(".swift") {
            // A reference may go on in the next line of a comment.
            let text = try String(
                contentsOf: sources.appendingPathComponent(path), encoding: .utf8
            ).replacing(#/\s*\n\s*/// /#, with: " ")
            for match in text.matches(of: #/FORMAT\.md, "([^"]+)"/#) {
                #expect(headings.contains(String(match.1)), "\(path)")
                count += 1
            }
        }
        #expect(count >= 25)
        let anchors = Set(headings.map(Self.anchor))
        for line in lines {
            for match in line.matches(of: #/\]\(#([^)]*)\)/#) {
                #expect(anchors.contains(String(match.1)), "\(line)")
            }
        }
    }

    private static func anchor(_ heading: String) -> String {
        heading.lowercased().replacing(" ", with: "-").filter {
            $0.isLetter || $0.isNumber || $0 == "-"
        }
    }
}
