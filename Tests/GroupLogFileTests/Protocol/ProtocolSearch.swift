/// Goes through all states that the processes can come to, breadth first, so that the first fault
/// found is one with the fewest steps.
struct ProtocolSearch {
    struct Outcome {
        var stateCount: Int
        /// What happened up to the fault, and the fault; nil where there is none.
        var counterexample: [String]?
    }

    static func run(_ kinds: [ProtocolStep.Kind], _ setting: ProtocolSetting) -> Outcome {
        let machine = ProtocolMachine(setting: setting)
        let first = ProtocolState(kinds, setting)
        var known: Set<ProtocolState> = [first]
        var queue: [ProtocolState] = [first]
        var origins: [(parent: Int, what: String)] = [(-1, "")]
        var next = 0
        while next < queue.count {
            for (what, state) in machine.successors(of: queue[next]) {
                guard known.insert(state).inserted else { continue }
                queue.append(state)
                origins.append((next, what))
                if let fault = state.fault {
                    let path = trace(to: queue.count - 1, origins)
                    return Outcome(stateCount: queue.count, counterexample: path + [fault])
                }
            }
            next += 1
        }
        return Outcome(stateCount: queue.count, counterexample: nil)
    }

    private static func trace(
        to state: Int, _ origins: [(parent: Int, what: String)]
    ) -> [String] {
        var path: [String] = []
        var state = state
        while state > 0 {
            path.append(origins[state].what)
            state = origins[state].parent
        }
        return path.reversed()
    }
}
