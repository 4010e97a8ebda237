import CFuzzer

// fuzz --target=NAME [libFuzzer's arguments]: runs one target on inputs that libFuzzer makes. It passes
// over options with two dashes, and hands them to the processes that it starts.

/// What is fuzzed: a function that traps where something does not hold.
let targets: [String: ([UInt8]) throws -> Void] = [
    "frames": FramesTarget.run, "recovery": RecoveryTarget.run, "cbor": CBORTarget.run,
    "import": ImportTarget.run,
]

let names = CommandLine.arguments.filter { $0.hasPrefix("--target=") }.map { $0.dropFirst(9) }
guard let target = names.first.flatMap({ targets[String($0)] }) else {
    fatalError("choose one with --target: \(targets.keys.sorted().joined(separator: ", "))")
}

/// libFuzzer takes a C function, which can capture nothing.
nonisolated(unsafe) let chosen = target

var argumentCount = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? =
    unsafe CommandLine.unsafeArgv
let status = unsafe LLVMFuzzerRunDriver(&argumentCount, &arguments) { data, size in
    let input = unsafe data.map { unsafe Array(UnsafeBufferPointer(start: $0, count: size)) } ?? []
    do {
        try unsafe chosen(input)
    } catch {
        fatalError("\(error)")
    }
    return 0
}
require(status == 0, "libFuzzer ended with \(status)")
