#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(Darwin)
    import Darwin
#endif

/// Who this process is.
package enum ProcessIdentity {
    package static var processID: Int32 { getpid() }

    /// The program's name, without its folder.
    package static let name: String = {
        let path = CommandLine.arguments.first ?? ""
        let name = path.utf8.split(separator: UInt8(ascii: "/")).last.map(String.init) ?? nil
        return name ?? "?"
    }()
}
