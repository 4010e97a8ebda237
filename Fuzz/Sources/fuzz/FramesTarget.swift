import GroupLogFormat

/// The walk over a log: it ends, goes forward, and gives out nothing that does not verify.
enum FramesTarget {
    static func run(_ input: [UInt8]) throws {
        let log = FuzzedLog(input)
        let source = LogBytesInMemory(log.bytes)
        var walker = LogWalker(
            source, salt: FuzzedLog.salt, stopsAtZeros: log.choices & 1 != 0)
        var end = LogLayout.firstFrameOffset
        walk: while true {
            switch try walker.next() {
            case .frame(let content):
                require(content.offset == end, "frames and damage stand side by side")
                require(content.end <= source.size, "a frame ends inside the log")
                try source.withBytes(content.offset..<content.end) { check(content, $0) }
                end = content.end
            case .damage(let damage):
                require(damage.range.lowerBound == end, "frames and damage stand side by side")
                require(!damage.range.isEmpty, "damage that is no gap has bytes")
                end = damage.range.upperBound
            case .unfinished(let range):
                require(range.lowerBound == end, "what is unfinished stands behind the rest")
                break walk
            case .end: break walk
            }
        }
        let tail = try LogTail.find(in: source, salt: FuzzedLog.salt)
        require(tail.lastOffset <= tail.end, "the last frame begins before the end")
        if let torn = tail.torn {
            require(torn.lowerBound == tail.end, "torn bytes begin at the end")
        }
    }

    private static func check(_ content: FrameContent, _ bytes: RawSpan) {
        let seed = Checksum.seed(salt: FuzzedLog.salt, offset: content.offset)
        let payload = content.header.payload
        let isWhole =
            content.header.payloadChecksum
            == Checksum.crc32c(bytes.extracting(payload), continuing: seed)
        for record in content.records {
            require(
                record.range.lowerBound >= payload.lowerBound
                    && record.range.upperBound <= payload.upperBound,
                "a record stands in the payload")
            let checksum = RecordHeader.checksum(
                bytes, of: record.range,
                logOffset: content.offset + UInt64(record.range.lowerBound), salt: FuzzedLog.salt)
            require(isWhole || record.checksum == checksum, "what is served verifies")
            require(content.provenance(bytes, of: record) != nil, "what is served has an origin")
            _ = (content.author(bytes, of: record), content.collection(of: record))
            if RecordKey.Kind(rawValue: record.keyKind) != nil {
                require(record.recordKey(bytes) != nil, "what is served has a key")
            }
            let value = bytes.extracting(record.value)
            _ = try? SyncStateContent.decode(value)
            _ = try? CursorContent.decode(value)
            _ = try? MarkContent.decode(value)
            _ = try? ReplacementContent.decode(value)
        }
    }
}
