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

/// The user's home directory, as `HOME` has it. The user database is not asked: a statically linked
/// program could not (getpwuid(3) loads libraries), and specifications for the places of user data
/// rest on `HOME`.
package func homeDirectory() -> String? {
    guard let home = environmentVariable("HOME"), !home.isEmpty else { return nil }
    return home
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
