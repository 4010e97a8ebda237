/// Records that stand one behind another in a results list and belong together by name.
///
/// Its indexes are those of the list, so that what is at one of them can be deleted by it.
public struct ResultsSection<Element>: RandomAccessCollection, Identifiable {
    /// What the records have in common.
    public let name: String
    /// Where they stand in the list.
    public let indices: Range<Int>
    private let list: ResultsList<Element>

    init(name: String, indices: Range<Int>, of list: ResultsList<Element>) {
        self.name = name
        self.indices = indices
        self.list = list
    }

    /// The name. Two sections have the same only where others stand between them.
    public var id: String { name }
    /// The index of the first record.
    public var startIndex: Int { indices.lowerBound }
    /// The index behind the last one.
    public var endIndex: Int { indices.upperBound }
    /// The record at an index of the list.
    public subscript(position: Int) -> Element {
        precondition(indices.contains(position), "the section has no element at this index")
        return list[position]
    }
}

extension ResultsSection: Sendable where Element: Sendable {}

extension FetchedResults {
    /// The list in runs of records whose sections have the same name; one run without a name where the
    /// results have no sections.
    ///
    /// Worked out when asked for, once for each list, by asking the name of each record; so results with
    /// many records better have a limit.
    public var sections: [ResultsSection<M>] {
        let items = items
        if let knownSections { return knownSections }
        guard let sectionName else {
            return items.isEmpty
                ? [] : [ResultsSection(name: "", indices: 0..<items.count, of: items)]
        }
        var runs: [(name: String, start: Int)] = []
        for (index, item) in items.enumerated() {
            let name = sectionName(item)
            if runs.last?.name != name { runs.append((name, index)) }
        }
        let ends = runs.dropFirst().map(\.start) + [items.count]
        let sections = zip(runs, ends).map { run, end in
            ResultsSection(name: run.name, indices: run.start..<end, of: items)
        }
        knownSections = sections
        return sections
    }
}
