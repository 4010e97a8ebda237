#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(Darwin)
    import Darwin
#endif

/// Threads of the system's own (pthread_create(3)).
package enum Thread {
    /// The same everywhere, where systems have from 128 KiB (musl) to 8 MiB. Only what is touched
    /// takes memory.
    private static let stackSize = 1 << 20

    private final class Body {
        let name: String
        let run: @Sendable () -> Void
        init(name: String, _ run: @escaping @Sendable () -> Void) {
            self.name = name
            self.run = run
        }
    }

    /// Runs the body on a new thread, which ends with it. Debuggers show the name's first 15 bytes.
    package static func detach(name: String, _ body: @escaping @Sendable () -> Void) {
        var attributes = pthread_attr_t()
        var result = unsafe pthread_attr_init(&attributes)
        precondition(result == 0, "the system has no room for another thread")
        defer { unsafe _ = pthread_attr_destroy(&attributes) }
        unsafe _ = pthread_attr_setstacksize(&attributes, stackSize)
        unsafe _ = pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        let context = unsafe Unmanaged.passRetained(Body(name: name, body)).toOpaque()
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        result = unsafe pthread_create(&thread, &attributes, { unsafe Thread.enter($0) }, context)
        precondition(result == 0, "the system has no room for another thread")
    }

    private static func enter(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let context = unsafe context else { return nil }
        let body = unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue()
        setName(body.name)
        body.run()
        return nil
    }

    private static func setName(_ name: String) {
        #if canImport(Darwin)
            unsafe _ = pthread_setname_np(name)
        #else
            // pthread_setname_np(3) is an extension that Swift's import of glibc leaves out; this
            // is what it does. A thread without a name works as well.
            guard let number = try? openDescriptor("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
            else { return }
            defer { _ = close(number) }
            let bytes = Array(name.utf8.prefix(15))
            unsafe bytes.withUnsafeBytes { unsafe _ = writeSome(number, $0) }
        #endif
    }
}
