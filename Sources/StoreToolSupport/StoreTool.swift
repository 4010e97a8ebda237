package import GroupLog
import GroupLogFile
import GroupLogFormat
import GroupLogSystem
package import ToolSupport

extension Tool {
    /// A tool that opens stores: it has words for the errors of the store, and of what it imports.
    package init(opening command: Command) {
        self.init(command, explain: explained)
    }
}

private func explained(_ error: any Error) -> ToolError? {
    switch error {
    case let error as StoreError: ToolError(error)
    case let error as InterchangeError: ToolError(error)
    case let error as CBORError: ToolError(.badData, "the value cannot be stored: \(error)")
    default: nil
    }
}

extension ToolError {
    /// What a store says, with the status and the hint that go with it.
    package init(_ error: StoreError) {
        switch error.code {
        case .noParent, .foreignFile: self.init(.cannotCreate, error.message)
        case .noStore:
            self.init(.noInput, error.message, hint: "name one with --store or $GROUPLOG_STORE")
        case .locked:
            self.init(
                .locked, error.message, hint: "try again, or wait longer with --timeout SECONDS")
        case .cancelled: self = .interrupted
        case .superseded: self.init(.conflict, error.message, hint: "try again")
        case .corrupt where error.isMissingLog:
            // The message says what to do; there is nothing to look into.
            self.init(.badData, error.message)
        case .corrupt:
            self.init(
                .badData, error.message, hint: "see what is left of it with 'grouplog-dump verify'")
        case .unsupportedVersion:
            self.init(.badData, error.message, hint: "use a newer version of this tool")
        case .tooLarge, .invalidValue: self.init(.badData, error.message)
        case .exists, .historyTooOld, .historyDiverged, .historyFuture, .otherStore:
            self.init(.conflict, error.message)
        case .notFound: self.init(.notFound, error.message)
        case .readOnly: self.init(.noPermission, error.message)
        case .io, .protected, .permission, .noSpace: self.init(system: error)
        default: self.init(.io, error.message)
        }
    }

    private init(system error: StoreError) {
        guard let cause = error.cause as? SystemError else {
            self.init(error.code == .permission ? .noPermission : .io, error.message)
            return
        }
        self.init(cause)
    }

    /// Why a file could not be read as what it claims to be.
    package init(_ error: InterchangeError) {
        switch error.cause {
        case let cause as SystemError: self.init(cause)
        case let cause as ToolError: self = cause
        default: self.init(.badData, error.description)
        }
    }
}

extension StoreError {
    fileprivate var isMissingLog: Bool {
        if case .logMissing = cause as? LogError { true } else { false }
    }
}
