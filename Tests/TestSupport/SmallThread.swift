import Foundation

/// Runs the body on a thread with so many bytes of stack: those that are not a program's first have
/// 512 KiB on Apple's systems.
package func onThread(
    stackSize: Int, _ body: @escaping @Sendable () throws -> Void
) throws {
    let done = DispatchSemaphore(value: 0)
    let outcome = Outcome()
    let thread = Thread {
        do { try body() } catch { outcome.error = error }
        done.signal()
    }
    thread.stackSize = stackSize
    thread.start()
    done.wait()
    if let error = outcome.error { throw error }
}

// Written before the semaphore is signalled, and read behind it.
private final class Outcome: @unchecked Sendable {
    var error: (any Error)?
}
