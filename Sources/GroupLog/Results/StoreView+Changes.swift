import GroupLogFile
import GroupLogFormat

extension StoreView {
    /// The keys of a collection that commits behind an earlier state of the store put or deleted.
    ///
    /// Reads what is behind it and nothing else. Nil where that alone does not tell what is another now:
    /// the log is another one, or something of it was not accepted since.
    func keysChanged(
        in collection: String, since earlier: LogPosition
    ) throws -> Set<RecordKey>? {
        guard try continues(earlier), end >= earlier.end,
            log.entries.count == earlier.damageCount
        else { return nil }
        if image.isMapped {
            return try keysChanged(in: collection, behind: earlier.end, of: image)
        }
        return try keysChanged(
            in: collection, behind: earlier.end, of: BufferedLogBytes(image))
    }

    private func keysChanged(
        in collection: String, behind start: UInt64, of source: some LogBytes
    ) throws -> Set<RecordKey>? {
        let name = ByteString(collection)
        var keys: Set<RecordKey> = []
        var walker = LogWalker(source, salt: header.salt, from: start, stopsAtZeros: true)
        while walker.position < end {
            guard case .frame(let content) = try walker.next(), content.damage.isEmpty else {
                return nil
            }
            let isOfCollection = content.head.names.map { ByteString($0) == name }
            guard isOfCollection.contains(true) else { continue }
            try source.withBytes(content.offset..<content.end) { bytes in
                for record in content.records where [.put, .delete].contains(record.kind) {
                    guard let index = record.collection, Int(index) < isOfCollection.count,
                        isOfCollection[Int(index)], let key = record.recordKey(bytes)
                    else { continue }
                    keys.insert(key)
                }
            }
        }
        return keys
    }

    /// Fails where the log's bytes are not those of this view any more: somebody writes another log
    /// over it.
    func checkNotOverwritten() throws {
        let isSame = try image.withBytes(0..<LogLayout.firstFrameOffset) { bytes in
            do throws(FormatError) {
                return try HeaderCopies.decode(bytes).header == header
            } catch {
                return false
            }
        }
        guard isSame, try continues(self) || index.rescuedFrames.keys.contains(last?.offset ?? 0)
        else {
            throw StoreError(
                .superseded, "another log is being put in the place of that of '\(path)'",
                path: path)
        }
    }
}
