/// Puts a list together of elements and of chunks of other lists, which are shared where they can
/// be.
struct ResultsListBuilder<Element> {
    private var chunks: [[Element]] = []
    /// What is to become a chunk or more.
    private var open: [Element] = []
    private(set) var count = 0

    mutating func append(_ element: Element) {
        open.append(element)
        count += 1
    }

    mutating func append(contentsOf elements: some Sequence<Element>) {
        let before = open.count
        open.append(contentsOf: elements)
        count += open.count - before
    }

    /// Takes a chunk of another list as it is, unless what stands before it is too little for a
    /// chunk.
    mutating func share(_ chunk: [Element]) {
        count += chunk.count
        if open.isEmpty {
            chunks.append(chunk)
        } else if open.count < ResultsList<Element>.shortestChunk {
            open += chunk
        } else {
            closeChunks()
            chunks.append(chunk)
        }
    }

    mutating func finish() -> ResultsList<Element> {
        if !open.isEmpty, open.count < ResultsList<Element>.shortestChunk,
            let last = chunks.popLast()
        {
            open = last + open
        }
        closeChunks()
        return ResultsList(chunks: chunks)
    }

    /// Makes chunks of about the same length of what is open.
    private mutating func closeChunks() {
        defer { open = [] }
        guard open.count > ResultsList<Element>.longestChunk else {
            if !open.isEmpty { chunks.append(open) }
            return
        }
        let pieces = (open.count - 1) / ResultsList<Element>.usualChunk + 1
        for piece in 0..<pieces {
            chunks.append(
                Array(open[piece * open.count / pieces..<(piece + 1) * open.count / pieces]))
        }
    }
}

extension ResultsList {
    /// The list without the elements at some indexes, and with others that stand at given indexes
    /// of the new list. Both are ascending.
    ///
    /// Costs what the chunks cost that are hit, and a reference for each other chunk.
    func edited(
        removing removals: [Int], inserting insertions: [(index: Int, element: Element)]
    ) -> ResultsList {
        if removals.isEmpty && insertions.isEmpty { return self }
        var builder = ResultsListBuilder<Element>()
        var (removals, insertions) = (removals[...], insertions[...])
        func insert() {
            while let first = insertions.first, first.index == builder.count {
                builder.append(first.element)
                insertions.removeFirst()
            }
        }
        for (chunk, start) in zip(chunks, starts) {
            let isLost = removals.first.map { $0 < start + chunk.count } ?? false
            let isSplit = insertions.first.map { $0.index < builder.count + chunk.count } ?? false
            guard isLost || isSplit else {
                builder.share(chunk)
                continue
            }
            // In runs of elements that stay together: copying one by one is slow in generic code.
            var next = start
            let end = start + chunk.count
            while next < end {
                if removals.first == next {
                    removals.removeFirst()
                    next += 1
                    continue
                }
                insert()
                let toRemoval = Swift.min(removals.first ?? end, end)
                let toInsertion = insertions.first.map { next + $0.index - builder.count } ?? end
                let stop = Swift.min(toRemoval, toInsertion)
                builder.append(contentsOf: chunk[next - start..<stop - start])
                next = stop
            }
            insert()
        }
        insert()
        precondition(
            removals.isEmpty && insertions.isEmpty, "edits are ascending and inside the list")
        return builder.finish()
    }

    /// The first so many elements. Costs a reference for each chunk, and one chunk.
    func first(_ length: Int) -> ResultsList {
        if length >= count { return self }
        var builder = ResultsListBuilder<Element>()
        for (chunk, start) in zip(chunks, starts) {
            if start + chunk.count <= length {
                builder.share(chunk)
            } else {
                if start < length { builder.append(contentsOf: chunk.prefix(length - start)) }
                break
            }
        }
        return builder.finish()
    }
}
