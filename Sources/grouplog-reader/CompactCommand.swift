import GroupLog
import GroupLogSystem
import StoreToolSupport
import ToolSupport

/// `compact`: puts a log that has only what is still needed in the place of the one that has grown.
enum CompactCommand {
    private static let isRehearsal = Flag(
        "dry-run", "Tell what it would do, and write nothing.")
    private static let discardsDamage = Flag(
        "discard-damage", "Go on where the log is damaged, and give up what that has cost.")
    private static let isConditional = Flag(
        "if-needed", "Do nothing unless the log would shrink to half or less.")

    static let command = Command(
        "compact", abstract: "Shrinks the log to what is still needed.",
        discussion: """
            Earlier versions of records go, and with them what 'restore' brings back; ids, dates, \
            the order of lists, the states of uploads and the newest 100,000 deletions stay. \
            Others read and write meanwhile, and who follows goes on behind the last commit. It \
            needs room for the new log beside the old one. If it is interrupted, the log is as it \
            was.
            A damaged log is not compacted unless that is asked for: what cannot be read is named, \
            and would be gone for good. The exit status is 65 then.
            With --json the outcome is an object with 'compacted' (true or false), 'generation', \
            'bytesBefore', 'bytesAfter' and 'records', and for a dry run 'dryRun', 'bytesBefore', \
            'bytesAfter', 'tombstones' and 'damage' (the number of damaged places).
            """,
        examples: [
            .init("What it would bring", "grouplog-reader compact --dry-run"),
            .init("Each night", "grouplog-reader compact --if-needed --quiet"),
        ],
        options: [isRehearsal, discardsDamage, isConditional, CommonOptions.timeout],
        outlivesReader: true
    ) { invocation in
        if invocation[isRehearsal] { return try rehearse(invocation) }
        let store = try invocation.openStore(as: .app)
        let estimate = try store.compactionEstimate()
        if invocation[isConditional] && !estimate.isWorthwhile {
            try print(nil, invocation)
            return .done
        }
        guard estimate.receipt.isClean || invocation[discardsDamage] else {
            invocation.tell(estimate.receipt)
            throw ToolError(
                .badData,
                "the log is damaged, and compacting it would make final what that has cost",
                hint:
                    "look at it with 'grouplog-dump verify'; '--discard-damage' goes on all the same"
            )
        }
        try print(try compact(store, of: estimate.bytesBefore, invocation), invocation)
        return .done
    }

    private static func compact(
        _ store: Store, of bytes: UInt64, _ invocation: Invocation
    ) throws -> CompactionReport {
        var progress = Progress(
            "compacting", total: Int(clamping: bytes), unit: "bytes",
            quiet: invocation[CommonOptions.quiet], on: invocation.messages)
        return try store.compact(
            .init(
                discardsDamage: invocation[discardsDamage],
                isCancelled: { Interrupt.isRequested })
        ) { progress.update(Int(clamping: $0.bytesDone)) }
    }

    private static func rehearse(_ invocation: Invocation) throws -> ExitStatus {
        let estimate = try invocation.openStore(as: .readOnly).compactionEstimate()
        let damage = estimate.receipt.entries.count
        if invocation[CommonOptions.json] {
            var writer = JSONWriter()
            writer.beginObject()
            writer.member("dryRun", true)
            writer.member("bytesBefore", estimate.bytesBefore)
            writer.member("bytesAfter", estimate.bytesAfter)
            writer.member("tombstones", estimate.tombstoneCount)
            writer.member("damage", damage)
            writer.endObject()
            try invocation.output.line(json: &writer)
        } else {
            try invocation.output.line(
                "would compact the log: \(estimate.bytesBefore) bytes now, about "
                    + "\(estimate.bytesAfter) afterwards")
        }
        if damage > 0 { invocation.tell(estimate.receipt) }
        return damage > 0 ? .badData : .done
    }

    private static func print(_ report: CompactionReport?, _ invocation: Invocation) throws {
        guard invocation[CommonOptions.json] else {
            guard let report else {
                if invocation[CommonOptions.quiet] { return }
                return try invocation.output.line("there is no need: nothing was done")
            }
            return try invocation.output.line(
                "compacted the log: \(report.bytesBefore) bytes before, \(report.bytesAfter) now")
        }
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("compacted", report != nil)
        if let report {
            writer.member("generation", report.generation)
            writer.member("bytesBefore", report.bytesBefore)
            writer.member("bytesAfter", report.bytesAfter)
            writer.member("records", report.recordCount)
        }
        writer.endObject()
        try invocation.output.line(json: &writer)
    }
}
