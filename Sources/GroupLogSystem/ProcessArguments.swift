/// The words that the process was started with.
package enum ProcessArguments {
    /// An argument that is not UTF-8. Repairing it, as `CommandLine.arguments` does, would store
    /// another text than the one given, or open another file.
    package struct NotText: Error, Hashable, Sendable {
        /// Counted from 1, without the program's name.
        package let position: Int
    }

    /// The words behind the program's name.
    package static func texts() throws(NotText) -> [String] {
        var texts: [String] = []
        // The vector has `argc` pointers and a null pointer behind them (execve(2)). A process can
        // be started with no argument at all, not even a name.
        for position in 1..<max(1, Int(CommandLine.argc)) {
            guard let bytes = unsafe CommandLine.unsafeArgv[position] else { break }
            guard let text = unsafe String(validatingCString: bytes) else {
                throw NotText(position: position)
            }
            texts.append(text)
        }
        return texts
    }
}
