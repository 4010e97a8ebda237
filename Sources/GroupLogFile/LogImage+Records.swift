package import GroupLogFormat

// Records that are read where they stand. The loops are here and not with those who ask, since a
// call of a generic function of this module costs much more from outside.

extension LogImage {
    /// Lends the verified bytes of the record at an offset, with its header and what its frame says.
    package func withRecord<R>(
        at offset: UInt64, salt: UInt64, _ contexts: inout FrameContexts,
        _ body: (RawSpan, RecordHeader, FrameContexts.Context) throws -> R
    ) throws -> R {
        if let window = contexts.window {
            return try window.withFramedRecord(at: offset, salt: salt, &contexts, body)
        }
        return try withFramedRecord(at: offset, salt: salt, &contexts, body)
    }

    /// Lends the newest records of all keys that have a value, that of the key that was created last
    /// first. After each that could be read, `then` is called; one that cannot be read is given to
    /// `skipping`, and left out unless that throws.
    package func forEachRecordBackward(
        of table: KeyTable, salt: UInt64, _ contexts: inout FrameContexts,
        skipping: (UInt64, FormatError) throws -> Void,
        _ read: (UInt64, RawSpan, RecordHeader, FrameContexts.Context) throws -> Void,
        then: () throws -> Void
    ) throws {
        try table.forEachLiveOffsetBackward { offset in
            do {
                try withRecord(at: offset, salt: salt, &contexts) { try read(offset, $0, $1, $2) }
            } catch let error as FormatError {
                return try skipping(offset, error)
            }
            try then()
        }
    }
}

extension LogBytes {
    /// Lends the verified bytes of the record at an offset, with its header and what its frame says.
    func withFramedRecord<R>(
        at offset: UInt64, salt: UInt64, _ contexts: inout FrameContexts,
        _ body: (RawSpan, RecordHeader, FrameContexts.Context) throws -> R
    ) throws -> R {
        try withRecord(at: offset, salt: salt) { bytes, header in
            guard UInt64(header.frameDistance) <= offset - LogLayout.firstFrameOffset else {
                throw FormatError(
                    .malformed, "the record's frame would begin before the first", offset: offset)
            }
            let context = try contexts.context(
                ofFrameAt: offset - UInt64(header.frameDistance), in: self, salt: salt)
            return try body(bytes, header, context)
        }
    }

    /// Lends the verified bytes of the record at an offset, with its header.
    ///
    /// Reads the record and nothing else.
    private func withRecord<R>(
        at offset: UInt64, salt: UInt64, _ body: (RawSpan, RecordHeader) throws -> R
    ) throws -> R {
        let base = UInt64(LogLayout.recordHeaderSize)
        guard offset <= size, size - offset >= base,
            let length = try withBytes(offset..<offset + base, { RecordHeader.length($0, at: 0) }),
            UInt64(length) <= size - offset
        else {
            throw FormatError(.malformed, "no record begins here", offset: offset)
        }
        return try withBytes(offset..<offset + UInt64(length)) { bytes in
            let header = try RecordHeader.verified(
                bytes, in: 0..<length, logOffset: offset, salt: salt)
            return try body(bytes, header)
        }
    }
}
