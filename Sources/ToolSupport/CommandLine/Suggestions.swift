/// The candidates that a misspelt word may have meant, nearest first, at most three.
///
/// A candidate is near when at most a third of its letters (at least one) have to be added, left
/// out, replaced or swapped with their neighbour, or when the word is the beginning of it.
func suggestions(for word: String, among candidates: [String]) -> [String] {
    let typed = Array(word.utf8)
    // No name is this long, and the distance takes time in the square of the length.
    guard (1...64).contains(typed.count) else { return [] }
    var found: [(distance: Int, name: String)] = []
    for candidate in candidates {
        let letters = Array(candidate.utf8)
        let distance = editDistance(typed, letters)
        if distance <= max(1, letters.count / 3), distance < letters.count {
            found.append((distance, candidate))
        } else if typed.count >= 2, letters.starts(with: typed) {
            found.append((letters.count, candidate))
        }
    }
    let nearest = found.enumerated().sorted {
        ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset)
    }
    return nearest.prefix(3).map(\.element.name)
}

/// How many letters to add, leave out, replace or swap with their neighbour, to get from one word
/// to the other; no letter is touched twice ("optimal string alignment").
func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in left.indices {
        var current = [row + 1]
        current.reserveCapacity(right.count + 1)
        for column in right.indices {
            let same = left[row] == right[column]
            var best = min(
                last[column] + (same ? 0 : 1), last[column + 1] + 1, current[column] + 1)
            if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                best = min(best, beforeLast[column - 1] + 1)
            }
            current.append(best)
        }
        beforeLast = last
        last = current
    }
    return last[right.count]
}
