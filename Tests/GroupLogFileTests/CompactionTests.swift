import GroupLogFormat
import GroupLogSystem
import TestSupport
import Testing

@testable import GroupLogFile

/// Writes commits of every kind into a log.
struct RandomCommits {
    var random: SeededGenerator
    private var count = 0

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// The frames of the next commits.
    mutating func next(_ lastCreation: UInt64) throws -> [FrameBuilder] {
        try (0..<Int.random(in: 1...3, using: &random)).map { _ in try frame(lastCreation) }
    }

    private mutating func frame(_ creation: UInt64) throws -> FrameBuilder {
        let author = ["app", "share-extension", nil].randomElement(using: &random) ?? nil
        let isQuiet = Int.random(in: 0..<6, using: &random) == 0
        let isIndependent = !isQuiet && Bool.random(using: &random)
        var builder = FrameBuilder(
            author: author, flags: isQuiet ? .quiet : isIndependent ? .independent : [])
        for _ in 0..<Int.random(in: 1...5, using: &random) {
            try add(to: &builder, isQuiet: isQuiet, creation)
        }
        return builder
    }

    private mutating func add(
        to builder: inout FrameBuilder, isQuiet: Bool, _ creation: UInt64
    ) throws {
        count += 1
        let collection = ["items", "labels", "$values"].randomElement(using: &random) ?? ""
        let key = try #require(RecordKey(text: "k\(Int.random(in: 0..<30, using: &random))"))
        if isQuiet && Bool.random(using: &random) {
            let content = CursorContent(
                sequence: creation, checksum: UInt32(count), updated: Int64(count))
            return try builder.append(
                kind: .cursor, collection: nil, key: key,
                content: .init(bytes: content.encoded(), isIndexed: false))
        }
        if isQuiet {
            let state = SyncStateContent(sentSequence: creation, state: .synced)
            return try builder.append(
                kind: .syncState, collection: collection, key: key,
                content: .init(bytes: state.encoded(), isIndexed: false))
        }
        let isOld = creation > 0 && Bool.random(using: &random)
        if Int.random(in: 0..<4, using: &random) == 0 {
            return try builder.append(kind: .delete, collection: collection, key: key)
        }
        try builder.append(
            kind: .put, collection: collection, key: key, content: try value(&builder),
            origin: isOld ? .createdAt(creation) : .new)
    }

    private mutating func value(_ builder: inout FrameBuilder) throws -> FrameBuilder.Content {
        var names = ["title", "url", "createdAt", "tags", "label \(count % 7)"]
        names.shuffle(using: &random)
        let pairs = names.prefix(Int.random(in: 0...5, using: &random)).map { name in
            (
                name,
                CBORValue.text(
                    String(repeating: name, count: Int.random(in: 0...40, using: &random)))
            )
        }
        let isIndexed = Bool.random(using: &random)
        var writer = CBORWriter()
        writer.mapHead(pairs.count)
        for (name, text) in pairs {
            if isIndexed {
                let index = builder.index(ofName: name)
                writer.unsigned(UInt64(try #require(index)))
            } else {
                writer.text(name)
            }
            try writer.value(text)
        }
        return .init(bytes: writer.bytes, isIndexed: isIndexed)
    }
}

@Suite struct CompactionTests {
    private func append(
        _ count: Int, _ commits: inout RandomCommits, to writer: LogWriter
    ) throws {
        for _ in 0..<count {
            _ = try writer.withLock { log in
                try log.append(try commits.next(log.nextSequence / 2))
            }
        }
    }

    @Test(
        "values, tombstones, sync states and cursors stay, with sequences, times and authors, through any number of compactions"
    )
    func nothingChanges() throws {
        for round in 0..<(isFull ? 200 : 12) {
            let seed = UInt64.random(in: 0...UInt64.max)
            let comment: Comment = "seed \(seed)"
            var commits = RandomCommits(seed: seed)
            let volume = FaultyVolume()
            let writer = volume.writer()
            try append(60, &commits, to: writer)
            for generation in 2...4 {
                let before = try LogReader(volume, mapping: .never)
                let outcome = try volume.compact(round % 2 == 0 ? writer : nil)
                let after = try LogReader(volume, mapping: .never)
                #expect(try after.projection() == before.projection(), comment)
                #expect(after.receipt.entries.isEmpty && after.receipt.unfinished == nil, comment)
                #expect(after.header.generation == UInt64(generation), comment)
                #expect(after.header.storeID == before.header.storeID, comment)
                #expect(after.header.salt != before.header.salt, comment)
                #expect(after.sequence == before.sequence, comment)
                #expect(outcome.sizeAfter == after.end && outcome.sizeBefore == before.end, comment)
                #expect(volume.bytes(of: .newLog) == nil, comment)
                try append(20, &commits, to: writer)
            }
        }
    }

    @Test("the next commit gets the sequence behind the last one, whoever writes it")
    func sequences() throws {
        let volume = FaultyVolume()
        let writer = volume.writer()
        for index in 0..<5 { _ = try writer.withLock { try $0.append([frame("\(index)")]) } }
        try volume.compact()
        for writer in [writer, volume.writer()] {
            let (_, commit) = try writer.withLock { try $0.append([frame("next")]) }
            try writer.makeDurable(try #require(commit))
        }
        let reader = try LogReader(volume, mapping: .never)
        #expect(reader.sequence == 7)
        #expect(try reader.texts() == ["0", "1", "2", "3", "4", "next"])
    }

    @Test("the mark knows the last 4,096 commits by the checksums that they had at first")
    func mark() throws {
        let volume = FaultyVolume()
        let writer = volume.writer()
        var checksums: [UInt64: UInt32] = [:]
        func append(_ count: Int) throws {
            for _ in 0..<count / 10 {
                _ = try writer.withLock { try $0.append((0..<10).map { _ in try frame("one") }) }
            }
            let reader = try LogReader(volume, mapping: .never)
            var walker = LogWalker(BufferedLogBytes(reader.image), salt: reader.header.salt)
            while case .frame(let content) = try walker.next() {
                guard !content.header.flags.contains(.compacted) else { continue }
                checksums[content.header.sequence] = content.header.checksum
            }
        }
        try append(300)
        try volume.compact()
        try append(4_000)
        try volume.compact()
        try append(10)
        try volume.compact()
        let mark = try #require(try LogReader(volume, mapping: .never).mark())
        #expect(mark.lastSequence == 4_310 && mark.completeSince == 0)
        #expect(mark.checksums.count == 4_096 && mark.firstCommit == 4_310 - 4_095)
        for sequence in mark.firstCommit...4_310 {
            #expect(mark.checksum(ofCommit: sequence) == checksums[sequence])
        }
    }

    @Test("what others append while the log is copied is in the new one")
    func meanwhile() throws {
        let volume = FaultyVolume()
        let other = volume.writer()
        try other.appendLong(count: 30)
        let long = String(repeating: "x", count: 120_000)
        var rounds = 0
        try volume.compact { _, _ in
            guard rounds < 3 else { return }
            rounds += 1
            _ = try? other.withLock { log in
                try log.append([frame("new \(rounds) " + long, key: "k\(rounds)")])
                try log.append([tombstone("k\(20 + rounds)")])
            }
        }
        #expect(rounds == 3)
        let texts = try volume.texts().map { String($0.prefix { $0 != "x" }) }
        let kept = (0..<30).filter { !(1...3).contains($0) && !(21...23).contains($0) }
        #expect(Set(texts) == Set(kept.map { "\($0) " } + (1...3).map { "new \($0) " }))
    }

    @Test("of two compactions at once the second wins, and the first leaves the log as it is")
    func race() throws {
        let volume = FaultyVolume()
        try volume.writer().appendLong(count: 30)
        let before = try LogReader(volume, mapping: .never).projection()
        var isFirst = true
        #expect {
            try volume.compact { _, _ in
                guard isFirst else { return }
                isFirst = false
                _ = try? volume.compact()
            }
        } throws: { error in
            if case LogError.superseded = error { true } else { false }
        }
        let reader = try LogReader(volume, mapping: .never)
        #expect(try reader.projection() == before && reader.header.generation == 2)
        #expect(volume.bytes(of: .newLog) == nil)
    }

    @Test("a log that was put in the place of the copied one is not replaced")
    func otherLog() throws {
        let (volume, other) = (FaultyVolume(), FaultyVolume())
        try volume.writer().appendLong(count: 30)
        _ = try other.writer().withLock { try $0.append([frame("other")]) }
        let bytes = try #require(other.bytes(of: .log))
        #expect(throws: (any Error).self) {
            try volume.compact { _, _ in try? volume.setBytes(bytes, of: .log) }
        }
        #expect(volume.bytes(of: .log) == bytes && volume.bytes(of: .newLog) == nil)
    }

    @Test("a damaged log is compacted only when asked, and the mark says since when all is known")
    func damage() throws {
        let volume = FaultyVolume()
        var places: [UInt64] = []
        for index in 0..<9 {
            let (_, commit) = try volume.writer().withLock { try $0.append([frame("\(index)")]) }
            places.append(try #require(commit?.frames.first?.offset))
        }
        var bytes = try #require(volume.bytes(of: .log))
        bytes[Int(places[3]) + 60] ^= 1
        try volume.setBytes(bytes, of: .log)
        #expect {
            try volume.compact()
        } throws: { error in
            guard case LogError.damaged(let receipt, _) = error else { return false }
            return receipt.entries.count == 1
        }
        #expect(volume.bytes(of: .log) == bytes && volume.bytes(of: .newLog) == nil)
        try volume.compact(nil, .init(discardsDamage: true))
        let reader = try LogReader(volume, mapping: .never)
        #expect(try reader.texts() == ["0", "1", "2", "4", "5", "6", "7", "8"])
        #expect(reader.receipt.entries.isEmpty && reader.sequence == 9)
        // Commit 4 could have changed anything.
        #expect(try reader.mark()?.completeSince == 4)
    }

    @Test("of too many tombstones the oldest go, and cursors that have not seen them are retired")
    func tombstones() throws {
        let volume = FaultyVolume()
        let writer = volume.writer()
        func append(_ build: (inout FrameBuilder) throws -> Void) throws {
            _ = try writer.withLock { log in
                var builder = FrameBuilder(author: nil)
                try build(&builder)
                try log.append([builder])
            }
        }
        for index in 0..<20 {
            try append {
                try $0.append(
                    kind: .delete, collection: "items", key: #require(RecordKey(text: "\(index)")))
            }
        }
        for (name, sequence) in [("slow", 11), ("quick", 12)] {
            try append {
                try $0.append(
                    kind: .cursor, collection: nil, key: #require(RecordKey(text: name)),
                    content: .init(
                        bytes: CursorContent(
                            sequence: UInt64(sequence), checksum: 7, updated: 0
                        ).encoded(), isIndexed: false))
            }
        }
        var options = Compaction.Options()
        options.tombstoneCount = 8
        try volume.compact(nil, options)
        let reader = try LogReader(volume, mapping: .never)
        let collection = try #require(reader.index.collections[ByteString("items")])
        #expect(collection.values.deletedOffsets.count == 8)
        let lines = try reader.projection()
        for index in 12..<20 { #expect(lines.contains { $0.hasPrefix("items delete \(index) ") }) }
        let mark = try #require(try reader.mark())
        #expect(mark.completeSince == 12)
        #expect(mark.cursors.map(\.name) == ["quick", "slow"])
        var contexts = FrameContexts()
        for (name, offset) in reader.index.cursors {
            let record = try reader.image.storedRecord(
                at: offset, salt: reader.header.salt, contexts: &contexts)
            let cursor = try CursorContent.decode(unsafe record.value.span.bytes)
            #expect(cursor.isRetired == (name.text == "slow"))
        }
    }

    @Test("a cancelled compaction leaves the log as it is, and nothing beside it")
    func cancelled() throws {
        let volume = FaultyVolume()
        for index in 0..<3 {
            _ = try volume.writer().withLock { try $0.append([frame("\(index)")]) }
        }
        let before = volume.bytes(of: .log)
        #expect {
            try volume.compact(nil, .init(isCancelled: { true }))
        } throws: { error in
            if case LogError.cancelled = error { true } else { false }
        }
        #expect(volume.bytes(of: .log) == before && volume.bytes(of: .newLog) == nil)
    }

    @Test("whoever has the old log open reads on in it, and finds its last frame closing it")
    func oldLog() throws {
        let store = try TemporaryStore()
        let writer = store.volume.writer()
        for index in 0..<4 { _ = try writer.withLock { try $0.append([frame("\(index)")]) } }
        var reader = try LogReader(store.volume, mapping: .whenPossible)
        let (image, salt, end) = (reader.image, reader.header.salt, reader.end)
        try store.volume.compact()
        #expect(try reader.texts() == ["0", "1", "2", "3"])
        let closing = try #require(
            try LogTail.proven(in: image.grown(), salt: salt)?.last)
        #expect(closing.flags == [.quiet, .closing] && closing.sequence == 5)
        #expect(try image.grown().frameHeader(at: end, salt: salt) == closing)
        #expect(try reader.refresh() == .replaced)
        #expect(try reader.texts() == ["0", "1", "2", "3"])
        #expect(reader.sequence == 4)
    }
}
