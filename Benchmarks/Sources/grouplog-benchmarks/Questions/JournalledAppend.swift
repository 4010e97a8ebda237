#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What does a durable append cost on ext4 with a journal? Asked on an image that is mounted for it.
enum JournalledAppend: Question {
    static let name = "journalled-append"
    static let summary = "the same on ext4 with a journal; needs root, mkfs.ext4 and a loop device"

    static func ask(_ bench: inout Bench) throws {
        let title = "Durable append on ext4 with a journal (a loop image)"
        let outside = try TemporaryDirectory(in: bench.plan.directory)
        let place = outside.path + "/mounted"
        do {
            try mount(outside.path + "/image", at: place)
        } catch {
            return bench.skip(title, "no image of ext4 can be mounted here (\(error))")
        }
        defer { unmount(place) }
        try bench.measure(
            title, .perSecond, in: place,
            DurableAppend.contenders(&bench, budgets: [.atLeast(2.0, .ratio)]))
    }

    private static func mount(_ image: String, at place: String) throws {
        // Written whole: holes would be filled in while the clock runs.
        try run(["dd", "if=/dev/zero", "of=" + image, "bs=1M", "count=256", "status=none"])
        try run(["mkfs.ext4", "-q", "-F", "-E", "lazy_itable_init=0,lazy_journal_init=0", image])
        guard mkdir(place, 0o700) == 0 else {
            throw PeerError(description: "cannot make the directory '\(place)'")
        }
        try run(["mount", "-o", "loop", image, place])
    }

    private static func unmount(_ place: String) {
        do { try run(["umount", place]) } catch { complain("\(place) is still mounted: \(error)") }
    }
}
