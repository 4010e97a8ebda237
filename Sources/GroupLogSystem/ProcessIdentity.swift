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

private let forks = Atomic<UInt64>(0)

/// Who this process is.
package enum ProcessIdentity {
    package static var processID: Int32 { getpid() }

    /// The program's name, without its folder.
    package static let name: String = {
        let path = CommandLine.arguments.first ?? ""
        let name = path.utf8.split(separator: UInt8(ascii: "/")).last.map(String.init) ?? nil
        return name ?? "?"
    }()

    /// A number that differs in a child made by fork(2) since it was asked for before, however
    /// many forks lie between. A child has its parent's descriptors and mutexes but not its
    /// threads, so whoever holds these compares this number first.
    ///
    /// One load from memory. The process id would be a system call, and need not differ: in a new
    /// namespace it begins again at 1.
    package static var forkGeneration: UInt64 {
        guard countsForks else { return UInt64(UInt32(bitPattern: getpid())) }
        return forks.load(ordering: .relaxed)
    }

    /// Registered once; only without memory does it fail (pthread_atfork(3)).
    private static let countsForks: Bool = {
        // The child's handler runs between fork and everything else, where little is allowed: the
        // counter has to exist before.
        forks.store(1, ordering: .relaxed)
        return pthread_atfork(nil, nil, { forks.wrappingAdd(1, ordering: .relaxed) }) == 0
    }()
}
