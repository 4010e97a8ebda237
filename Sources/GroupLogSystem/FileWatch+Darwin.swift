#if canImport(Darwin)
    import Darwin

    /// Darwin's notifications (kqueue(2)) of changes of a file and of the names in its directory.
    ///
    /// A directory's `NOTE_WRITE` tells of names that come and go, and not of what is written to its
    /// files. The system watches what is open, and not paths, so `arm()` looks again and again whether
    /// the paths still lead there. What is open cannot lose its inode to another file.
    final class ChangeNotifier: Sendable {
        /// A file that is open to be watched, and for nothing else (open(2), `O_EVTONLY`), so that it
        /// stands in no volume's way.
        private final class Target: Sendable {
            let descriptor: FileDescriptor
            let status: FileStatus

            init(_ path: String, _ flags: Int32) throws(SystemError) {
                let number = try openDescriptor(path, O_EVTONLY | O_CLOEXEC | flags)
                descriptor = FileDescriptor(number: number, path: path)
                status = try descriptor.status()
            }
        }

        private struct Targets: Sendable {
            var directory: Target?
            var file: Target?
        }

        private let directory: String
        private let path: String
        private let queue: FileDescriptor
        private let targets = Monitor(Targets())

        /// Nil where the system has no room for another one.
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
            let number = kqueue()
            guard number >= 0 else { throw SystemError("kqueue", lastErrno, path: directory) }
            _ = fcntl(number, F_SETFD, FD_CLOEXEC)
            queue = FileDescriptor(number: number, path: directory)
            // sys/event.h: an event of the program's own.
            guard change(0, EVFILT_USER, EV_ADD | EV_CLEAR, 0) else {
                throw SystemError("kevent", lastErrno, path: directory)
            }
        }

        /// Has the files watched that the paths lead to now.
        func arm() -> Arming {
            let old = targets.withLock { $0 }
            // With "/." a symbolic link in the place of the directory is followed, as the store does.
            let (directory, _) = target(old.directory, directory + "/.", O_DIRECTORY)
            let (file, cause) = target(old.file, path, O_SYMLINK | O_NONBLOCK)
            targets.withLock { $0 = Targets(directory: directory, file: file) }
            return Arming(
                isOther: directory !== old.directory || file !== old.file,
                isComplete: directory != nil && (file != nil || cause == .noSuchFile))
        }

        /// The old target where the path still leads to it, or else a new one.
        private func target(
            _ old: Target?, _ path: String, _ flags: Int32
        ) -> (target: Target?, cause: Errno?) {
            do throws(SystemError) {
                if let old, try FileStatus.of(path: path).isSameFile(as: old.status) {
                    return (old, nil)
                }
                let new = try Target(path, flags)
                let events =
                    NOTE_WRITE | NOTE_EXTEND | NOTE_ATTRIB | NOTE_RENAME | NOTE_DELETE
                    | NOTE_REVOKE
                let isWatched = change(
                    UInt(new.descriptor.number), EVFILT_VNODE, EV_ADD | EV_CLEAR, events)
                return isWatched ? (new, nil) : (nil, lastErrno)
            } catch {
                return (nil, error.errno)
            }
        }

        func wait(milliseconds: Int32) -> Notice {
            var events = unsafe [kevent](repeating: kevent(), count: 4)
            var time = timespec(
                tv_sec: Int(milliseconds / 1_000), tv_nsec: Int(milliseconds % 1_000) * 1_000_000)
            let count = unsafe kevent(queue.number, nil, 0, &events, Int32(events.count), &time)
            guard count >= 0 else {
                return Notice(lastErrno == .interrupted ? .interrupted : .refused, milliseconds)
            }
            let isChange = unsafe events.prefix(Int(count)).contains { event in
                unsafe event.filter == Int16(EVFILT_VNODE)
            }
            return isChange ? .change : .nothing
        }

        func wake() { _ = change(0, EVFILT_USER, 0, NOTE_TRIGGER) }

        /// Adds an event to the queue, or triggers it; gives whether that was done.
        private func change(_ ident: UInt, _ filter: Int32, _ flags: Int32, _ events: Int32) -> Bool
        {
            var change = unsafe kevent(
                ident: ident, filter: Int16(filter), flags: UInt16(flags), fflags: UInt32(events),
                data: 0, udata: nil)
            return unsafe kevent(queue.number, &change, 1, nil, 0, nil) == 0
        }
    }
#endif
