import GroupLog
import GroupLogFormat
import GroupLogSystem
import StoreToolSupport
import ToolSupport

/// `delete`: takes records away.
enum DeleteCommand {
    static let command = Command(
        "delete", abstract: "Deletes records.",
        discussion: """
            Each is a commit of its own, durable before the next. An id that no record has is told \
            on standard error, the others are deleted, and the exit status is 1. With --json each \
            id gets an object with 'id' and 'outcome': deleted or unknown.
            """,
        examples: [.init("A record", "grouplog-reader delete ID")],
        arguments: [GetCommand.ids],
        options: [ToolCollection.option, CommonOptions.timeout, CommonOptions.author],
        outlivesReader: true
    ) { invocation in
        let collection = invocation[ToolCollection.option]
        let store = try invocation.openStore(as: .app)
        let records = collection.records(in: store)
        var status = ExitStatus.done
        for key in invocation[GetCommand.ids] {
            if Interrupt.isRequested { throw ToolError.interrupted }
            let isDeleted = try records.delete(key)
            if !isDeleted {
                try invocation.noteMissing(key, in: collection, of: try store.view())
                status = .notFound
            }
            try invocation.printOutcome(isDeleted ? "deleted" : "unknown", of: key)
        }
        return status
    }
}

/// `restore`: brings a deleted record back.
enum RestoreCommand {
    static let id = Argument<RecordKey>("id", "The record's id.", as: .key)

    static let command = Command(
        "restore", abstract: "Brings a deleted record back as it was.",
        discussion: """
            Its last value is looked for in the log, where it stays until the log is compacted. \
            A record that is there already is left as it is. With --json the outcome is an object \
            with 'id' and 'outcome': restored, live, unknown or gone.
            """,
        examples: [.init("A record", "grouplog-reader restore ID")],
        arguments: [id],
        options: [ToolCollection.option, CommonOptions.timeout, CommonOptions.author],
        outlivesReader: true
    ) { invocation in
        let collection = invocation[ToolCollection.option]
        let key = invocation[id]
        let store = try invocation.openStore(as: .app)
        switch try collection.records(in: store).restore(key) {
        case .restored:
            try invocation.printOutcome("restored", of: key)
            return .done
        case .live:
            invocation.note("the record \(KeyText.text(key)) is not deleted")
            try invocation.printOutcome("live", of: key)
            return .done
        case .unknown:
            try invocation.noteMissing(key, in: collection, of: try store.view())
            try invocation.printOutcome("unknown", of: key)
        case .gone:
            invocation.note("the last value of \(KeyText.text(key)) is no longer in the log")
            try invocation.printOutcome("gone", of: key)
        }
        return .notFound
    }
}

extension Invocation {
    func printOutcome(_ outcome: String, of key: RecordKey) throws {
        guard self[CommonOptions.json] else { return }
        var writer = JSONWriter()
        writer.record(key, [RecordField("outcome", .text(outcome))])
        try output.line(json: &writer)
    }
}
