/// A list that is cheap to copy and cheap to change: what a results list is delivered as.
///
/// A copy costs nothing and stays as it is. A list that differs from another in a few elements shares
/// the rest with it, so that bringing a list of 100,000 up to date costs what has changed, and not what
/// is in it. Reaching an element takes as long as finding its chunk, going through all of them is as
/// fast as for an array.
///
/// The indexes are numbers from 0.
public struct ResultsList<Element>: RandomAccessCollection {
    // Invariants: no chunk is empty or longer than `longestChunk`; unless it is the only one, none
    // is shorter than `shortestChunk`; `starts` has the index of each chunk's first element.
    @usableFromInline let chunks: [[Element]]
    @usableFromInline let starts: [Int]
    /// How many elements there are.
    public let count: Int

    static var shortestChunk: Int { 128 }
    static var usualChunk: Int { 256 }
    static var longestChunk: Int { 512 }

    /// An empty list.
    public init() {
        chunks = []
        starts = []
        count = 0
    }

    /// A list of some elements.
    public init(_ elements: some Sequence<Element>) {
        var builder = ResultsListBuilder<Element>()
        builder.append(contentsOf: elements)
        self = builder.finish()
    }

    init(chunks: [[Element]]) {
        self.chunks = chunks
        var (starts, count) = ([Int](), 0)
        starts.reserveCapacity(chunks.count)
        for chunk in chunks {
            starts.append(count)
            count += chunk.count
        }
        self.starts = starts
        self.count = count
    }

    /// 0.
    @inlinable public var startIndex: Int { 0 }
    /// The number of elements.
    @inlinable public var endIndex: Int { count }

    /// The element at an index. Costs a search among the list's chunks.
    @inlinable
    public subscript(position: Int) -> Element {
        precondition(position >= 0 && position < count, "the list has no element at this index")
        let chunk = chunk(at: position)
        return chunks[chunk][position - starts[chunk]]
    }

    /// The chunk that an index is in.
    @inlinable
    func chunk(at position: Int) -> Int {
        starts.partitioningIndex { $0 > position } - 1
    }

    /// The first index whose element the predicate, which holds for no element before one for which
    /// it does not, does not hold for.
    func lowerBound(_ isBefore: (Element) -> Bool) -> Int {
        // The last chunk whose first element is before has the place, or ends at it.
        let next = chunks.partitioningIndex { !isBefore($0[0]) }
        guard next > 0 else { return 0 }
        return starts[next - 1] + chunks[next - 1].partitioningIndex { !isBefore($0) }
    }

    /// Goes through the elements.
    public struct Iterator: IteratorProtocol {
        @usableFromInline let chunks: [[Element]]
        @usableFromInline var chunk: [Element] = []
        @usableFromInline var nextChunk = 0
        @usableFromInline var position = 0

        @inlinable
        init(_ chunks: [[Element]]) { self.chunks = chunks }

        /// The next element; nil behind the last.
        @inlinable
        public mutating func next() -> Element? {
            if position == chunk.count {
                guard nextChunk < chunks.count else { return nil }
                chunk = chunks[nextChunk]
                nextChunk += 1
                position = 0
            }
            defer { position += 1 }
            return chunk[position]
        }
    }

    /// An iterator over all elements.
    @inlinable
    public func makeIterator() -> Iterator { Iterator(chunks) }
}

extension ResultsList: Sendable where Element: Sendable {}

extension ResultsList: Equatable where Element: Equatable {
    /// Whether two lists have equal elements in the same order, however they came to be.
    public static func == (a: ResultsList, b: ResultsList) -> Bool {
        a.count == b.count && a.elementsEqual(b)
    }
}

extension ResultsList: ExpressibleByArrayLiteral {
    /// A list of the elements that are written out.
    public init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension ResultsList: CustomStringConvertible {
    /// The elements as an array shows them.
    public var description: String { Array(self).description }
}

extension RandomAccessCollection {
    /// The first index whose element the predicate holds for, where it holds for all behind one for
    /// which it does; the end where there is none.
    @inlinable
    func partitioningIndex(where predicate: (Element) -> Bool) -> Index {
        var (start, count) = (startIndex, count)
        while count > 0 {
            let half = count / 2
            let middle = index(start, offsetBy: half)
            if predicate(self[middle]) {
                count = half
            } else {
                start = index(after: middle)
                count -= half + 1
            }
        }
        return start
    }
}
