import GroupLogFormat

@testable import GroupLogFile

extension LogReader {
    /// All that a log says now, one line a record: what a compaction must not change. The sync state
    /// of a key that never had a value says nothing.
    func projection() throws -> Set<String> {
        var lines: Set<String> = []
        var contexts = FrameContexts()
        contexts.rescued = index.rescuedFrames
        func add(_ name: String, _ offsets: [UInt64]) throws {
            for offset in offsets {
                let record = try image.storedRecord(
                    at: offset, salt: header.salt, contexts: &contexts)
                if record.kind == .syncState,
                    try index.find(record.key, in: name, log: image) == .absent
                {
                    continue
                }
                lines.insert(
                    "\(name) \(record.kind) \(record.key) \(record.sequence) \(record.creation) "
                        + "\(record.time) \(record.author ?? "-") \(try record.plainValue())")
            }
        }
        for (name, collection) in index.collections {
            try add(name.text, collection.values.liveOffsets)
            try add(name.text, collection.values.deletedOffsets)
            try add(name.text, collection.syncStates.liveOffsets)
        }
        try add("cursor", Array(index.cursors.values))
        return lines
    }

    /// What the collection `items` holds: the text of each key, nil for one that was deleted.
    func items() throws -> [String: String?] {
        guard let values = index.collections[ByteString("items")]?.values else { return [:] }
        var items: [String: String?] = [:]
        var contexts = FrameContexts()
        contexts.rescued = index.rescuedFrames
        for offset in values.liveOffsets + values.deletedOffsets {
            let record = try image.storedRecord(
                at: offset, salt: header.salt, contexts: &contexts)
            let text = String(decoding: record.value, as: UTF8.self)
            items["\(record.key)"] = .some(record.kind == .delete ? nil : text)
        }
        return items
    }

    /// The mark of a compacted log.
    func mark() throws -> MarkContent? {
        guard let offset = index.mark else { return nil }
        var contexts = FrameContexts()
        let record = try image.storedRecord(at: offset, salt: header.salt, contexts: &contexts)
        return try MarkContent.decode(unsafe record.value.span.bytes)
    }
}

extension StoredRecord {
    /// The value with names in the place of indexes.
    fileprivate func plainValue() throws -> String {
        guard isIndexed, case .map(let pairs) = try CBORValue.decode(value) else {
            return "\(value)"
        }
        return pairs.map { pair in
            guard case .unsigned(let index) = pair.key, index < UInt64(names.count) else {
                return "\(pair.key.diagnostic): \(pair.value.diagnostic)"
            }
            return "\(names[Int(index)]): \(pair.value.diagnostic)"
        }.joined(separator: ", ")
    }
}

extension StoreVolume {
    @discardableResult
    func compact(
        _ writer: LogWriter? = nil, _ options: Compaction.Options = .init(),
        progress: Compaction.Progress = { _, _ in }
    ) throws -> Compaction.Outcome {
        try Compaction.run(
            writer ?? self.writer(), try LogReader(self, mapping: .never), options, .init(),
            progress: progress)
    }
}
