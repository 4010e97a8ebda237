import GroupLog
import Testing

/// Expects the body to throw a `StoreError` with this code.
func expectError<R>(
    _ code: StoreError.Code, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> R
) {
    #expect(sourceLocation: sourceLocation) {
        try body()
    } throws: { error in
        (error as? StoreError)?.code == code
    }
}
