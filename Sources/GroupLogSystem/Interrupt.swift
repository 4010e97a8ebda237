#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(Darwin)
    import Darwin
#endif
import Synchronization

private let receivedSignal = Atomic<Int32>(0)

/// SIGINT (Ctrl-C) and SIGTERM as a flag that a long piece of work looks at.
package enum Interrupt {
    /// From now on the first of these signals only sets the flag. A second one ends the process as
    /// it always did, for work that does not look. A signal that is ignored stays ignored, as for
    /// programs that a shell starts in the background. One that is blocked no longer is: a program
    /// inherits the mask of the thread that started it (sigprocmask(2)), and libdispatch's threads,
    /// from which Foundation's `Process` starts programs, block all signals.
    package static func install() {
        // The handler runs between any two instructions, so the flag has to exist before it.
        receivedSignal.store(0, ordering: .sequentiallyConsistent)
        for number in [SIGINT, SIGTERM] {
            let previous = signal(number, SIG_IGN)
            let (was, ignored) = unsafe (
                unsafeBitCast(previous, to: Int.self), unsafeBitCast(SIG_IGN, to: Int.self)
            )
            if was == ignored { continue }
            _ = signal(number) { number in
                // Only what signal-safety(7) allows: an atomic store, and signal(2).
                receivedSignal.store(number, ordering: .sequentiallyConsistent)
                _ = signal(number, SIG_DFL)
            }
            unblock(number)
        }
    }

    private static func unblock(_ number: Int32) {
        var signals = sigset_t()
        // These fail only for numbers that are no signals.
        _ = unsafe sigemptyset(&signals)
        _ = unsafe sigaddset(&signals, number)
        _ = unsafe sigprocmask(SIG_UNBLOCK, &signals, nil)
    }

    /// The signal that came, if one has.
    package static var signalNumber: Int32? {
        let number = receivedSignal.load(ordering: .sequentiallyConsistent)
        return number == 0 ? nil : number
    }

    package static var isRequested: Bool { signalNumber != nil }
}

/// A write to a closed pipe gives `StandardStream.Failure.brokenPipe` instead of ending the
/// process. Children that are started inherit this.
package func ignoreSIGPIPE() { _ = signal(SIGPIPE, SIG_IGN) }

/// Has writing beyond the limit of file sizes (setrlimit(2)) fail with `EFBIG` instead of ending the
/// process. For programs: it holds for the whole process.
package func ignoreSIGXFSZ() { _ = signal(SIGXFSZ, SIG_IGN) }
