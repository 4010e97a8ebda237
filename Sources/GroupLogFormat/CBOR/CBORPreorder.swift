/// A value and everything in it, in the order in which CBOR has it: what contains others before
/// these.
///
/// The stack of what is open is on the heap: a value that came from a file may be as deep as
/// ``CBORValue/maximumDepth``, and threads may have little stack.
struct CBORPreorder: IteratorProtocol {
    private var first: CBORValue?
    private var open: [(value: CBORValue, next: Int)] = []

    init(_ value: CBORValue) { first = value }

    /// How many values the last one stands in.
    private(set) var depth = 0

    mutating func next() -> CBORValue? {
        if let value = first.take() { return opened(value) }
        while let last = open.indices.last {
            let place = open[last].next
            if place < open[last].value.childCount {
                open[last].next += 1
                return opened(open[last].value.child(at: place))
            }
            open.removeLast()
        }
        return nil
    }

    private mutating func opened(_ value: CBORValue) -> CBORValue {
        depth = open.count
        if value.childCount > 0 { open.append((value, 0)) }
        return value
    }
}

extension CBORValue {
    /// How many values stand in it directly, a map's keys and values counted alike.
    var childCount: Int {
        switch self {
        case .array(let items): items.count
        case .map(let pairs): 2 * pairs.count
        case .tagged: 1
        case .unsigned, .negative, .bytes, .text, .simple, .float: 0
        }
    }

    fileprivate func child(at place: Int) -> CBORValue {
        switch self {
        case .array(let items): items[place]
        case .map(let pairs):
            place.isMultiple(of: 2) ? pairs[place / 2].key : pairs[place / 2].value
        case .tagged(_, let content): content
        case .unsigned, .negative, .bytes, .text, .simple, .float:
            preconditionFailure("nothing stands in it")
        }
    }
}
