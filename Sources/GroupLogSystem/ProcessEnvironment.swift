#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(Darwin)
    import Darwin
#endif

/// An environment variable, if it is set (it may be empty).
package func environmentVariable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
}

/// The absolute path of the current directory.
package func currentDirectory() throws(SystemError) -> String {
    guard let path = unsafe getcwd(nil, 0) else {
        throw SystemError("getcwd", lastErrno, path: ".")
    }
    defer { unsafe free(path) }
    return unsafe String(cString: path)
}

/// Ends the process. What a `StandardStream` has gathered has to be flushed before.
package func exitProcess(_ status: Int32) -> Never { exit(status) }
