import CPeers
import GroupLog

/// What does it cost to learn that nothing is new?
enum RefreshNothingNew: Question {
    static let name = "refresh"
    static let summary = "a refresh when nothing is new"

    static func ask(_ bench: inout Bench) throws {
        let stores = try LargeStores(bench.plan)
        let path = try stores.groupLog()
        let store = try Store(path: path)
        try store.refresh()
        let count = bench.plan.count(100_000)
        try bench.measure(
            "Refresh, nothing new", .microseconds,
            [
                Contender(name: "raw: stat") { _ in
                    let log = path + "/log"
                    return timed(count, .microseconds) {
                        for _ in 0..<count { _ = allocated_bytes(log) }
                    }
                },
                Contender(name: "GroupLog", isOurs: true, budgets: [.atMost(2.2)]) { _ in
                    try timed(count, .microseconds) {
                        for _ in 0..<count { try store.refresh() }
                    }
                },
            ])
    }
}
