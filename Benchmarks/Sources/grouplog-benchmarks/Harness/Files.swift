import CPeers

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A directory that goes with its owner.
final class TemporaryDirectory {
    let path: String

    init(in parent: String) throws {
        var template = Array((parent + "/grouplog-benchmark-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else {
            throw PeerError(description: "cannot make a directory in '\(parent)'")
        }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { removeTree(path) }
}

/// The names in a directory.
private func names(in path: String) -> [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        if name != "." && name != ".." { names.append(name) }
    }
    return names
}

private func removeTree(_ path: String) {
    for name in names(in: path) { removeTree(path + "/" + name) }
    remove(path)
}

/// The bytes that a file, or all files below a directory, take on the disk.
func allocatedBytes(below path: String) -> UInt64 {
    let inside = names(in: path)
    return inside.isEmpty
        ? allocated_bytes(path)
        : inside.reduce(0) { $0 + allocatedBytes(below: path + "/" + $1) }
}

/// Runs a program to its end.
@discardableResult
func run(_ arguments: [String], isInspected: Bool = false) throws -> process_result {
    var result = process_result()
    try withCArguments(arguments) { try check(process_run($0, isInspected, &result)) }
    guard result.status == 0 else {
        throw PeerError(description: "'\(arguments[0])' ended with status \(result.status >> 8)")
    }
    return result
}

/// Lends arguments as C has them.
func withCArguments<R>(
    _ arguments: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) throws -> R
) rethrows -> R {
    let copies = arguments.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    let pointers = copies.map { UnsafePointer<CChar>($0) } + [nil]
    return try pointers.withUnsafeBufferPointer { buffer in
        guard let start = buffer.baseAddress else { preconditionFailure("never empty") }
        return try body(start)
    }
}

/// Tells a person who waits what is going on.
func progress(_ text: String) {
    guard isatty(STDERR_FILENO) == 1 else { return }
    say("\r\u{1B}[K" + text.prefix(100))
}

func complain(_ text: String) { say("grouplog-benchmarks: \(text)\n") }
