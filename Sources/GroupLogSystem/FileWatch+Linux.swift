#if !canImport(Darwin)
    private import CGroupLog
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Android)
        import Android
    #endif

    /// Linux's notifications (inotify(7)) of changes of a file and of its name in its directory.
    ///
    /// The system watches inodes, and not paths, so `arm()` asks again and again to watch what the
    /// paths lead to. For what is watched already inotify_add_watch(2) gives the number that it has, so
    /// another number tells of another inode. Comparing inodes would not: a file that is removed takes
    /// its watch along, and the next one may get its inode.
    final class ChangeNotifier: Sendable {
        /// Names that come and go. Not what is done to the files that have them: each append writes to
        /// the lock file.
        private static let directoryMask = UInt32(
            IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF
                | IN_ONLYDIR)
        private static let fileMask = UInt32(
            IN_MODIFY | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | IN_DONT_FOLLOW)

        private let directory: String
        private let path: String
        private let queue: FileDescriptor
        /// Becomes readable by `wake()`.
        private let alarm: FileDescriptor
        private let watches: Monitor<InotifyWatches>

        /// Nil where the system has no room for another one, or no inotify.
        static func make(directory: String, name: String) -> ChangeNotifier? {
            do throws(SystemError) {
                return try ChangeNotifier(directory: directory, name: name)
            } catch {
                return nil
            }
        }

        private init(directory: String, name: String) throws(SystemError) {
            self.directory = directory
            path = directory + "/" + name
            watches = Monitor(InotifyWatches(name: Array(name.utf8)))
            queue = try Self.descriptor(
                "inotify_init1", inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC)))
            alarm = try Self.descriptor("eventfd", grouplog_event_descriptor())
        }

        private static func descriptor(
            _ call: String, _ number: Int32
        ) throws(SystemError) -> FileDescriptor {
            guard number >= 0 else { throw SystemError(call, lastErrno, path: call) }
            switch aboveStandardStreams(number) {
            case .success(let number): return FileDescriptor(number: number, path: call)
            case .failure(let cause): throw SystemError(call, cause, path: call)
            }
        }

        /// Has the inodes watched that the paths lead to now. The directory comes first: a name that is
        /// given to another file later on is told.
        func arm() -> Arming {
            let (directory, _) = watch(directory, Self.directoryMask)
            let (file, cause) = watch(path, Self.fileMask)
            let old = watches.withLock { watches in
                defer { (watches.directory, watches.file) = (directory, file) }
                return watches
            }
            for number in [old.directory, old.file] {
                guard let number, number != directory, number != file else { continue }
                // Fails where the watch has gone with its inode.
                _ = inotify_rm_watch(queue.number, number)
            }
            return Arming(
                isOther: directory != old.directory || file != old.file,
                isComplete: directory != nil && (file != nil || cause == .noSuchFile))
        }

        private func watch(_ path: String, _ mask: UInt32) -> (number: Int32?, cause: Errno?) {
            do throws(SystemError) {
                let number = try unsafe withPath("inotify_add_watch", path) { pointer in
                    let number = unsafe inotify_add_watch(queue.number, pointer, mask)
                    return number >= 0 ? .success(number) : .failure(lastErrno)
                }
                return (number, nil)
            } catch {
                return (nil, error.errno)
            }
        }

        func wait(milliseconds: Int32) -> Notice {
            let readiness = waitUntilReady(
                anyOf: [queue.number, alarm.number], POLLIN, milliseconds: milliseconds)
            guard readiness == .ready else { return Notice(readiness, milliseconds) }
            // Eight bytes, which count the calls of `wake()`; none where it is the other one.
            _ = Self.read(alarm.number, 8)
            return drain() ? .change : .nothing
        }

        /// Takes all events out of the queue, or so many that more may be coming all the time. Gives
        /// whether one of them matters.
        private func drain() -> Bool {
            let watches = watches.withLock { $0 }
            var isChange = false
            for _ in 0..<16 {
                let bytes = Self.read(queue.number, 4_096)
                if bytes.isEmpty { break }
                let events = InotifyEvent.all(in: unsafe bytes.span.bytes)
                isChange = isChange || events.contains { watches.areConcerned(by: $0) }
            }
            return isChange
        }

        /// What there is to be read, at most so many bytes; nothing where there is none.
        private static func read(_ number: Int32, _ limit: Int) -> [UInt8] {
            unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
                count = max(0, retrying { unsafe readSome(number, buffer, limit) })
            }
        }

        func wake() {
            let one: UInt64 = 1
            // Fails where it was woken 2 to the 64th times, which is enough.
            unsafe withUnsafeBytes(of: one) { bytes in
                _ = retrying { unsafe writeSome(alarm.number, bytes) }
            }
        }
    }

    /// What inotify watches for a file and its directory.
    struct InotifyWatches: Sendable {
        /// The file's name in the directory.
        let name: [UInt8]
        var directory: Int32?
        var file: Int32?

        init(name: [UInt8]) { self.name = name }

        /// Whether an event tells of the file, or that events are missing. Events of inodes that are no
        /// longer watched may still be in the queue.
        func areConcerned(by event: InotifyEvent) -> Bool {
            if event.mask & UInt32(IN_Q_OVERFLOW) != 0 || event.watch == file { return true }
            return event.watch == directory && (event.name.isEmpty || event.name == name)
        }
    }

    /// An event, as read(2) gives it (`struct inotify_event` of inotify(7)).
    struct InotifyEvent: Equatable {
        private static let headSize = 16

        var watch: Int32
        var mask: UInt32
        /// Of the file in the watched directory that the event is about; empty where it is about what is
        /// watched itself.
        var name: [UInt8]

        /// The events in what one call has read. The system gives only whole ones.
        static func all(in bytes: RawSpan) -> [InotifyEvent] {
            var events: [InotifyEvent] = []
            var offset = 0
            while bytes.byteCount - offset >= headSize {
                func word(_ place: Int) -> UInt32 {
                    unsafe bytes.unsafeLoadUnaligned(
                        fromByteOffset: offset + place, as: UInt32.self)
                }
                let start = offset + headSize
                let length = Int(word(12))
                guard length <= bytes.byteCount - start else { break }
                let name = (start..<start + length)
                    .map { unsafe bytes.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
                    .prefix { $0 != 0 }
                events.append(
                    InotifyEvent(
                        watch: Int32(bitPattern: word(0)), mask: word(4), name: Array(name)))
                offset = start + length
            }
            return events
        }
    }
#endif
