// swift-tools-version: 6.2
import PackageDescription

// Continuous integration makes warnings errors; a stranger's newer compiler must not.
let isStrict = Context.environment["GROUPLOG_STRICT"] != nil

let settings: [SwiftSetting] =
    [
        .strictMemorySafety(),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ] + (isStrict ? [.treatAllWarnings(as: .error)] : [])

let package = Package(
    name: "GroupLog",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "GroupLog", targets: ["GroupLog"]),
        .library(name: "GroupLogFormat", targets: ["GroupLogFormat"]),
        .executable(name: "grouplog-capture", targets: ["grouplog-capture"]),
        .executable(name: "grouplog-reader", targets: ["grouplog-reader"]),
        .executable(name: "grouplog-dump", targets: ["grouplog-dump"]),
    ],
    targets: [
        .target(name: "CGroupLog"),
        .target(name: "GroupLogFormat", dependencies: ["CGroupLog"], swiftSettings: settings),
        .target(name: "GroupLogSystem", dependencies: ["CGroupLog"], swiftSettings: settings),
        .target(
            name: "GroupLogFile", dependencies: ["GroupLogFormat", "GroupLogSystem"],
            swiftSettings: settings),
        .target(
            name: "GroupLog", dependencies: ["GroupLogFile", "GroupLogFormat", "GroupLogSystem"],
            swiftSettings: settings),
        .target(
            name: "ToolSupport", dependencies: ["GroupLogFormat", "GroupLogSystem"],
            swiftSettings: settings),
        .target(
            name: "StoreToolSupport",
            dependencies: [
                "GroupLog", "GroupLogFile", "GroupLogFormat", "GroupLogSystem", "ToolSupport",
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "grouplog-capture",
            dependencies: [
                "GroupLog", "GroupLogFile", "GroupLogFormat", "GroupLogSystem", "StoreToolSupport",
                "ToolSupport",
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "grouplog-reader",
            dependencies: [
                "GroupLog", "GroupLogFile", "GroupLogFormat", "GroupLogSystem", "StoreToolSupport",
                "ToolSupport",
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "grouplog-dump",
            dependencies: ["GroupLogFormat", "GroupLogSystem", "ToolSupport"],
            swiftSettings: settings),
        // What the tests of all layers share.
        .target(
            name: "TestSupport", dependencies: ["GroupLogFormat"], path: "Tests/TestSupport",
            swiftSettings: settings),
        .testTarget(
            name: "GroupLogFormatTests",
            dependencies: ["TestSupport", "GroupLogFormat", "CGroupLog"],
            exclude: ["Fixtures"],
            swiftSettings: settings),
        .testTarget(
            name: "GroupLogSystemTests", dependencies: ["TestSupport", "GroupLogSystem"],
            swiftSettings: settings),
        .testTarget(
            name: "GroupLogFileTests",
            dependencies: ["TestSupport", "GroupLogFile", "GroupLogFormat", "GroupLogSystem"],
            swiftSettings: settings),
        .testTarget(
            name: "GroupLogTests", dependencies: ["TestSupport", "GroupLog", "GroupLogFormat"],
            swiftSettings: settings),
        .testTarget(
            name: "ToolSupportTests",
            dependencies: ["TestSupport", "ToolSupport", "GroupLogFormat", "GroupLogSystem"],
            swiftSettings: settings),
        // A process that appends, changes or compacts, for the tests that need several.
        .executableTarget(
            name: "writer-process", dependencies: ["GroupLog"], path: "Tests/WriterProcess",
            swiftSettings: settings),
        .testTarget(
            name: "ProcessTests",
            dependencies: [
                "TestSupport", "GroupLog", "GroupLogFile", "GroupLogFormat", "writer-process",
                "grouplog-reader",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "ToolTests",
            dependencies: [
                "TestSupport", "GroupLog", "GroupLogFile", "GroupLogFormat", "grouplog-capture",
                "grouplog-reader", "grouplog-dump",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "ClientTests", dependencies: ["GroupLog", "GroupLogFormat"],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
