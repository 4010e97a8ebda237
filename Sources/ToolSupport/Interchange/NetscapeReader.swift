/// A link of a bookmark file, before anything is made of its dates.
package struct NetscapeEntry {
    /// The line its `<A` stands in.
    package let line: Int
    package var url: String?
    package var title: String?
    package var text: String?
    package var tags: [String] = []
    /// The names of the folders around it, joined by `/`.
    package var folder: String?
    package var isPrivate = false
    package var addDate: String?
    package var lastModified: String?
    /// What ``NetscapeWriter`` adds for itself: the record's id and its exact date.
    package var identifier: String?
    package var exactDate: String?
    package var wasRepaired = false
    /// Why the entry cannot be trusted to be what the file meant.
    package var problem: String?
}

/// Reads bookmark files: the Netscape format as browsers and services write it, and Pocket's list.
///
/// - Every `A` element is an entry, also one inside a description. Its title is the text up to the end tag, or to the next
///   item where that is missing.
/// - `DD`, or else an attribute `DESCRIPTION`, is the text; tags in it are dropped, the lines are kept.
/// - `H3` before `DL`, and in Pocket's list a heading before `UL`, is a folder. The description of a folder is passed over.
/// - Tags are parted by commas, or by blanks when there is no comma.
/// - Addresses are kept byte for byte but for character references; blanks around titles, texts and tags are dropped.
///
/// Icons, visit dates and feeds are passed over. Memory holds one entry, and of a text that is longer than a record can
/// be nothing: the entry is given with that problem.
package struct NetscapeReader {
    private enum Area {
        case outside, title, text, heading
    }

    private var tokenizer: HTMLTokenizer
    private var area = Area.outside
    private var text = HTMLText()
    private var entry: NetscapeEntry?
    private var heading: (tag: String, name: String)?
    private var path: [String?] = []
    /// Rebuilt when the path changes, so that entries share its memory.
    private var folder: String?
    private var headingWasRepaired = false

    package init(_ source: ByteSource, sizeLimit: Int = JSONParser.usualSizeLimit) {
        self.init(ByteCursor(source), sizeLimit: sizeLimit)
    }

    init(_ cursor: ByteCursor, sizeLimit: Int = JSONParser.usualSizeLimit) {
        tokenizer = HTMLTokenizer(cursor, sizeLimit: sizeLimit)
    }

    /// The next entry; nil behind the last.
    package mutating func next() throws(InterchangeError) -> NetscapeEntry? {
        while let token = try tokenizer.next() {
            switch token {
            case .text(let bytes):
                if area != .outside { text.add(bytes) }
            case .start(let name, let attributes):
                if let complete = try start(name, attributes) { return complete }
            case .end(let name):
                if let complete = end(name) { return complete }
            }
        }
        return takeEntry()
    }

    private mutating func start(
        _ name: String, _ attributes: HTMLAttributes
    ) throws(InterchangeError) -> NetscapeEntry? {
        switch name {
        case "a":
            let complete = takeEntry()
            entry = NetscapeEntry(line: tokenizer.line, folder: folder, attributes: attributes)
            if headingWasRepaired { entry?.wasRepaired = true }
            headingWasRepaired = false
            area = .title
            return complete
        case "dd":
            closeArea()
            if entry != nil { area = .text }
        case "h1", "h2", "h3":
            let complete = takeEntry()
            heading = (name, "")
            area = .heading
            return complete
        case "dl", "ul":
            // A list inside a description is text.
            if name == "ul", area == .text { return nil }
            let complete = takeEntry()
            try open(list: name)
            return complete
        case "dt", "hr":
            return takeEntry()
        case "br" where area == .text:
            text.add([UInt8(ascii: "\n")])
        default:
            break
        }
        return nil
    }

    private mutating func end(_ name: String) -> NetscapeEntry? {
        switch name {
        case "a" where area == .title, "h1" where area == .heading, "h2" where area == .heading,
            "h3" where area == .heading:
            closeArea()
        case "dl", "ul":
            if name == "ul", area == .text { return nil }
            let complete = takeEntry()
            if !path.isEmpty { path.removeLast() }
            joinPath()
            return complete
        default:
            break
        }
        return nil
    }

    private mutating func open(list: String) throws(InterchangeError) {
        guard path.count < 1_000 else {
            throw InterchangeError("folders nested deeper than 1000 levels", line: tokenizer.line)
        }
        // The first heading of a bookmark file is its title; Pocket has nothing but first headings.
        let isFolder = heading.map { $0.tag == "h3" || list == "ul" } ?? false
        path.append(isFolder ? heading?.name : nil)
        heading = nil
        joinPath()
    }

    private mutating func joinPath() {
        let names = path.compactMap { $0 }
        folder = names.isEmpty ? nil : names.joined(separator: "/")
    }

    private mutating func takeEntry() -> NetscapeEntry? {
        closeArea()
        defer { entry = nil }
        return entry
    }

    /// Gives the text collected so far to what it belongs to.
    private mutating func closeArea() {
        defer {
            self.text = HTMLText()
            area = .outside
        }
        guard area != .outside else { return }
        var wasRepaired = false
        let text = self.text.finish(wasRepaired: &wasRepaired)
        if self.text.isExcess { entry?.problem = ImportEntry.excess }
        if wasRepaired { entry?.wasRepaired = true }
        switch area {
        case .heading:
            heading?.name = text
            headingWasRepaired = headingWasRepaired || wasRepaired
        case .title: if !text.isEmpty { entry?.title = text }
        case .text: if !text.isEmpty { entry?.text = text }
        case .outside: break
        }
    }
}

extension NetscapeEntry {
    fileprivate init(line: Int, folder: String?, attributes: HTMLAttributes) {
        self.line = line
        self.folder = folder
        var wasRepaired = false
        let text = { (name: String) -> String? in
            attributes[name].map {
                String(repairing: HTMLEntities.decode($0), wasRepaired: &wasRepaired)
            }
        }
        url = text("href")
        addDate = text("add_date") ?? text("time_added")
        lastModified = text("last_modified")
        identifier = text(NetscapeWriter.identifierAttribute)
        exactDate = text(NetscapeWriter.dateAttribute)
        isPrivate = text("private") == "1"
        self.text = attributes["description"].flatMap {
            let description = String(
                repairing: HTMLEntities.decode($0.trimmingBlanks), wasRepaired: &wasRepaired)
            return description.isEmpty ? nil : description
        }
        if let raw = attributes["tags"] {
            let hasComma = raw.contains(UInt8(ascii: ","))
            tags = raw.split { hasComma ? $0 == UInt8(ascii: ",") : $0.isBlank }
                .map { Array($0).trimmingBlanks }
                .filter { !$0.isEmpty }
                .map { String(repairing: HTMLEntities.decode($0), wasRepaired: &wasRepaired) }
        }
        self.wasRepaired = wasRepaired
        if attributes.hasExcess { problem = ImportEntry.excess }
        if let raw = attributes["href"], raw.contains(UInt8(ascii: "<")),
            raw.contains(UInt8(ascii: "\n"))
        {
            problem = "the quote behind the address is missing"
        }
    }
}
