/// Where the bytes of an import come from, chunk by chunk.
///
/// The closure gives the next chunk, of any size, and an empty one at the end; it is not called again after that.
/// What it throws reaches the caller as the `cause` of an ``InterchangeError``.
package struct ByteSource {
    let read: () throws -> [UInt8]

    package init(_ read: @escaping () throws -> [UInt8]) {
        self.read = read
    }

    /// A source that holds all its bytes already.
    package init(_ bytes: [UInt8]) {
        var rest = bytes
        self.read = {
            defer { rest = [] }
            return rest
        }
    }
}

/// Why a file could not be read as what it claims to be, and where.
///
/// Positions count from 1; columns count Unicode scalars, so they agree with an editor's.
package struct InterchangeError: Error, CustomStringConvertible {
    package let message: String
    package let line: Int?
    package let column: Int?
    package let offset: Int?
    package let cause: (any Error)?

    package init(
        _ message: String, line: Int? = nil, column: Int? = nil, offset: Int? = nil,
        cause: (any Error)? = nil
    ) {
        self.message = message
        self.line = line
        self.column = column
        self.offset = offset
        self.cause = cause
    }

    package var description: String {
        guard let line else { return message }
        guard let column else { return "line \(line): \(message)" }
        return "line \(line), column \(column): \(message)"
    }
}

/// Something that was changed or left out while reading, and is told rather than done in silence.
package struct InterchangeWarning: Sendable, Equatable {
    package enum Kind: String, Sendable {
        case withoutDate, badDate, repairedText, duplicateName, inexactNumber, ignoredValue
    }

    package let kind: Kind
    package let line: Int
    package let message: String

    package init(_ kind: Kind, line: Int, _ message: String) {
        self.kind = kind
        self.line = line
        self.message = message
    }
}
