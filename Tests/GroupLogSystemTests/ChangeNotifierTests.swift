#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    @testable import GroupLogSystem

    /// What the system itself tells, without any look at the file. It does so before the call that made
    /// the change returns (inotify(7)), so nothing here has to wait.
    @Suite struct ChangeNotifierTests {
        private func notifier(_ file: WatchedFile) throws -> ChangeNotifier {
            let notifier = try #require(
                ChangeNotifier.make(directory: file.directory, name: WatchedFile.name))
            #expect(notifier.arm().isComplete)
            return notifier
        }

        private func settle(_ notifier: ChangeNotifier) {
            while notifier.wait(milliseconds: 0) != .nothing {}
        }

        @Test("what is written to the file is told, also without another size")
        func writes() throws {
            let file = try WatchedFile()
            let notifier = try notifier(file)
            #expect(notifier.wait(milliseconds: 0) == .nothing)
            for text in ["b", "cc", "dd"] {
                try file.write("log", text)
                #expect(notifier.wait(milliseconds: 0) == .change, "\(text)")
                #expect(notifier.wait(milliseconds: 0) == .nothing)
            }
            _ = try FileDescriptor.open(file.path, .readWrite, .emptying)
            #expect(notifier.wait(milliseconds: 0) == .change)
            let arming = notifier.arm()
            #expect(!arming.isOther && arming.isComplete)
        }

        @Test("a thousand changes are told once")
        func burst() throws {
            let file = try WatchedFile()
            let notifier = try notifier(file)
            for index in 0..<1_000 {
                try file.write("log", "\(index)")
                try file.write("log.new", "\(index)")
                if index % 10 == 0 { try file.rename("log.new", to: "log") }
            }
            #expect(notifier.wait(milliseconds: 0) == .change)
            #expect(notifier.wait(milliseconds: 0) == .nothing)
        }

        @Test("what is done to the other files of the directory is not")
        func others() throws {
            let file = try WatchedFile()
            try file.write("lock", "x")
            let notifier = try notifier(file)
            for index in 0..<100 { try file.write("lock", "\(index)") }
            _ = try FileSystem.remove(file.directory + "/lock")
            try file.write("lock", "x")
            try FileSystem.makeDirectory(file.directory + "/quarantine")
            try file.write("quarantine/log", "x")
            try file.write("log.new", "x")
            _ = try FileDescriptor.open(file.path, .read)
            #expect(notifier.wait(milliseconds: 0) == .nothing)
            let arming = notifier.arm()
            #expect(!arming.isOther && arming.isComplete)
        }

        @Test("another file in its place is told, and is the watched one from the next arming on")
        func replaced() throws {
            let file = try WatchedFile()
            let notifier = try notifier(file)
            let old = try FileDescriptor.open(file.path, .readWrite)
            try file.write("log.new", "c")
            #expect(notifier.wait(milliseconds: 0) == .nothing)
            try file.rename("log.new", to: "log")
            #expect(notifier.wait(milliseconds: 0) == .change)
            let arming = notifier.arm()
            #expect(arming.isOther && arming.isComplete)
            settle(notifier)
            #expect(try old.write([1], at: 0) == 1)
            #expect(notifier.wait(milliseconds: 0) == .nothing)
            try file.write("log", "d")
            #expect(notifier.wait(milliseconds: 0) == .change)
        }

        @Test("a file that is removed is missed, and a new one with its inode is another one")
        func removed() throws {
            let file = try WatchedFile()
            let notifier = try notifier(file)
            for _ in 0..<5 {
                _ = try FileSystem.remove(file.path)
                #expect(notifier.wait(milliseconds: 0) == .change)
                // Nothing more can be watched, and nothing has to be polled.
                let arming = notifier.arm()
                #expect(arming.isOther && arming.isComplete)
                settle(notifier)
                try file.write("log", "b")
                #expect(notifier.wait(milliseconds: 0) == .change)
                #expect(notifier.arm().isOther)
                settle(notifier)
                _ = try FileSystem.remove(file.path)
                #expect(notifier.arm().isOther)
                settle(notifier)
                try file.write("log.new", "c")
                #expect(notifier.wait(milliseconds: 0) == .nothing)
                try file.rename("log.new", to: "log")
                #expect(notifier.wait(milliseconds: 0) == .change)
                #expect(notifier.arm().isOther)
                settle(notifier)
                try file.write("log", "d")
                #expect(notifier.wait(milliseconds: 0) == .change)
                settle(notifier)
            }
        }

        @Test("a directory that goes is told; one that comes is watched from the next arming on")
        func directory() throws {
            let file = try WatchedFile()
            let notifier = try notifier(file)
            try FileSystem.rename(file.directory, to: file.beside("old"))
            #expect(notifier.wait(milliseconds: 0) == .change)
            let missing = notifier.arm()
            #expect(missing.isOther && !missing.isComplete)
            try FileManager.default.copyItem(atPath: file.beside("old"), toPath: file.directory)
            let arming = notifier.arm()
            #expect(arming.isOther && arming.isComplete)
            settle(notifier)
            try file.write("log", "b")
            #expect(notifier.wait(milliseconds: 0) == .change)
            try FileManager.default.removeItem(atPath: file.directory)
            #expect(notifier.wait(milliseconds: 0) == .change)
            #expect(!notifier.arm().isComplete)
        }

        @Test("a wake ends a wait that has no end of its own", .timeLimit(.minutes(5)))
        func wake() throws {
            let file = try WatchedFile()
            let notifier = try notifier(file)
            notifier.wake()
            #expect(notifier.wait(milliseconds: -1) == .nothing)
            #expect(notifier.wait(milliseconds: 0) == .nothing)
            withExtendedLifetime(file) {}
        }

        @Test("each takes its descriptors along: more come and go than there can be at once")
        func descriptors() throws {
            let file = try WatchedFile()
            let path = "/proc/sys/fs/inotify/max_user_instances"
            let text = try String(contentsOfFile: path, encoding: .utf8)
            let limit = try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)))
            for _ in 0..<min(limit + 50, 5_000) { _ = try notifier(file) }
        }

        private func bytes(_ watch: Int32, _ mask: Int32, _ name: String = "") -> [UInt8] {
            let padded = name.isEmpty ? 0 : (name.utf8.count / 16 + 1) * 16
            let words = [UInt32(bitPattern: watch), UInt32(mask), 0, UInt32(padded)]
            let head = words.flatMap { word in
                (0..<4).map { UInt8(truncatingIfNeeded: word.littleEndian >> (8 * $0)) }
            }
            let rest = padded - name.utf8.count
            return head + Array(name.utf8) + [UInt8](repeating: 0, count: rest)
        }

        private func isTold(_ bytes: [UInt8]) -> Bool {
            var watches = InotifyWatches(name: Array("log".utf8))
            (watches.directory, watches.file) = (1, 2)
            return InotifyEvent.all(in: unsafe bytes.span.bytes).contains {
                watches.areConcerned(by: $0)
            }
        }

        @Test("a queue that ran over counts as a change, wherever it stands")
        func overflow() {
            let overflow = bytes(-1, IN_Q_OVERFLOW)
            let lock = bytes(1, IN_CREATE, "lock")
            #expect(!isTold(lock))
            #expect(isTold(overflow) && isTold(lock + overflow) && isTold(overflow + lock))
        }

        @Test("an event matters by what it is about")
        func events() {
            #expect(isTold(bytes(2, IN_MODIFY)) && isTold(bytes(2, IN_IGNORED)))
            #expect(isTold(bytes(1, IN_MOVED_TO, "log")) && isTold(bytes(1, IN_MOVE_SELF)))
            for name in ["lock", "log.new", "lo", "logs", String(repeating: "x", count: 255)] {
                #expect(!isTold(bytes(1, IN_MOVED_TO, name)), "\(name)")
                #expect(isTold(bytes(1, IN_CREATE, name) + bytes(1, IN_CREATE, "log")))
            }
            // Of an inode that was watched before.
            #expect(!isTold(bytes(3, IN_MODIFY)) && !isTold(bytes(3, IN_IGNORED)))
        }

        @Test("bytes that are no events are read without a trap")
        func garbage() {
            let seed = UInt64.random(in: 0 ... .max)
            print("seed \(seed)")
            var random = SeededGenerator(seed: seed)
            let whole = bytes(1, IN_CREATE, "lock") + bytes(2, IN_MODIFY)
            #expect(InotifyEvent.all(in: unsafe whole.span.bytes).count == 2)
            for count in 0..<whole.count { _ = isTold(Array(whole.prefix(count))) }
            for _ in 0..<2_000 {
                var bytes = whole
                for _ in 0..<3 {
                    let place = Int.random(in: 0..<bytes.count, using: &random)
                    bytes[place] = .random(in: 0 ... .max, using: &random)
                }
                _ = isTold(bytes)
            }
        }
    }
#endif
