import CPeers

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What a process started by `ManyProcesses` does: appends, and prints its report.
func runWriter(_ arguments: [String]) throws {
    guard arguments.count == 5, let kind = Writer.Kind(rawValue: arguments[0]),
        let index = Int(arguments[2]), let start = Int64(arguments[3]),
        let milliseconds = Int(arguments[4])
    else { throw PeerError(description: "--writer is for the program's own use") }
    let writer = try Writer(kind, arguments[1], first: index)
    print(try writer.write(from: start, milliseconds).text)
    writer.close()
}

func write(_ text: String, to path: String) throws {
    guard let file = fopen(path, "w") else {
        throw PeerError(description: "cannot write '\(path)'")
    }
    let isWritten = fputs(text, file) >= 0
    guard fclose(file) == 0, isWritten else {
        throw PeerError(description: "cannot write '\(path)'")
    }
}

/// The machine, as far as the figures depend on it.
func machine() -> String {
    var name = utsname()
    uname(&name)
    let release = withUnsafeBytes(of: &name.release) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    var load = [Double](repeating: 0, count: 1)
    getloadavg(&load, 1)
    var versions: [String] = []
    if sqlite_peer_load() == nil {
        versions.append("SQLite \(String(cString: sqlite_peer_version()))")
    }
    if lmdb_peer_load() == nil { versions.append(String(cString: lmdb_peer_version())) }
    return
        (["\(sysconf(Int32(_SC_NPROCESSORS_ONLN))) processors, kernel \(release)"]
        + ["load \(load[0].figure) at the start"] + versions).joined(separator: "; ")
}

func run() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == "--writer" { return try runWriter(Array(arguments.dropFirst())) }
    let invocation = try Invocation(arguments)
    if invocation.isHelp { return print(Invocation.help, terminator: "") }
    let machine = machine()
    var bench = Bench(invocation.plan)
    for question in invocation.questions { try question.ask(&bench) }
    print(Table(answers: bench.answers, isMarkdown: invocation.isMarkdown).text)
    print(machine)
    if let path = invocation.plotPath { try write(Plot(answers: bench.answers).svg, to: path) }
}

do {
    try run()
} catch {
    complain("\(error)")
    exit(1)
}
