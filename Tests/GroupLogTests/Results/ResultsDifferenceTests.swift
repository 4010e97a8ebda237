import TestSupport
import Testing

@testable import GroupLog

/// A record of a sorted list: its number, what it is sorted by, and a value.
private struct Item: Hashable {
    var number: Int
    var rank: Int
    var value = 0
}

extension ResultsDifference {
    /// The difference between the first `limit` of two sorted lists.
    fileprivate init(_ old: [Item], _ new: [Item], limit: Int = .max) {
        var changes: [Int: ResultsChange] = [:]
        for (index, item) in old.enumerated() where !new.contains(item) {
            changes[item.number] = ResultsChange(old: index, new: nil, isReordered: true)
        }
        for (index, item) in new.enumerated() where !old.contains(item) {
            let before = old.first { $0.number == item.number }
            changes[item.number, default: ResultsChange(old: nil, new: nil, isReordered: true)]
                .new = index
            changes[item.number]?.isReordered = before?.rank != item.rank
        }
        self.init(
            changes.values.shuffled(), oldCount: old.count, newCount: new.count, limit: limit)
    }
}

@Suite struct ResultsDifferenceTests {
    private func list(_ ranks: [(number: Int, rank: Int)]) -> [Item] {
        ranks.map { Item(number: $0.number, rank: $0.rank) }.sorted { $0.rank < $1.rank }
    }

    /// What holds for each difference.
    private func check(
        _ difference: ResultsDifference, _ old: [Item], _ new: [Item], _ comment: Comment
    ) {
        #expect(difference.applying(to: old, from: new) == new, comment)
        let numbers =
            difference.insertions.map { new[$0].number }
            + difference.deletions.map { old[$0].number }
            + difference.moves.map { new[$0.new].number }
            + difference.updates.map { new[$0.new].number }
        #expect(Set(numbers).count == numbers.count, comment)
        #expect(difference.count == numbers.count, comment)
        let before = Set(old.map(\.number))
        let after = Set(new.map(\.number))
        #expect(difference.insertions.allSatisfy { !before.contains(new[$0].number) }, comment)
        #expect(difference.deletions.allSatisfy { !after.contains(old[$0].number) }, comment)
        #expect(difference.moves.allSatisfy { $0.old != $0.new }, comment)
        let pairs =
            difference.moves.map { (old[$0.old], new[$0.new]) }
            + difference.updates.map { (old[$0.old], new[$0.new]) }
        #expect(pairs.allSatisfy { $0.number == $1.number }, comment)
        let staying = difference.updates.map(\.old)
        #expect(staying == staying.sorted(), comment)
        #expect(difference.isEmpty == (old == new), comment)
        let standard = difference.collectionDifference(
            from: ResultsList(old), to: ResultsList(new))
        #expect(old.applying(standard) == new, comment)
    }

    @Test("random changes of lists with and without a limit apply cleanly, with one event a record")
    func random() {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(seed: seed)
        for step in 0..<(isFull ? 200_000 : 5_000) {
            let ranks = Array(0..<100).shuffled(using: &random)
            var numbers = Array(0..<Int.random(in: 0...12, using: &random))
            let old = list(numbers.map { ($0, ranks[$0]) })
            numbers.removeAll { _ in Int.random(in: 0..<5, using: &random) == 0 }
            numbers += 20..<20 + Int.random(in: 0...3, using: &random)
            var new = list(
                numbers.map { number in
                    let isElsewhere = Int.random(in: 0..<4, using: &random) == 0
                    return (number, ranks[isElsewhere ? number + 50 : number])
                })
            for index in new.indices where Int.random(in: 0..<6, using: &random) == 0 {
                new[index].value = 1
            }
            let limit = [Int.max, 0, 1, 3, 5, 8].randomElement(using: &random) ?? 0
            check(
                ResultsDifference(old, new, limit: limit), Array(old.prefix(limit)),
                Array(new.prefix(limit)), "seed \(seed), step \(step), limit \(limit)")
        }
    }

    @Test("what is sorted by something else and stands where it stood is an update")
    func standing() {
        let old = list([(0, 10), (1, 20), (2, 30)])
        let difference = ResultsDifference(old, list([(0, 10), (1, 25), (2, 30)]))
        #expect(difference.updates == [.init(old: 1, new: 1)])
        #expect(difference.count == 1)
    }

    @Test("what stands elsewhere is one move, also where its value changed")
    func moved() {
        let old = list([(0, 10), (1, 20), (2, 30)])
        var new = list([(0, 40), (1, 20), (2, 30)])
        new[2].value = 7
        let difference = ResultsDifference(old, new)
        #expect(difference.moves == [.init(old: 0, new: 2)])
        #expect(difference.count == 1)
    }

    @Test("of two neighbours that change places one moves")
    func swapped() {
        let old = list([(0, 10), (1, 20), (2, 30), (3, 40)])
        let difference = ResultsDifference(old, list([(0, 10), (1, 32), (2, 31), (3, 40)]))
        #expect(difference.moves.count == 1 && difference.updates.count == 1)
    }

    @Test("a record that would move to the index that it comes from stays, and the other one moves")
    func ontoItself() {
        let old = list([(0, 10), (1, 20), (2, 30)])
        let difference = ResultsDifference(old, list([(2, 30), (1, 40)]))
        #expect(difference.moves == [.init(old: 2, new: 0)])
        #expect(difference.updates == [.init(old: 1, new: 1)])
        #expect(difference.deletions == [0] && difference.insertions == [])
    }

    @Test("records go over the limit and come up from behind it")
    func limit() {
        let old = list((0..<6).map { ($0, $0 * 10) })
        let more = list([(6, 5), (7, 15)] + (0..<6).map { ($0, $0 * 10) })
        let pushed = ResultsDifference(old, more, limit: 4)
        #expect(pushed.insertions == [1, 3] && pushed.deletions == [2, 3] && pushed.count == 4)
        let raised = ResultsDifference(more, old, limit: 4)
        #expect(raised.insertions == [2, 3] && raised.deletions == [1, 3] && raised.count == 4)
    }
}
