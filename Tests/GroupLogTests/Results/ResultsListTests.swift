import TestSupport
import Testing

@testable import GroupLog

@Suite struct ResultsListTests {
    /// What holds for the chunks of each list.
    private func checkChunks(_ list: ResultsList<Int>, _ comment: Comment) {
        typealias List = ResultsList<Int>
        let lengths = list.chunks.map(\.count)
        #expect(lengths.reduce(0, +) == list.count, comment)
        #expect(lengths.allSatisfy { $0 > 0 && $0 <= List.longestChunk }, comment)
        if lengths.count > 1 {
            #expect(lengths.allSatisfy { $0 >= List.shortestChunk }, comment)
        }
        #expect(list.starts == lengths.indices.map { lengths[..<$0].reduce(0, +) }, comment)
    }

    @Test("edits of all sizes give what an array gives, and leave the list before as it was")
    func edits() {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(seed: seed)
        var array = Array(0..<Int.random(in: 0...3_000, using: &random))
        var list = ResultsList(array)
        var next = array.count
        for step in 0..<(isFull ? 5_000 : 300) {
            let comment = Comment(rawValue: "seed \(seed), step \(step)")
            let (arrayBefore, listBefore) = (array, list)
            let isLarge = Int.random(in: 0..<10, using: &random) == 0
            let most = isLarge ? 2_000 : 4
            let removals = Set(
                (0..<Int.random(in: 0...most, using: &random)).compactMap { _ in
                    array.indices.randomElement(using: &random)
                }
            ).sorted()
            for index in removals.reversed() { array.remove(at: index) }
            var targets: Set<Int> = []
            for _ in 0..<Int.random(in: 0...(array.count < 5_000 ? most : 0), using: &random) {
                targets.insert(Int.random(in: 0...array.count + targets.count, using: &random))
            }
            var insertions: [(index: Int, element: Int)] = []
            for index in targets.sorted() where index <= array.count {
                array.insert(next, at: index)
                insertions.append((index, next))
                next += 1
            }
            list = list.edited(removing: removals, inserting: insertions)
            #expect(Array(list) == array, comment)
            #expect(Array(listBefore) == arrayBefore, comment)
            #expect(list.indices.allSatisfy { list[$0] == array[$0] }, comment)
            checkChunks(list, comment)
            let length = Int.random(in: 0...array.count + 2, using: &random)
            #expect(Array(list.first(length)) == Array(array.prefix(length)), comment)
            checkChunks(list.first(length), comment)
        }
    }

    @Test("one edit copies a chunk or two, and shares the others")
    func sharing() {
        let list = ResultsList((0..<100_000).map { [$0] })
        let edited = list.edited(removing: [50_000], inserting: [(70_000, [-1])])
        func addresses(_ list: ResultsList<[Int]>) -> Set<UInt> {
            Set(
                list.chunks.map { chunk in
                    unsafe chunk.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
                })
        }
        #expect(addresses(edited).subtracting(addresses(list)).count <= 3)
        #expect(edited.count == list.count && edited[70_000] == [-1])
    }

    @Test("lists are equal by their elements, however they came to be")
    func equality() {
        let list = ResultsList(0..<1_000)
        let other = ResultsList(0..<999).edited(removing: [], inserting: [(999, 999)])
        #expect(list == other)
        #expect(list != other.first(999))
        #expect(list != list.edited(removing: [3], inserting: [(3, -3)]))
        #expect(ResultsList<Int>() == [] && ResultsList<Int>().isEmpty)
        #expect(ResultsList([1, 2]).description == "[1, 2]")
    }

    @Test("the first place that is not before another is found in lists of all sizes")
    func search() {
        for count in [0, 1, 255, 256, 257, 1_000, 5_000] {
            let list = ResultsList((0..<count).map { $0 * 2 })
            for number in stride(from: -1, through: count * 2 + 1, by: 7) {
                let expected = min(count, max(0, (number + 1) / 2))
                #expect(list.lowerBound { $0 < number } == expected, "\(count), \(number)")
            }
        }
    }
}
