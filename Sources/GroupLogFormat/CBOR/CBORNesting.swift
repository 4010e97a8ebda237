/// Which arrays, maps and tags are open, and how many items each still waits for.
///
/// The one place that knows where an item ends. Whoever walks through CBOR reports each head that
/// opens something, each break, and each item that has ended; the stack is on the heap and its
/// height is limited, so no input can exhaust the program's own stack.
struct CBORNesting {
    struct Level {
        let major: CBORHead.Major
        /// How many items it still waits for; unused where only a break ends it.
        var remaining: UInt64
        let isIndefinite: Bool
        /// How many items it has, a map's keys and values counted alike.
        var count: UInt64 = 0
    }

    private(set) var levels: [Level] = []

    var isEmpty: Bool { levels.isEmpty }

    /// Opens an array, a map or a tag; false where it is empty and so has ended with its head.
    ///
    /// - Parameter available: the bytes behind the head. An item takes at least one, so a count
    ///   beyond that is refused here, before anybody makes room for it.
    mutating func open(
        _ head: CBORHead, at offset: Int, available: Int
    ) throws(CBORError) -> Bool {
        let itemsEach: UInt64 = head.major == .map ? 2 : 1
        let count = head.major == .tag ? 1 : head.argument
        guard count <= UInt64(available) / itemsEach else {
            throw CBORError(.truncated, at: offset)
        }
        if count == 0 && !head.isIndefinite { return false }
        guard levels.count < CBORValue.maximumDepth else { throw CBORError(.tooDeep, at: offset) }
        levels.append(
            Level(
                major: head.major, remaining: count * itemsEach,
                isIndefinite: head.isIndefinite))
        return true
    }

    /// Ends the innermost level at a break, which must be allowed here.
    mutating func close(atBreak offset: Int) throws(CBORError) {
        guard let level = levels.last, level.isIndefinite,
            level.major != .map || level.count.isMultiple(of: 2)
        else { throw CBORError(.unexpectedBreak, at: offset) }
        levels.removeLast()
    }

    /// Counts an item that has ended; true when the innermost level has ended with it, and is
    /// thereby itself an item that has ended.
    mutating func itemEnded() -> Bool {
        let top = levels.count - 1
        guard top >= 0 else { return false }
        levels[top].count += 1
        guard !levels[top].isIndefinite else { return false }
        levels[top].remaining -= 1
        guard levels[top].remaining == 0 else { return false }
        levels.removeLast()
        return true
    }
}
