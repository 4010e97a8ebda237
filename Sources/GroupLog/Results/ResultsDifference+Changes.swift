/// A record that is another than before, with its place in the sorted records before and after.
struct ResultsChange {
    /// nil where the record was not among them.
    var old: Int?
    /// nil where it is not among them any more.
    var new: Int?
    /// Whether what it is sorted by changed.
    var isReordered: Bool
}

extension ResultsDifference {
    /// The difference between the first `limit` of some sorted records before and after.
    ///
    /// Records that no change names are in the same order before and after. What it costs follows
    /// from the number of changes.
    init(_ changes: [ResultsChange], oldCount: Int, newCount: Int, limit: Int) {
        let (old, new) = (min(oldCount, limit), min(newCount, limit))
        let visible = changes.map { change in
            ResultsChange(
                old: change.old.flatMap { $0 < old ? $0 : nil },
                new: change.new.flatMap { $0 < new ? $0 : nil }, isReordered: change.isReordered)
        }
        let before = UntouchedPlaces(count: old, touched: visible.compactMap(\.old))
        let after = UntouchedPlaces(count: new, touched: visible.compactMap(\.new))
        // Untouched records go over the limit, or come from behind it, at the end of their order.
        let common = min(before.untouchedCount, after.untouchedCount)
        deletions = (common..<before.untouchedCount).map(before.place)
        insertions = (common..<after.untouchedCount).map(after.place)
        var both: [Pair] = []
        for change in visible {
            switch (change.old, change.new) {
            case (let old?, let new?):
                both.append(Pair(old: old, new: new, isReordered: change.isReordered))
            case (let old?, nil): deletions.append(old)
            case (nil, let new?): insertions.append(new)
            case (nil, nil): break
            }
        }
        let sorting = Sorting(both, before, after, commonCount: common)
        moves = sorting.moved.map { Move(old: $0.old, new: $0.new) }.sorted { $0.new < $1.new }
        updates = sorting.kept.map { Update(old: $0.old, new: $0.new) }.sorted { $0.new < $1.new }
        deletions.sort()
        insertions.sort()
    }
}

/// A record that is in both lists.
private struct Pair {
    var old: Int
    var new: Int
    var isReordered: Bool
}

/// The places of a list that no change names.
private struct UntouchedPlaces {
    /// The others, ascending.
    private let touched: [Int]
    let untouchedCount: Int

    init(count: Int, touched: [Int]) {
        self.touched = touched.sorted()
        untouchedCount = count - touched.count
    }

    /// The place of the untouched record that has so many others before it.
    func place(_ rank: Int) -> Int {
        rank + touched.indices.partitioningIndex { touched[$0] - $0 > rank }
    }

    /// How many untouched records stand before a place.
    func rank(_ place: Int) -> Int { place - touched.partitioningIndex { $0 >= place } }
}

/// Tells the changed records that moved from those that stand where they stood among the records that
/// stay.
///
/// The untouched records stay, and so do those that are sorted by the same as before. Of the others
/// those stay that stood and stand in the same gap between these, as many as can be: a longest
/// increasing subsequence.
private struct Sorting {
    /// The changed records that stay.
    private(set) var kept: [Pair] = []
    private(set) var moved: [Pair] = []

    private let before: UntouchedPlaces
    private let after: UntouchedPlaces
    /// How many untouched records are in both lists.
    private let commonCount: Int

    init(_ pairs: [Pair], _ before: UntouchedPlaces, _ after: UntouchedPlaces, commonCount: Int) {
        self.before = before
        self.after = after
        self.commonCount = commonCount
        kept = pairs.filter { !$0.isReordered }
        let (oldPlaces, newPlaces) = (kept.map(\.old).sorted(), kept.map(\.new).sorted())
        var candidates: [Pair] = []
        for pair in pairs where pair.isReordered {
            let oldGap = rank(pair.old, in: before) + oldPlaces.partitioningIndex { $0 >= pair.old }
            let newGap = rank(pair.new, in: after) + newPlaces.partitioningIndex { $0 >= pair.new }
            if oldGap == newGap { candidates.append(pair) } else { moved.append(pair) }
        }
        candidates.sort { $0.old < $1.old }
        let isKept = Self.longestIncreasing(candidates.map(\.new))
        for (pair, isKept) in zip(candidates, isKept) {
            if isKept { kept.append(pair) } else { moved.append(pair) }
        }
        avoidMovesOntoThemselves()
    }

    /// How many untouched records of both lists stand before a place of one.
    private func rank(_ place: Int, in list: UntouchedPlaces) -> Int {
        min(list.rank(place), commonCount)
    }

    /// Has a record that would move to the index that it comes from stay, and those move that it would
    /// have passed: their indexes lie on the two sides of its own, so that none of these is such a
    /// move.
    private mutating func avoidMovesOntoThemselves() {
        let fixed = moved.filter { $0.old == $0.new }.sorted { $0.old < $1.old }
        guard !fixed.isEmpty else { return }
        func isPassed(_ pair: Pair) -> Bool {
            let next = fixed.partitioningIndex { $0.old > min(pair.old, pair.new) }
            return next < fixed.count && fixed[next].old < max(pair.old, pair.new)
        }
        moved = moved.filter { $0.old != $0.new } + kept.filter(isPassed)
        kept = kept.filter { !isPassed($0) } + fixed
        var rank = 0
        let passed = fixed.map { pair -> Range<Int> in
            let ranks = [self.rank(pair.old, in: before), self.rank(pair.new, in: after)].sorted()
            return ranks[0]..<ranks[1]
        }
        for range in passed.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            for passed in max(rank, range.lowerBound)..<max(rank, range.upperBound) {
                let (old, new) = (before.place(passed), after.place(passed))
                moved.append(Pair(old: old, new: new, isReordered: false))
            }
            rank = max(rank, range.upperBound)
        }
    }

    /// Which numbers belong to a longest increasing subsequence.
    private static func longestIncreasing(_ numbers: [Int]) -> [Bool] {
        // `ends` has, for each length, where the sequence of that length with the smallest end ends.
        var ends: [Int] = []
        var previous = [Int?](repeating: nil, count: numbers.count)
        for (index, number) in numbers.enumerated() {
            let length = ends.partitioningIndex { numbers[$0] >= number }
            previous[index] = length > 0 ? ends[length - 1] : nil
            if length < ends.count { ends[length] = index } else { ends.append(index) }
        }
        var result = [Bool](repeating: false, count: numbers.count)
        var next = ends.last
        while let index = next {
            result[index] = true
            next = previous[index]
        }
        return result
    }
}
