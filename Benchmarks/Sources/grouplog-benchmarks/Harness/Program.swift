#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The path of this program, from which its siblings are found.
let programPath: String = {
    #if os(Linux)
        var path = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &path, path.count - 1)
        if count > 0 {
            return String(
                decoding: path.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    #endif
    return CommandLine.arguments[0]
}()

/// A program that was built into the same directory.
func siblingPath(_ name: String) -> String {
    guard let slash = programPath.lastIndex(of: "/") else { return name }
    return programPath[...slash] + name
}

/// Whether the Swift runtime is linked in: a program that has to load it first takes longer to start.
/// On Darwin the system has it.
var isStatic: Bool {
    #if os(Linux)
        guard let maps = fopen("/proc/self/maps", "r") else { return false }
        defer { fclose(maps) }
        var line = [CChar](repeating: 0, count: 8192)
        while fgets(&line, Int32(line.count), maps) != nil {
            if strstr(line, "libswiftCore") != nil { return false }
        }
    #endif
    return true
}
