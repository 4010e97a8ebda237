#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(Darwin)
    import Darwin
#endif

/// Takes the numbers of standard input, output and error that the process was started without.
///
/// A shell starts a program so with `>&-`. The next file to be opened would get the free number,
/// and what is meant for standard output would be written over the beginning of that file. The
/// numbers are taken in the wrong direction, so that using them still fails (EBADF) instead of
/// losing what is written. To be called before anything is opened.
package func reserveStandardDescriptors() throws(SystemError) {
    let path = "/dev/null"
    for (number, mode) in [
        (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
    ] {
        guard fcntl(number, F_GETFD) < 0 else { continue }
        // open(2) gives the lowest free number, and all lower ones are taken by now.
        let result = retrying { Int(unsafe open(path, mode)) }
        guard result >= 0 else { throw SystemError("open", lastErrno, path: path) }
        precondition(result == Int(number), "another thread opened a file too early")
    }
}
