package import GroupLogFormat
package import GroupLogSystem

/// Where recovery puts bytes that it takes out of a log's way (FORMAT.md, "Quarantine").
///
/// A quarantined file is a log of its own: the header, and the bytes at the offset where they
/// stood, with nothing between, so that everything that reads logs reads it. Runs of zeros take no
/// room on a file system that keeps holes.
package struct Quarantine: Sendable {
    /// What one file holds, as its name says.
    package struct Entry: Hashable, Sendable {
        package var time: Int64
        package var generation: UInt64
        package var offset: UInt64
        /// The bytes kept.
        package var length: UInt64

        package init(time: Int64, generation: UInt64, offset: UInt64, length: UInt64) {
            self.time = time
            self.generation = generation
            self.offset = offset
            self.length = length
        }

        /// `t…-g…-o…-n….log`, the time in front and padded, so that names sort by age.
        package var name: String {
            let digits = String(max(0, time))
            let padding = String(repeating: "0", count: max(0, 19 - digits.count))
            return "t\(padding)\(digits)-g\(generation)-o\(offset)-n\(length).log"
        }

        /// Reads a name; nil where it is no quarantined file's.
        package init?(name: String) {
            guard name.hasSuffix(".log") else { return nil }
            let parts = name.dropLast(4).split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count == 4, zip(parts, "tgon").allSatisfy({ $0.first == $1 }),
                let time = Int64(parts[0].dropFirst()),
                let generation = UInt64(parts[1].dropFirst()),
                let offset = UInt64(parts[2].dropFirst()),
                let length = UInt64(parts[3].dropFirst())
            else { return nil }
            self.init(time: time, generation: generation, offset: offset, length: length)
            // Another spelling of the same numbers is another file's name.
            guard self.name == name else { return nil }
        }
    }

    /// The most bytes kept of one cut.
    package static let maximumCut: UInt64 = 16 << 20
    /// The most bytes kept in all.
    package static let maximumTotal: UInt64 = 64 << 20

    private let volume: any StoreVolume

    package init(_ volume: any StoreVolume) { self.volume = volume }

    /// What is there, oldest first.
    package func entries() throws(SystemError) -> [Entry] {
        try volume.quarantinedNames().compactMap { Entry(name: $0) }
    }

    /// A quarantined file as the log that it is: its header, and its bytes, which begin at the
    /// entry's offset.
    package func log(of entry: Entry) throws -> (header: LogHeader, image: LogImage) {
        let file = try volume.open(.quarantined(entry.name), .read, .never)
        let preamble = try file.read(0..<LogLayout.firstFrameOffset)
        let header = try unsafe HeaderCopies.decode(preamble.span.bytes).header
        return (header, LogImage(file: file, region: nil, size: try file.status().size))
    }

    /// Removes a quarantined file for good.
    package func remove(_ entry: Entry) throws(SystemError) {
        try volume.remove(.quarantined(entry.name))
    }

    /// Keeps a range of the log, or its first 16 MiB, and makes it durable. What is the oldest goes
    /// when there is more than 64 MiB, and not before the new file is safe.
    func keep(
        _ range: Range<UInt64>, of file: any VolumeFile, header: LogHeader
    ) throws(SystemError) {
        let length = min(UInt64(range.count), Self.maximumCut)
        try volume.makeDirectory(.quarantine)
        let older = try entries()
        let entry = Entry(
            time: Clock.wallMicroseconds(), generation: header.generation,
            offset: range.lowerBound, length: length)
        let copy = try volume.open(.quarantined(entry.name), .readWrite, .exclusive)
        do throws(SystemError) {
            try copy.writeAll(header.encodedPreamble(), at: 0)
            try copyContent(range.lowerBound..<range.lowerBound + length, of: file, to: copy)
            try copy.synchronize(.full)
            try volume.synchronizeNames(of: .quarantine, includingParent: true)
        } catch {
            // The first error is the one to tell, and half a copy the lesser trouble.
            try? volume.remove(.quarantined(entry.name))
            throw error
        }
        removeOldest(of: older, room: Self.maximumTotal - length)
    }

    private func removeOldest(of entries: [Entry], room: UInt64) {
        // The lengths are what names say, and anybody can make names. What cannot be removed only
        // takes room.
        var rest = room
        for entry in entries.reversed() {
            if entry.length <= rest {
                rest -= entry.length
            } else {
                rest = 0
                try? volume.remove(.quarantined(entry.name))
            }
        }
    }

    private func copyContent(
        _ range: Range<UInt64>, of file: any VolumeFile, to copy: any VolumeFile
    ) throws(SystemError) {
        let step: UInt64 = 64 << 10
        var offset = range.lowerBound
        while offset < range.upperBound {
            let bytes = try file.read(offset..<min(offset + step, range.upperBound))
            if bytes.isEmpty { return }
            let isZero = unsafe bytes.span.bytes.isZero(0..<bytes.count)
            if !isZero { try copy.writeAll(bytes, at: offset) }
            offset += UInt64(bytes.count)
        }
    }
}
