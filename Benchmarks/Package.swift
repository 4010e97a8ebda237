// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nobody who uses GroupLog builds it. SQLite and LMDB are loaded at run
// time where they are installed.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "GroupLog", path: "..")],
    targets: [
        .target(name: "CPeers", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
        .executableTarget(name: "bare-program"),
        .executableTarget(
            name: "grouplog-benchmarks",
            dependencies: [
                "CPeers", "bare-program",
                .product(name: "GroupLog", package: "GroupLog"),
                .product(name: "grouplog-capture", package: "GroupLog"),
            ],
            swiftSettings: [.enableUpcomingFeature("ExistentialAny")]),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .gnu11
)
