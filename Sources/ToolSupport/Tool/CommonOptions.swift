/// The options that the tools share, each defined once.
package enum CommonOptions {
    package static let store = Option<String?>(
        "store", "dir", "The store's directory. (default: $GROUPLOG_STORE, else one of your own)",
        as: .directory)
    package static let json = Flag("json", "Print JSON, one object a line.")
    package static let color = Option<ColorChoice>(
        "color", "when", "Use colors.", as: .choice, default: .auto)
    package static let timeout = Option<Double>(
        "timeout", "seconds", "Wait at most this long for the store's lock.",
        as: .seconds(upTo: 86_400), default: 5)
    package static let author = Option<String?>(
        "author", "name", "Write under this name, which each change carries.", as: .name)
    package static let quiet = Flag("quiet", short: "q", "Print no notes and no progress.")

    /// What the environment has to do with them.
    package static let environment: [Command.EnvironmentVariable] = [
        .init(storeVariable, "The store's directory, where --store is not given."),
        .init(
            "XDG_DATA_HOME",
            """
            Where neither is given, the store is grouplog/default.grouplog in this directory, or in \
            ~/.local/share if it is not set (on macOS: in ~/Library/Application Support).
            """),
        .init(
            "NO_COLOR", "Set to anything, it turns colors off where --color does not ask for them."),
        .init("TERM", "Where it is \"dumb\", there are no colors unless --color asks for them."),
    ]

    private static let storeVariable = "GROUPLOG_STORE"

    /// The directory of the store that an invocation means.
    ///
    /// An empty variable counts as one that is not set, and so does a relative `XDG_DATA_HOME`
    /// (XDG Base Directory Specification: it is to be ignored).
    package static func storeDirectory(
        _ invocation: Invocation
    ) throws(ToolError) -> String {
        if let path = namedStoreDirectory(invocation) { return path }
        guard let data = userDataDirectory(invocation.environment) else {
            throw ToolError(
                .usage, "no store is named and there is no home directory",
                hint: "name one with --store or $\(storeVariable)")
        }
        return data + "/grouplog/default.grouplog"
    }

    /// The directory where the command line or the environment names one.
    package static func namedStoreDirectory(_ invocation: Invocation) -> String? {
        if let path = invocation[store] { return path }
        return invocation.environment(storeVariable).flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func userDataDirectory(_ environment: (String) -> String?) -> String? {
        let home = environment("HOME").flatMap { $0.isEmpty ? nil : $0 }
        #if canImport(Darwin)
            return home.map { $0 + "/Library/Application Support" }
        #else
            if let path = environment("XDG_DATA_HOME"), path.utf8.first == UInt8(ascii: "/") {
                return path
            }
            return home.map { $0 + "/.local/share" }
        #endif
    }
}
