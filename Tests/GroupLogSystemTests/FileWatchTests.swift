import Foundation
import TestSupport
import Testing

@testable import GroupLogSystem

/// A directory with a file to be watched.
final class WatchedFile: Sendable {
    static let name = "log"
    private let base: TemporaryDirectory
    let directory: String
    var path: String { directory + "/" + Self.name }

    init() throws {
        base = try TemporaryDirectory()
        directory = base.path("store")
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        try write(Self.name, "a")
    }

    /// A place beside the directory.
    func beside(_ name: String) -> String { base.path(name) }

    /// Writes a file in the directory as it stands, beginning with the first byte.
    func write(_ name: String, _ text: String) throws {
        let file = try FileDescriptor.open(directory + "/" + name, .readWrite, .ifMissing)
        #expect(try file.write(Array(text.utf8), at: 0) == text.utf8.count)
    }

    func rename(_ name: String, to newName: String) throws {
        try FileSystem.rename(directory + "/" + name, to: directory + "/" + newName)
    }

    /// Moves the directory away and a copy of it back, as backups do.
    func replaceDirectory() throws {
        let old = beside("old")
        try FileSystem.rename(directory, to: old)
        try FileManager.default.copyItem(atPath: old, toPath: directory)
    }
}

extension FileWatch {
    /// Waits until there is nothing more to be told.
    func settle() { while wait(milliseconds: 0) != .timedOut {} }

    /// Longer than anything takes.
    func waitForLong() -> Outcome { wait(milliseconds: 600_000) }
}

@Suite struct FileWatchTests {
    private func watch(_ file: WatchedFile, _ isNotified: Bool) -> FileWatch {
        FileWatch(directory: file.directory, name: WatchedFile.name, isNotified: isNotified)
    }

    @Test(
        "each change ends the next wait, by notifications and by polling", .timeLimit(.minutes(5)),
        arguments: [true, false])
    func changes(_ isNotified: Bool) throws {
        let file = try WatchedFile()
        let watch = watch(file, isNotified)
        let changes: [(String, () throws -> Void)] = [
            ("a write", { try file.write("log", "bb") }),
            (
                "a rename into place",
                {
                    try file.write("log.new", "c")
                    try file.rename("log.new", to: "log")
                }
            ),
            ("a write to the new file", { try file.write("log", "dd") }),
            ("a removal", { _ = try FileSystem.remove(file.path) }),
            ("another file", { try file.write("log", "e") }),
            ("a cut", { _ = try FileDescriptor.open(file.path, .readWrite, .emptying) }),
            ("another directory", { try file.replaceDirectory() }),
            ("a write to the file in it", { try file.write("log", "fff") }),
            ("no directory", { try FileManager.default.removeItem(atPath: file.directory) }),
            (
                "a new directory",
                {
                    try FileSystem.makeDirectory(file.directory)
                    try file.write("log", "g")
                }
            ),
            ("a write to its file", { try file.write("log", "hh") }),
        ]
        for (what, change) in changes {
            watch.settle()
            try change()
            #expect(watch.waitForLong() == .changed, "\(what)")
        }
    }

    @Test(
        "a change while somebody waits ends the wait", .timeLimit(.minutes(5)),
        arguments: [true, false])
    func meanwhile(_ isNotified: Bool) throws {
        let file = try WatchedFile()
        let watch = watch(file, isNotified)
        watch.settle()
        let isWatching = Monitor(true)
        Thread.detach(name: "test") {
            var text = "b"
            while isWatching.withLock({ $0 }) {
                Clock.sleep(microseconds: 5_000)
                text += "b"
                do { try file.write("log", text) } catch { Issue.record(error) }
            }
        }
        for _ in 0..<10 { #expect(watch.waitForLong() == .changed) }
        isWatching.withLock { $0 = false }
    }

    @Test(
        "where nothing happens, or only beside the file, a wait ends by its time",
        arguments: [true, false])
    func nothing(_ isNotified: Bool) throws {
        let file = try WatchedFile()
        let watch = watch(file, isNotified)
        watch.settle()
        #expect(watch.wait(milliseconds: 150) == .timedOut)
        for text in ["x", "yy"] { try file.write("lock", text) }
        #expect(watch.wait(milliseconds: 0) == .timedOut)
        #expect(watch.wait(milliseconds: -1) == .timedOut)
        #expect(watch.wait(milliseconds: .min) == .timedOut)
    }

    @Test("without notifications a change counts twice, since the next one may have the same time")
    func again() throws {
        let file = try WatchedFile()
        let watch = watch(file, false)
        watch.settle()
        try file.write("log", "bb")
        #expect(watch.wait(milliseconds: 0) == .changed)
        #expect(watch.wait(milliseconds: 0) == .changed)
        #expect(watch.wait(milliseconds: 0) == .timedOut)
    }

    @Test(
        "what no notification tells is found all the same: another directory behind a link",
        .timeLimit(.minutes(5)), arguments: [true, false])
    func link(_ isNotified: Bool) throws {
        let (file, other) = (try WatchedFile(), try WatchedFile())
        let link = file.beside("link")
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: file.directory)
        let watch = FileWatch(directory: link, name: "log", isNotified: isNotified)
        watch.settle()
        try file.write("log", "bb")
        #expect(watch.waitForLong() == .changed)
        watch.settle()
        try FileManager.default.removeItem(atPath: link)
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: other.directory)
        #expect(watch.waitForLong() == .changed)
        watch.settle()
        try file.write("log", "ccc")
        #expect(watch.wait(milliseconds: 0) == .timedOut)
        try other.write("log", "dddd")
        #expect(watch.waitForLong() == .changed)
    }

    @Test(
        "a wake ends the wait that goes on or the next one, and takes no change away",
        .timeLimit(.minutes(5)), arguments: [true, false])
    func wake(_ isNotified: Bool) throws {
        let file = try WatchedFile()
        let watch = watch(file, isNotified)
        watch.settle()
        watch.wake()
        watch.wake()
        #expect(watch.waitForLong() == .woken)
        #expect(watch.wait(milliseconds: 0) == .timedOut)
        for _ in 0..<5 {
            Thread.detach(name: "test") {
                Clock.sleep(microseconds: 3_000)
                watch.wake()
            }
            #expect(watch.waitForLong() == .woken)
        }
        try file.write("log", "bb")
        watch.wake()
        let outcomes: Set = [watch.waitForLong(), watch.waitForLong()]
        #expect(outcomes == [.changed, .woken])
    }

    #if os(Linux)
        @Test(
            "a signal ends the wait of the thread that it comes to", .timeLimit(.minutes(5)),
            arguments: [true, false])
        func signals(_ isNotified: Bool) throws {
            let file = try WatchedFile()
            let watch = watch(file, isNotified)
            watch.settle()
            _ = signal(SIGUSR1) { _ in }
            let thread = Monitor<pthread_t?>(nil)
            let outcome = Monitor<FileWatch.Outcome?>(nil)
            let isDone = Monitor(false)
            Thread.detach(name: "test") {
                var signals = sigset_t()
                unsafe sigemptyset(&signals)
                unsafe sigaddset(&signals, SIGUSR1)
                unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
                thread.withLock { $0 = pthread_self() }
                let result = watch.waitForLong()
                outcome.withLock { $0 = result }
                // A thread that has ended must get no signal.
                _ = isDone.wait { $0 ? true : nil }
            }
            let number = try #require(thread.wait { $0 })
            while outcome.withLock({ $0 == nil }) {
                _ = pthread_kill(number, SIGUSR1)
                Clock.sleep(microseconds: 2_000)
            }
            isDone.withLock { $0 = true }
            #expect(outcome.withLock { $0 } == .interrupted)
        }
    #endif

    @Test("paths of any kind are watched without a trap")
    func paths() throws {
        let file = try WatchedFile()
        for directory in ["", "/dev/null", file.path, file.directory + "\0x", "/nowhere/at/all"] {
            for isNotified in [true, false] {
                let watch = FileWatch(directory: directory, name: "log", isNotified: isNotified)
                watch.settle()
                #expect(watch.wait(milliseconds: 1) == .timedOut)
            }
        }
        let watch = FileWatch(directory: file.beside(""), name: "store")
        watch.settle()
        #expect(watch.wait(milliseconds: 1) == .timedOut)
    }
}
