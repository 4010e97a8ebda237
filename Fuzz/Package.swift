// swift-tools-version: 6.2
import PackageDescription

// Built by Scripts/fuzz alone. The folders of the library's targets are links to the originals: what is fuzzed has to be
// compiled for it, and with its `package` declarations in reach.

let settings: [SwiftSetting] = [
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    // Counts edges and shows comparisons to libFuzzer.
    .unsafeFlags(["-sanitize=fuzzer"]),
]

let package = Package(
    name: "GroupLogFuzz",
    platforms: [.macOS(.v15)],
    targets: [
        .target(name: "CGroupLog"),
        .target(name: "CFuzzer"),
        .target(name: "GroupLogFormat", dependencies: ["CGroupLog"], swiftSettings: settings),
        .target(name: "GroupLogSystem", dependencies: ["CGroupLog"], swiftSettings: settings),
        .target(
            name: "GroupLogFile", dependencies: ["GroupLogFormat", "GroupLogSystem"],
            swiftSettings: settings),
        .target(
            name: "ToolSupport", dependencies: ["GroupLogFormat", "GroupLogSystem"],
            swiftSettings: settings),
        .target(name: "TestSupport", dependencies: ["GroupLogFormat"], swiftSettings: settings),
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "CFuzzer", "GroupLogFile", "GroupLogFormat", "GroupLogSystem", "TestSupport",
                "ToolSupport",
            ],
            swiftSettings: settings,
            linkerSettings: [
                .unsafeFlags(["-sanitize=fuzzer"]),
                // gold, the usual linker, stops at libFuzzer with an internal error.
                .unsafeFlags(["-use-ld=lld"], .when(platforms: [.linux])),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
